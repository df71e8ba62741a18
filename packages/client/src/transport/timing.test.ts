import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { timingOf } from './timing.ts';

describe('timingOf', () => {
  it('has the numbers of client-go unless told otherwise', () => {
    assert.deepEqual(timingOf({}, {}), {
      connectMs: 30_000,
      handshakeMs: 10_000,
      roomMs: 30_000,
      idleMs: 90_000,
      readIdleMs: 30_000,
      pingMs: 15_000,
      fileMaxAgeMs: 1000,
      fileCheckMs: 300_000,
      tokenMaxAgeMs: 50_000,
    });
  });

  it('knows the variables of client-go, below what is given', () => {
    const environment = {
      HTTP2_READ_IDLE_TIMEOUT_SECONDS: '0',
      HTTP2_PING_TIMEOUT_SECONDS: '5',
    };
    const { readIdleMs, pingMs } = timingOf({ pingMs: 1 }, environment);
    assert.deepEqual({ readIdleMs, pingMs }, { readIdleMs: 0, pingMs: 1 });
    assert.equal(timingOf({}, environment).pingMs, 5000);
    assert.equal(timingOf({}, { HTTP2_PING_TIMEOUT_SECONDS: 'soon' }).pingMs, 15_000);
  });
});
