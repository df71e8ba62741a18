import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { LONGEST_REQUESTED_DELAY_MS, requestedDelayMs } from './requested-delay.ts';

describe('requestedDelayMs', () => {
  it('is the delay that the server requests, up to five minutes', () => {
    for (const asked of [1, 1000, LONGEST_REQUESTED_DELAY_MS]) {
      assert.equal(requestedDelayMs(asked), asked);
    }
    for (const asked of [LONGEST_REQUESTED_DELAY_MS + 1, 1e300, Infinity]) {
      assert.equal(requestedDelayMs(asked), LONGEST_REQUESTED_DELAY_MS);
    }
  });

  it('is 0 for what is not a positive number', () => {
    for (const asked of [NaN, -1e9, -Infinity, 0, 'abc', '5', null, undefined, {}, [5]]) {
      assert.equal(requestedDelayMs(asked), 0);
    }
  });
});
