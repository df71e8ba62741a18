import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { recordingLogger } from '../lib/test-logger.ts';
import { newForbidden, newResourceExpired } from '../meta/error-factories.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { TransportError } from '../transport/transport-error.ts';
import { listAt, objectAt, ScriptedClient } from './test-watch.ts';
import type { WatchAllOptions } from './options.ts';
import { watchAll } from './watch-all.ts';

const random = { next: () => 0, uuid: () => '' };
const reset = new TransportError('TRANSPORT_CONNECTION_RESET', 'gone');
const tooOld = newResourceExpired('too old');

/** Reads until `count` events have arrived or the events end; time advances by itself. */
async function read(client: ScriptedClient, count: number, options: WatchAllOptions = {}) {
  const clock = new VirtualClock();
  const logger = recordingLogger();
  const events: string[] = [];
  const state: { error?: unknown; isOver: boolean } = { isOver: false };
  const reading = (async () => {
    const all = watchAll<KubernetesObject>(client, { clock, random, logger, ...options });
    for await (const event of all) {
      events.push(
        event.type === 'init'
          ? `init ${event.objects.length} at ${event.resourceVersion}`
          : `${event.type} ${event.object.metadata.resourceVersion}`,
      );
      if (events.length === count) break;
    }
  })();
  reading.catch((error: unknown) => (state.error = error)).finally(() => (state.isOver = true));
  while (!state.isOver) await clock.advance(500);
  assert.equal(client.open, 0);
  assert.equal(clock.pending, 0);
  return { events, error: state.error, lines: logger.lines };
}

describe('watchAll', () => {
  it('begins with all objects, then sends each change', async () => {
    const client = new ScriptedClient(
      [
        {
          events: [
            { type: 'ADDED', object: objectAt(6) },
            { type: 'MODIFIED', object: objectAt(7) },
            { type: 'DELETED', object: objectAt(8) },
          ],
        },
      ],
      [listAt(5, objectAt(3))],
    );
    const { events } = await read(client, 4, { labelSelector: 'app=web' });
    assert.deepEqual(events, ['init 1 at 5', 'applied 6', 'applied 7', 'deleted 8']);
    assert.equal(client.lists[0]?.labelSelector, 'app=web');
    assert.equal(client.lists[0]?.limit, 500);
    assert.equal(client.watches[0]?.labelSelector, 'app=web');
  });

  it('resumes a broken watch without a list', async () => {
    const client = new ScriptedClient(
      [
        { events: [{ type: 'ADDED', object: objectAt(6) }], ending: reset },
        { events: [{ type: 'DELETED', object: objectAt(7) }] },
      ],
      [listAt(5)],
    );
    const told: unknown[] = [];
    const { events } = await read(client, 3, { onRetry: (error) => told.push(error) });
    assert.deepEqual(events, ['init 0 at 5', 'applied 6', 'deleted 7']);
    assert.deepEqual([client.lists.length, client.watches[1]?.resourceVersion], [1, '6']);
    assert.deepEqual(told, [reset]);
  });

  it('lists again when its version has expired', async () => {
    const client = new ScriptedClient(
      [{ ending: tooOld }, { ending: tooOld }, {}],
      [listAt(5, objectAt(3)), listAt(9), listAt(11)],
    );
    const { events, lines } = await read(client, 3);
    assert.deepEqual(events, ['init 1 at 5', 'init 0 at 9', 'init 0 at 11']);
    assert.match(lines[0] ?? '', /^warn the watch of objects fails, next attempt in 2\.0 s/);
  });

  it('retries a list that fails, and ends with a refusal', async () => {
    const forbidden = newForbidden({ group: '', resource: 'pods' }, '', 'no');
    const down = new ScriptedClient([{ ending: forbidden }], [reset, reset, listAt(5)]);
    const { events, error } = await read(down, 9);
    assert.deepEqual(events, ['init 0 at 5']);
    assert.equal(error, forbidden);
    assert.equal(down.lists.length, 3);
    assert.equal((await read(new ScriptedClient([], [forbidden]), 9)).error, forbidden);
  });

  it('ends without an error on abort, within a watch and between two attempts', async () => {
    for (const client of [new ScriptedClient([{}], [listAt(5)]), new ScriptedClient([], [reset])]) {
      const stop = new AbortController();
      const clock = new VirtualClock();
      const logger = recordingLogger();
      const options = { clock, random, logger, signal: stop.signal };
      const reading = (async () => {
        let count = 0;
        for await (const _event of watchAll<KubernetesObject>(client, options)) count += 1;
        return count;
      })();
      await clock.advance(10);
      stop.abort();
      assert.ok((await reading) <= 1);
      assert.equal(clock.pending, 0);
      assert.equal(client.lists.length, 1);
    }
  });
});
