import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { TestOutput } from '../frame/test-context.ts';
import { Screen, showLines, type ViewModel, showScreen } from './show.ts';
import type { WarningLine } from './state.ts';
import { demoState } from './test-state.ts';
import { TestTerminal } from './test-terminal.ts';

class Trial {
  readonly clock = new VirtualClock();
  readonly stop = new AbortController();
  readonly lines: string[] = [];
  readonly warnings: WarningLine[] = [];
  readonly stdout: TestOutput;
  state = demoState();
  readonly view: ViewModel = {
    state: () => this.state,
    takeWarnings: () => this.warnings.splice(0),
  };

  constructor(isTTY: boolean) {
    this.stdout = new TestOutput({ isTTY });
  }

  readonly out = (line: string): void => void this.lines.push(line);
}

describe('showScreen', () => {
  it('draws four times a second, and restores the terminal at the end', async () => {
    const trial = new Trial(true);
    const terminal = new TestTerminal(100, 30);
    trial.stdout.columns = 100;
    trial.stdout.rows = 30;
    trial.stdout.write = (text) => terminal.write(String(text));
    const showing = showScreen(trial.view, trial, trial.stop.signal);
    await nextTurn();
    assert.match(terminal.text, /^client-ts {2}simulated cluster .* 00:01:23\n/);
    assert.ok(terminal.hadColors);
    trial.state = demoState({ elapsedMs: 84_000 });
    await trial.clock.advance(249);
    assert.match(terminal.text, /00:01:23\n/);
    await trial.clock.advance(1);
    assert.match(terminal.text, /00:01:24\n/);
    trial.stop.abort();
    await showing;
    assert.equal(terminal.isAlternate, false);
    assert.equal(trial.clock.pending, 0);
  });

  it('redraws immediately on resize', async () => {
    const trial = new Trial(true);
    let terminal = new TestTerminal(80, 24);
    trial.stdout.write = (text) => terminal.write(String(text));
    const showing = showScreen(trial.view, trial, trial.stop.signal);
    await nextTurn();
    terminal = new TestTerminal(60, 12);
    terminal.isAlternate = true;
    trial.stdout.resize(60, 12);
    assert.match(terminal.text, /^client-ts/);
    assert.ok(terminal.lines.length <= 12);
    trial.stop.abort();
    await showing;
    trial.stdout.resize(80, 24);
    assert.equal(terminal.isAlternate, false);
  });

  it('shows nothing when already aborted', async () => {
    const trial = new Trial(true);
    trial.stop.abort();
    await showScreen(trial.view, trial, trial.stop.signal);
    assert.equal(trial.clock.pending, 0);
  });
});

describe('showLines', () => {
  it('prints a line every five seconds, and warnings as they occur', async () => {
    const trial = new Trial(false);
    const showing = showLines(trial.view, trial, trial.stop.signal);
    await trial.clock.advance(4999);
    assert.equal(trial.lines.length, 0);
    await trial.clock.advance(1);
    assert.equal(trial.lines.length, 1);
    assert.match(trial.lines[0] ?? '', /^00:01:23 pods: 14 running/);
    trial.warnings.push(...trial.state.warnings);
    await trial.clock.advance(1000);
    assert.deepEqual(
      trial.lines.slice(1).map((line) => line.split(':')[0]),
      ['Warning BackOff pod/web-abc-12345', 'Warning FailedScheduling pod/api-abc-54321'],
    );
    await trial.clock.advance(4000);
    assert.equal(trial.lines.length, 4);
    assert.equal(trial.stdout.text, '');
    trial.stop.abort();
    await showing;
    assert.equal(trial.clock.pending, 0);
  });
});

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
