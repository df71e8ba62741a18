import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTerminal, requeueAfter, terminal, TerminalError } from './reconcile.ts';

describe('requeueAfter', () => {
  for (const delay of [-1, NaN, Infinity]) {
    it(`rejects ${delay}`, () => {
      assert.throws(() => requeueAfter(delay), { code: 'OPTION_INVALID' });
    });
  }

  it('returns a frozen value', () => {
    assert.deepEqual(requeueAfter(0), { type: 'requeue-after', afterMs: 0 });
    assert.ok(Object.isFrozen(requeueAfter(1)));
  });
});

describe('terminal', () => {
  it('keeps the error as cause, and its message', () => {
    const cause = new Error('no');
    const error = terminal(cause);
    assert.ok(error instanceof TerminalError);
    assert.equal(error.name, 'TerminalError');
    assert.equal(error.code, 'WORKQUEUE_TERMINAL');
    assert.equal(error.message, 'no');
    assert.equal(error.cause, cause);
    assert.equal(terminal('text').message, 'text');
  });

  it('is found as the cause of other errors', () => {
    assert.equal(isTerminal(new Error('outer', { cause: terminal('inner') })), true);
    assert.equal(isTerminal(new Error('outer', { cause: new Error('inner') })), false);
    assert.equal(isTerminal(undefined), false);
  });
});
