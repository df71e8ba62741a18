import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OpenWatch } from './open-watch.ts';
import { type TestObject, testObject } from './test-objects.ts';
import type { ListedEvent } from './list-watch.ts';

const request = { allowWatchBookmarks: true, timeoutSeconds: 300 } as const;

async function makeWatch() {
  let isReturned = false;
  let given: AbortSignal | undefined;
  async function* events(): AsyncGenerator<ListedEvent<TestObject>> {
    try {
      yield { type: 'ADDED', object: testObject('a', '1') };
      yield { type: 'ADDED', object: testObject('b', '2') };
    } finally {
      isReturned = true;
    }
  }
  const outer = new AbortController();
  const watch = new OpenWatch<TestObject>(0, outer.signal);
  const open = async ({ signal }: { readonly signal: AbortSignal }) => {
    given = signal;
    return events();
  };
  await watch.open({ watch: open }, request);
  return { watch, outer, given, isReturned: () => isReturned };
}

describe('OpenWatch', () => {
  it('gives events one by one, then undefined', async () => {
    const { watch } = await makeWatch();
    assert.deepEqual((await watch.next())?.object, testObject('a', '1'));
    assert.deepEqual((await watch.next())?.object, testObject('b', '2'));
    assert.equal(await watch.next(), undefined);
    await watch[Symbol.asyncDispose]();
  });

  it('frees what gives the events, and waits until it is free', async () => {
    const { watch, isReturned, given } = await makeWatch();
    await watch.next();
    await watch[Symbol.asyncDispose]();
    assert.ok(isReturned());
    assert.ok(given?.aborted);
  });

  it('gives nothing more after it was closed, or its signal has aborted', async () => {
    const closed = await makeWatch();
    closed.watch.close();
    assert.equal(await closed.watch.next(), undefined);
    const aborted = await makeWatch();
    aborted.outer.abort();
    assert.ok(aborted.watch.isClosed);
    assert.equal(await aborted.watch.next(), undefined);
  });
});
