import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { EventBroadcaster } from './event-broadcaster.ts';
import { EventsV1Broadcaster } from './events-v1-broadcaster.ts';

function refuses(option: string): (error: unknown) => boolean {
  return (error) => error instanceof OptionError && error.option === option;
}

describe('numbers of options', () => {
  it('are refused by broadcasters', async () => {
    for (const option of ['maxQueuedEvents', 'maxTries', 'retryDelayMs']) {
      assert.throws(() => new EventBroadcaster({ [option]: NaN }), refuses(option));
      assert.throws(() => new EventsV1Broadcaster({ [option]: -1 }), refuses(option));
    }
    await using broadcaster = new EventBroadcaster();
    await assert.rejects(broadcaster.shutdown({ timeout: NaN }), refuses('timeout'));
  });

  it('are refused by what puts events together', () => {
    for (const option of ['lruCacheSize', 'maxEvents', 'maxIntervalMs', 'burst', 'qps']) {
      const correlator = { [option]: NaN };
      assert.throws(() => new EventBroadcaster({ correlator }), refuses(option));
    }
    for (const option of ['finishTimeMs', 'refreshTimeMs', 'cacheSize']) {
      assert.throws(() => new EventsV1Broadcaster({ series: { [option]: NaN } }), refuses(option));
    }
  });
});
