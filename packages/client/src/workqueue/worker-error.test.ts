import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTerminal, terminal, TerminalError } from './worker-error.ts';

describe('terminal', () => {
  it('keeps the error, and its message', () => {
    const cause = new Error('no');
    const error = terminal(cause);
    assert.ok(error instanceof TerminalError);
    assert.equal(error.name, 'TerminalError');
    assert.equal(error.code, 'WORKQUEUE_TERMINAL');
    assert.equal(error.message, 'no');
    assert.equal(error.cause, cause);
    assert.equal(terminal('a text').message, 'a text');
  });

  it('is found through other errors', () => {
    assert.equal(isTerminal(new Error('outer', { cause: terminal('inner') })), true);
    assert.equal(isTerminal(new Error('outer', { cause: new Error('inner') })), false);
    assert.equal(isTerminal(undefined), false);
  });
});
