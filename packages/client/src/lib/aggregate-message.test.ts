import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregateMessage } from './aggregate-message.ts';

describe('aggregateMessage', () => {
  it('brackets several messages and lists equal ones once', () => {
    assert.equal(aggregateMessage([]), '');
    assert.equal(aggregateMessage(['a']), 'a');
    assert.equal(aggregateMessage(['a', 'a']), 'a');
    assert.equal(aggregateMessage(['b', 'a', 'b']), '[b, a]');
  });
});
