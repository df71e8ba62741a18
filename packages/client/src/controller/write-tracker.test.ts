import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { configMaps } from '../api/core/v1.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { SharedInformerFactory } from '../informers/shared-informer-factory.ts';
import { Clientset } from '../kubernetes/clientset.ts';
import { systemClock } from '../lib/clock.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { RESTClient } from '../rest/rest-client.ts';
import type { Result } from '../rest/result.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { CacheView } from './cache-view.ts';
import { OwnVersions } from './own-versions.ts';
import { WriteOverlay } from './write-overlay.ts';
import { WriteTracker } from './write-tracker.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function mapAt(version: number) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'ns', name: 'web', uid: 'u', resourceVersion: String(version) },
    data: { version: String(version) },
  };
}

/** The bytes of an answer, as a socket hands them over: a small part of a large buffer. */
function chunkOf(object: object): Uint8Array {
  const text = Buffer.from(JSON.stringify(object));
  const chunk = Buffer.alloc(64 * 1024).subarray(100, 100 + text.length);
  chunk.set(text);
  return chunk;
}

/** Writes of a map, answered with version 6, and the overlay of a view whose store has version 1. */
function world() {
  const logger = recordingLogger();
  const buffers: WeakRef<ArrayBufferLike>[] = [];
  const transport = new ScriptedTransport(() => {
    const body = chunkOf(mapAt(6));
    buffers.push(new WeakRef(body.buffer));
    return { headers: { 'content-type': 'application/json' }, body };
  });
  const rest = RESTClient.over(transport, { logger });
  const client = new Clientset(rest);
  const { informer } = new SharedInformerFactory(client).forResource(configMaps);
  informer.indexer.replace([], '1');
  const overlay = new WriteOverlay<CachedObject>(informer.indexer, {
    limit: 10,
    isComplete: true,
  });
  const member = {
    namespace: '',
    informer: informer as never,
    overlay,
    client: (namespace: string) => client.resource(configMaps, namespace),
  };
  const view = new CacheView({
    descriptor: configMaps,
    options: {},
    consistency: 'overlay',
    members: [member],
  });
  const tracker = new WriteTracker({
    viewsOf: () => [view],
    ownVersions: new OwnVersions(),
    clock: systemClock,
    logger,
    waitTimeoutMs: 1000,
    onRecorded: () => undefined,
  });
  const observed = rest.with({ onWrite: tracker.observer('') });
  const write = async (): Promise<Result> => {
    const path = '/api/v1/namespaces/ns/configmaps/web';
    return await observed.put().absPath(path).body(mapAt(1)).do();
  };
  return { overlay, logger, buffers, write };
}

describe('a recorded write', () => {
  it('does not change with the bytes of its answer', async () => {
    const { overlay, write } = world();
    const result = await write();
    assert.deepEqual(result.into(), mapAt(6));
    result.raw().fill(0);
    assert.deepEqual(overlay.get('ns/web'), mapAt(6));
    assert.equal(overlay.get('ns/web'), overlay.get('ns/web'), 'decoded once');
  });

  it('does not change with the object that the caller got', async () => {
    const { overlay, write } = world();
    const object = (await write()).into<ReturnType<typeof mapAt>>();
    object.data.version = 'changed';
    assert.deepEqual(overlay.get('ns/web'), mapAt(6));
  });

  it('keeps neither the result nor the buffer of the connection', async () => {
    const { overlay, buffers, write } = world();
    const result = new WeakRef(await write());
    await nextTurn();
    collectGarbage();
    await nextTurn();
    assert.ok(result.deref() === undefined);
    assert.deepEqual(
      buffers.map((buffer) => buffer.deref() === undefined),
      [true],
    );
    assert.deepEqual(overlay.get('ns/web'), mapAt(6));
  });

  it('is not lost if what the view showed before cannot be read', async () => {
    const { overlay, logger, write } = world();
    overlay.put('ns/web', mapAt(5), () => () => {
      throw new Error('damaged');
    });
    await write();
    assert.deepEqual(overlay.get('ns/web'), mapAt(6));
    assert.deepEqual(logger.lines, []);
  });
});
