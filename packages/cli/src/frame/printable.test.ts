import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  isPrintable,
  printable,
  printableJson,
  printableLines,
  writeExactly,
} from './printable.ts';
import { TestOutput } from './test-context.ts';

const esc = '\u001B';
/** Sequences that authors of events, CRDs and servers could use. */
const hostile = `${esc}[31m ${esc}]0;title\u0007 \b\b \u009B2J \u0085 \u007F \u202Eabc\u202C \u2066x\u2069 \u061C \uFEFF \u2028 \u{E0041}`;

describe('printable', () => {
  it('escapes what a terminal would interpret', () => {
    assert.equal(
      printable(hostile),
      String.raw`^[[31m ^[]0;title^G ^H^H \u009b2J \u0085 ^? \u202eabc\u202c \u2066x\u2069 \u061c \ufeff \u2028 \udb40\udc41`,
    );
    assert.equal(printable('one\r\n\ttwo'), String.raw`one\r\n\ttwo`);
    assert.equal(isPrintable(hostile), false);
  });

  it('leaves other text unchanged', () => {
    const text = 'schön 日本 नमस्ते 👩‍👩‍👧 می‌خواهم "quoted" \\ <b>';
    assert.equal(printable(text), text);
    assert.equal(isPrintable(text), true);
  });

  it('keeps lines and tabs in multi-line text', () => {
    assert.equal(printableLines(`one\n\t${esc}two\r\n`), 'one\n\t^[two\\r\n');
  });

  it('keeps the value of JSON', () => {
    const json = printableJson(JSON.stringify({ hostile }));
    assert.ok(isPrintable(json));
    assert.deepEqual(JSON.parse(json), { hostile });
  });

  it('is applied on terminals only', () => {
    const [terminal, pipe] = [new TestOutput({ isTTY: true }), new TestOutput()];
    for (const output of [terminal, pipe]) writeExactly(output, `${esc}[1m\n`);
    assert.equal(terminal.text, '^[[1m\n');
    assert.equal(pipe.text, `${esc}[1m\n`);
  });
});
