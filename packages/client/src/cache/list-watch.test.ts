import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordingLogger } from '../lib/test-logger.ts';
import { type ListableResource, type ListedEvent, ListWatch } from './list-watch.ts';
import { failures } from './test-failures.ts';
import { type TestObject, testObject } from './test-objects.ts';

interface Selection {
  readonly labelSelector?: string;
}

function makeResource(openError?: Error) {
  const requests: object[] = [];
  const resource: ListableResource<TestObject, Selection> = {
    list: async (options) => {
      requests.push(options);
      return { items: [testObject('a', '1')] };
    },
    watch: (options) => {
      requests.push(options);
      return {
        open: async () => {
          if (openError !== undefined) throw openError;
        },
        async *[Symbol.asyncIterator](): AsyncGenerator<ListedEvent<TestObject>> {
          yield { type: 'ADDED', object: testObject('b', '2') };
        },
      };
    },
  };
  return { resource, requests };
}

const { signal } = new AbortController();
const watchRequest = { allowWatchBookmarks: true, timeoutSeconds: 300, signal } as const;

describe('ListWatch', () => {
  it('adds its selection to every request', async () => {
    const { resource, requests } = makeResource();
    const selection = { labelSelector: 'app=web' };
    const listWatch = new ListWatch(resource, { selection });
    const { items } = await listWatch.list({ limit: 5 });
    assert.deepEqual(items, [testObject('a', '1')]);
    await listWatch.watch(watchRequest);
    assert.deepEqual(requests, [
      { labelSelector: 'app=web', readOnly: true, limit: 5 },
      { labelSelector: 'app=web', readOnly: true, errorEvents: true, ...watchRequest },
    ]);
  });

  it('can ask for plain objects', async () => {
    const { resource, requests } = makeResource();
    await new ListWatch(resource, { readOnly: false }).list({});
    assert.deepEqual(requests, [{ readOnly: false }]);
  });

  it('gives the events once the server has accepted the watch', async () => {
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

  it('can say that the server does not stream lists', () => {
    const { resource } = makeResource();
    assert.equal(new ListWatch(resource).supportsWatchList, true);
    assert.equal(new ListWatch(resource, { supportsWatchList: false }).supportsWatchList, false);
  });
});
