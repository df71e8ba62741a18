import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReadOnlyCodecs } from '../codec/lazy/read-only-codec.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Cached } from '../rest/object-types.ts';
import { type ListableResource, type ListedEvent, ListWatch } from './list-watch.ts';
import { failures } from './test-failures.ts';
import { testObject } from './test-objects.ts';

type StoredObject = Cached<KubernetesObject>;

const a = testObject('a', '1') as StoredObject;
const b = testObject('b', '2') as StoredObject;

function makeResource(openError?: Error) {
  const requests: object[] = [];
  const resource: ListableResource<KubernetesObject> = {
    list: async (options) => {
      requests.push(options);
      return { items: [a] };
    },
    watch: (options) => {
      requests.push(options);
      return {
        open: async () => {
          if (openError !== undefined) throw openError;
        },
        async *[Symbol.asyncIterator](): AsyncGenerator<ListedEvent<StoredObject>> {
          yield { type: 'ADDED', object: b };
        },
      };
    },
  };
  return { resource, requests };
}

const { signal } = new AbortController();
const watchRequest = { allowWatchBookmarks: true, timeoutSeconds: 300, signal } as const;

describe('ListWatch', () => {
  it('adds its selectors to every request', async () => {
    const { resource, requests } = makeResource();
    const listWatch = new ListWatch(resource, { labelSelector: 'app=web' });
    const { items } = await listWatch.list({ limit: 5 });
    assert.deepEqual(items, [a]);
    await listWatch.watch(watchRequest);
    const readOnly = new ReadOnlyCodecs();
    assert.deepEqual(requests, [
      { labelSelector: 'app=web', readOnly, limit: 5 },
      { labelSelector: 'app=web', readOnly, errorEvents: true, ...watchRequest },
    ]);
  });

  it('requests plain objects with readOnly: false', async () => {
    const { resource, requests } = makeResource();
    await new ListWatch(resource, { readOnly: false }).list({});
    assert.deepEqual(requests, [{ readOnly: false }]);
  });

  it('returns the events when the server has accepted the watch', async () => {
    const { resource } = makeResource();
    const seen: string[] = [];
    for await (const { type } of await new ListWatch(resource).watch(watchRequest)) seen.push(type);
    assert.deepEqual(seen, ['ADDED']);
    const refused = new ListWatch(makeResource(failures.denied).resource);
    await assert.rejects(refused.watch(watchRequest), (error) => error === failures.denied);
  });

  it('has the server and the logger of its resource', () => {
    const { resource } = makeResource();
    const logger = recordingLogger();
    const listWatch = new ListWatch({ ...resource, server: 'https://one', logger });
    assert.equal(listWatch.server, 'https://one');
    assert.equal(listWatch.logger, logger);
  });

  it('supports watch lists by default', () => {
    const { resource } = makeResource();
    assert.equal(new ListWatch(resource).supportsWatchList, true);
    assert.equal(new ListWatch(resource, { supportsWatchList: false }).supportsWatchList, false);
  });
});
