import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { EventBroadcaster } from './event-broadcaster.ts';
import { EventsV1Broadcaster } from './events-v1-broadcaster.ts';

function names(option: string): (error: unknown) => boolean {
  return (error) => error instanceof OptionError && error.option === option;
}

describe('invalid numbers in options', () => {
  it('are rejected by broadcasters', async () => {
    for (const option of ['maxQueuedEvents', 'maxTries', 'retryDelayMs']) {
      assert.throws(() => new EventBroadcaster({ [option]: NaN }), names(option));
      assert.throws(() => new EventsV1Broadcaster({ [option]: -1 }), names(option));
    }
    await using broadcaster = new EventBroadcaster();
    await assert.rejects(broadcaster.shutdown({ timeoutMs: NaN }), names('timeoutMs'));
  });

  it('are rejected by the correlator and the series', () => {
    for (const option of ['lruCacheSize', 'maxEvents', 'maxIntervalMs', 'burstSize', 'qps']) {
      const correlator = { [option]: NaN };
      assert.throws(() => new EventBroadcaster({ correlator }), names(option));
    }
    for (const option of ['finishTimeMs', 'refreshTimeMs', 'cacheSize']) {
      assert.throws(() => new EventsV1Broadcaster({ series: { [option]: NaN } }), names(option));
    }
  });
});
