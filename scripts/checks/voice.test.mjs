import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findTellTales } from './voice.mjs';

describe('findTellTales', () => {
  it('names the line, the word and what to write', () => {
    const text = '/** Returns the key. */\n// Nobody reads it anew.\n';
    assert.deepEqual(findTellTales('a.ts', text), [
      'a.ts:2: "Nobody": write name the reader, caller, handler …',
      'a.ts:2: "anew": write again',
    ]);
  });

  it('accepts words that only contain one', () => {
    assert.deepEqual(findTellTales('a.ts', 'const renewal = canewals; // manewer\n'), []);
  });
});
