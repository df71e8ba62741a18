import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Codec, jsonCodec, protobufCodec } from '../codec/codec.ts';
import { wholeBytesOf } from '../codec/lazy/lazy-fields.ts';
import { PackedBytes } from '../codec/lazy/packed-bytes.ts';
import { readOnlyCodecFor } from '../codec/lazy/read-only-codec.ts';
import { ReadOnlyForm } from '../codec/lazy/read-only-form.ts';
import { indexFuncOf } from './key-index.ts';
import type { ListedEvent, ListerWatcher } from './list-watch.ts';
import { Mailbox } from '../lib/mailbox.ts';
import { onAbort } from '../lib/signal.ts';
import { metaNamespaceKeyFunc, versionOf } from './store.ts';
import { TestInformer } from './test-informer.ts';
import type { TestObject } from './test-objects.ts';

const objects = 5;

function pod(number: number, version: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${number}`,
      namespace: 'default',
      uid: `uid-${number}`,
      resourceVersion: String(version),
      labels: { app: `app-${number}` },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Job', name: 'x', uid: `job-${number}` }],
    },
    spec: {
      nodeName: `node-${version % 3}`,
      containers: [{ name: 'main', image: `image-${'x'.repeat(500)}` }],
    },
  };
}

/** A server that sends compressed objects, as a `ListWatch` with `compress` returns them. */
class CompressedSource implements ListerWatcher<TestObject> {
  readonly supportsWatchList = false;
  readonly #codec: Codec;
  readonly #form: ReadOnlyForm;
  readonly #chunks = new Mailbox<Uint8Array>();

  constructor(codec: Codec, form: ReadOnlyForm) {
    this.#codec = codec;
    this.#form = form;
  }

  /** Sends events in one chunk. */
  send(type: string, pods: readonly object[]): void {
    const frames = pods.map((object) => this.#codec.encodeWatchEvent({ type, object }));
    this.#chunks.offer(Buffer.concat(frames));
  }

  list(): ReturnType<ListerWatcher<TestObject>['list']> {
    const items = Array.from({ length: objects }, (_, number) => pod(number, number + 1));
    const metadata = { resourceVersion: '10' };
    const bytes = this.#codec.encode({ apiVersion: 'v1', kind: 'PodList', metadata, items });
    return readOnlyCodecFor(this.#codec.mediaType, this.#form).decodeList(bytes);
  }

  async watch({
    signal,
  }: Parameters<ListerWatcher<TestObject>['watch']>[0]): Promise<
    AsyncIterable<ListedEvent<TestObject>>
  > {
    onAbort(signal, () => this.#chunks[Symbol.dispose]());
    const decoder = readOnlyCodecFor(this.#codec.mediaType, this.#form).watchDecoder<TestObject>();
    const chunks = this.#chunks;
    return (async function* () {
      for await (const chunk of chunks) {
        decoder.push(chunk);
        for (let event = decoder.next(); event !== undefined; event = decoder.next()) {
          yield event as ListedEvent<TestObject>;
        }
      }
    })();
  }
}

describe('a cache of compressed objects', () => {
  for (const [format, codec] of Object.entries({ JSON: jsonCodec, protobuf: protobufCodec })) {
    for (const together of [1, 10]) {
      it(`never decompresses an object because it changes: ${format}, ${together} at a time`, async (t) => {
        const form = new ReadOnlyForm({ compress: true });
        await form.load();
        const source = new CompressedSource(codec, form);
        const test = new TestInformer({
          listerWatcher: source,
          indexers: {
            node: indexFuncOf('node', 'spec.nodeName'),
            app: 'metadata.labels.app',
            owner: 'metadata.ownerReferences[*].uid',
          },
        });
        const keys: string[] = [];
        const versions: (string | undefined)[] = [];
        let deleted = 0;
        test.informer.addEventHandler({
          onUpdate: (oldObject, newObject) => {
            keys.push(metaNamespaceKeyFunc(newObject));
            // As queues with priorities do, to recognize resyncs.
            versions.push(versionOf(oldObject), versionOf(newObject));
          },
          onDelete: () => void (deleted += 1),
        });
        await test.start();
        const first = test.informer.indexer.list();
        assert.equal(first.length, objects);
        for (const object of first) assert.ok(wholeBytesOf(object)?.source instanceof PackedBytes);

        const unpack = t.mock.method(PackedBytes.prototype, 'unpack');
        const changes = Array.from({ length: 40 }, (_, n) => pod(n % objects, 11 + n));
        for (let from = 0; from < changes.length; from += together) {
          source.send('MODIFIED', changes.slice(from, from + together));
          await test.settle();
        }
        assert.equal(keys.length, changes.length);
        assert.deepEqual(versions.slice(-2), ['45', '50']);
        source.send('DELETED', [pod(0, 60)]);
        await test.settle();
        assert.equal(deleted, 1);
        assert.equal(unpack.mock.callCount(), 0);
        assert.equal(test.informer.indexer.countByIndex('node' as never, 'node-1'), 1);
        await test.stop();
      });
    }
  }
});
