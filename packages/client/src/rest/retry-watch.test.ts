import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  newForbidden,
  newInternalError,
  newResourceExpired,
  newTooManyRequests,
  newUnauthorized,
} from '../meta/error-factories.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { Stored } from './object-types.ts';
import type { RetryWatchOptions } from './options.ts';
import { retryWatch } from './retry-watch.ts';
import { objectAt, ScriptedClient, type WatchScript } from './test-watch.ts';
import type { AnyWatchEvent } from './watch.ts';

type Event = AnyWatchEvent<Stored<KubernetesObject>>;

const random = { next: () => 0, uuid: () => '' };

function change(version: number): Event {
  return { type: 'MODIFIED', object: objectAt(version) };
}

function bookmark(version: number): Event {
  return { type: 'BOOKMARK', object: objectAt(version) };
}

const reset = new TransportError('TRANSPORT_CONNECTION_RESET', 'gone');

/** Follows the scripts until `count` events have arrived or the watch ends; time advances by itself. */
async function follow(
  watches: readonly WatchScript[],
  count: number,
  options: Partial<RetryWatchOptions> = {},
) {
  const clock = new VirtualClock();
  const client = new ScriptedClient(watches);
  const quiet = { logger: recordingLogger() };
  const startedAt: number[] = [];
  const watch: ScriptedClient['watch'] = (asked) => {
    startedAt.push(clock.monotonic());
    return client.watch(asked);
  };
  const versions: string[] = [];
  const state: { error?: unknown; isOver: boolean } = { isOver: false };
  const reading = (async () => {
    const events = retryWatch<KubernetesObject>(
      { watch },
      { resourceVersion: '10', clock, random, ...quiet, ...options },
    );
    for await (const { object } of events) {
      versions.push(object.metadata.resourceVersion);
      if (versions.length === count) break;
    }
  })();
  reading.then(
    () => (state.isOver = true),
    (error: unknown) => Object.assign(state, { error, isOver: true }),
  );
  await clock.advance(0);
  while (!state.isOver) await clock.advance(100);
  assert.equal(client.open, 0);
  assert.equal(clock.pending, 0);
  const resumedFrom = client.watches.map(({ resourceVersion }) => resourceVersion);
  return { versions, error: state.error, resumedFrom, startedAt, asked: client.watches };
}

describe('retryWatch', () => {
  it('resumes from the last event when a watch ends', async () => {
    const { versions, resumedFrom } = await follow(
      [
        { events: [change(11), change(12)], ending: 'end' },
        { events: [change(13)], ending: reset },
        { events: [change(14)] },
      ],
      4,
    );
    assert.deepEqual(versions, ['11', '12', '13', '14']);
    assert.deepEqual(resumedFrom, ['10', '12', '13']);
  });

  it('resumes from the last bookmark, which it does not deliver', async () => {
    const { versions, resumedFrom, asked } = await follow(
      [{ events: [change(11), bookmark(90)], ending: 'end' }, { events: [change(91)] }],
      2,
    );
    assert.deepEqual(versions, ['11', '91']);
    assert.deepEqual(resumedFrom, ['10', '90']);
    assert.equal(asked[0]?.allowWatchBookmarks, true);
  });

  it('does not deliver the event again that it resumes from', async () => {
    const { versions, resumedFrom } = await follow(
      [
        { events: [change(10), change(11)], ending: reset },
        { events: [change(11), bookmark(11), change(100), change(101)] },
      ],
      3,
    );
    assert.deepEqual(versions, ['11', '100', '101']);
    assert.deepEqual(resumedFrom, ['10', '11']);
  });

  it('follows a server that was restored from a backup to lower versions', async () => {
    const { versions, resumedFrom } = await follow(
      [
        { events: [change(90)], ending: reset },
        { events: [change(12), change(13)], ending: reset },
        { events: [bookmark(14)], ending: reset },
        { events: [change(15)] },
      ],
      4,
    );
    assert.deepEqual(versions, ['90', '12', '13', '15']);
    assert.deepEqual(resumedFrom, ['10', '90', '13', '14']);
  });

  it('delivers an object of another cluster that has the same version', async () => {
    const { metadata, ...rest } = objectAt(11);
    const object = { ...rest, metadata: { ...metadata, uid: 'other' } };
    const { versions } = await follow(
      [
        { events: [change(11)], ending: reset },
        { events: [{ type: 'ADDED', object }, change(12)] },
      ],
      3,
    );
    assert.deepEqual(versions, ['11', '11', '12']);
  });

  it('waits at least its back-off, even if the server requests an invalid delay', async () => {
    for (const asked of ['abc', -1e9, NaN, Infinity]) {
      const busy = newTooManyRequests('busy', asked as number);
      const { startedAt } = await follow(
        [{ ending: busy }, { ending: busy }, { events: [change(11)] }],
        1,
      );
      const capMs = asked === Infinity ? 300_000 : 0;
      assert.deepEqual(startedAt, [0, 1000 + capMs, 3000 + 2 * capMs], String(asked));
    }
  });

  it('passes selectors and the timeout on', async () => {
    const { asked } = await follow([{ events: [change(11)] }], 1, {
      labelSelector: 'app=web',
      fieldSelector: 'metadata.name=web',
      timeoutSeconds: 60,
    });
    const { labelSelector, fieldSelector, timeoutSeconds } = asked[0] ?? {};
    assert.deepEqual(
      [labelSelector, fieldSelector, timeoutSeconds],
      ['app=web', 'metadata.name=web', 60],
    );
  });

  it('starts watches at least a second apart when they end immediately', async () => {
    const { startedAt } = await follow(
      [{ ending: 'end' }, { ending: 'end' }, { events: [change(11)] }],
      1,
    );
    assert.deepEqual(startedAt, [0, 1000, 2000]);
  });

  it('backs off exponentially while it fails, and resets when events arrive', async () => {
    const { startedAt } = await follow(
      [
        { ending: reset },
        { ending: reset },
        { ending: newInternalError('broken') },
        { events: [change(11)], ending: reset },
        { events: [change(12)] },
      ],
      2,
    );
    assert.deepEqual(startedAt, [0, 1000, 3000, 7000, 8000]);
  });

  it('waits as long as the server requests, and reports it', async () => {
    const told: [unknown, number][] = [];
    const busy = newTooManyRequests('busy', 5);
    const { startedAt } = await follow([{ ending: busy }, { events: [change(11)] }], 1, {
      onRetry: (error, delayMs) => told.push([error, delayMs]),
    });
    assert.deepEqual(startedAt, [0, 6000]);
    assert.deepEqual(told, [[busy, 6000]]);
  });

  it('logs a warning when it starts to fail and one when events arrive again', async () => {
    const logger = recordingLogger();
    await follow(
      [
        { ending: reset },
        { ending: newInternalError('broken') },
        { events: [change(11)], ending: 'end' },
        { events: [change(12)] },
      ],
      2,
      { logger },
    );
    assert.deepEqual(
      logger.lines.map((line) => line.replace(/:.*/, '')),
      [
        'warn the watch of objects fails, next attempt in 1.0 s',
        'debug the watch of objects fails, next attempt in 2.0 s',
        'warn the watch of objects works again',
      ],
    );
  });

  it('rejects when the resourceVersion has expired', async () => {
    const tooOld = newResourceExpired('too old resource version: 11 (90)');
    const { versions, error } = await follow(
      [{ events: [change(11)], ending: reset }, { ending: tooOld }],
      9,
    );
    assert.deepEqual(versions, ['11']);
    assert.equal(error, tooOld);
  });

  it('rejects on errors that a retry cannot fix', async () => {
    for (const refusal of [
      newUnauthorized(),
      newForbidden({ group: '', resource: 'pods' }, '', 'no'),
      new TransportError('TRANSPORT_CLOSED', 'closed'),
      new TransportError('TRANSPORT_TLS_UNTRUSTED', 'self-signed certificate'),
    ]) {
      const { error, startedAt } = await follow([{ ending: refusal }], 1);
      assert.equal(error, refusal);
      assert.equal(startedAt.length, 1);
    }
  });

  it('rejects when there is no resourceVersion to resume from', async () => {
    const versionless: Event = { type: 'ADDED', object: objectAt('') };
    const { error } = await follow([{ events: [change(11), versionless] }], 9);
    assert.equal((error as { code?: string }).code, 'REST_WATCH_EVENT_INVALID');
    for (const resourceVersion of ['', '0']) {
      assert.throws(() => retryWatch(new ScriptedClient([]), { resourceVersion }), {
        code: 'REST_REQUEST_INVALID',
      });
    }
  });

  it('ends without an error on abort, within a watch and between two', async () => {
    for (const script of [{ events: [change(11)] }, { events: [change(11)], ending: reset }]) {
      const stop = new AbortController();
      const clock = new VirtualClock();
      const client = new ScriptedClient([script]);
      const logger = recordingLogger();
      const options = { resourceVersion: '10', clock, random, logger, signal: stop.signal };
      const events = retryWatch<KubernetesObject>(client, options);
      await events.next();
      const rest = events.next();
      await clock.advance(500);
      stop.abort();
      assert.deepEqual(await rest, { done: true, value: undefined });
      assert.equal(client.open, 0);
      assert.equal(clock.pending, 0);
      assert.equal(client.watches.length, 1);
    }
  });
});
