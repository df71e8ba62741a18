import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestOutput } from '../frame/test-context.ts';
import { Screen } from './screen.ts';
import { TestTerminal } from './test-terminal.ts';

/** An output on a terminal. */
function attached(): { readonly output: TestOutput; readonly terminal: TestTerminal } {
  const terminal = new TestTerminal(80, 24);
  const output = new TestOutput({ isTTY: true });
  output.write = (text: string): void => {
    output.text += text;
    terminal.write(text);
  };
  return { output, terminal };
}

describe('Screen', () => {
  it('uses the alternate screen, and restores the terminal', () => {
    const { output, terminal } = attached();
    {
      using screen = new Screen(output);
      assert.ok(terminal.isAlternate);
      assert.equal(terminal.isCursorVisible, false);
      screen.draw(['one', 'two']);
      assert.equal(terminal.text, 'one\ntwo');
    }
    assert.equal(terminal.isAlternate, false);
    assert.ok(terminal.isCursorVisible);
    assert.equal(terminal.ordinary, '');
  });

  it('restores the terminal when the process exits', () => {
    const before = process.listeners('exit');
    const { output, terminal } = attached();
    using screen = new Screen(output);
    const [restore] = process.listeners('exit').filter((listener) => !before.includes(listener));
    restore?.call(process, 0);
    assert.equal(terminal.isAlternate, false);
    const { length } = output.text;
    screen.draw(['too late']);
    screen.clear();
    screen[Symbol.dispose]();
    assert.equal(output.text.length, length);
    assert.deepEqual(process.listeners('exit'), before);
  });

  it('writes only changed lines', () => {
    const { output, terminal } = attached();
    using screen = new Screen(output);
    screen.draw(['one', 'two', 'three']);
    const { length } = output.text;
    screen.draw(['one', '2', 'three']);
    assert.equal(output.text.slice(length), '\u001B[2;1H2\u001B[K');
    screen.draw(['one', '2', 'three']);
    assert.equal(output.text.slice(length), '\u001B[2;1H2\u001B[K');
    screen.draw(['one']);
    assert.equal(terminal.text, 'one');
  });

  it('redraws everything after a resize', () => {
    const { output, terminal } = attached();
    using screen = new Screen(output);
    screen.draw(['one', 'two']);
    screen.clear();
    assert.equal(terminal.text, '');
    screen.draw(['one', 'two']);
    assert.equal(terminal.text, 'one\ntwo');
  });
});
