import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { jsonCodec, protobufCodec } from '../codec/codec.ts';
import { encodeProtobuf, watchFrameOf } from '../codec/protobuf.ts';
import { wholeBytesOf } from '../codec/lazy/lazy-fields.ts';
import { readOnlyCodecFor } from '../codec/lazy/read-only-codec.ts';
import { ReadOnlyForm } from '../codec/lazy/read-only-form.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { Indexer } from './indexer.ts';
import { RealFIFO } from './real-fifo.ts';
import { metaNamespaceKeyFunc } from './store.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Pod {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly nodeName: string; readonly containers: readonly object[] };
  readonly status: object;
}

function pod(name: string, version: number, size: number): Pod {
  const containers = Array.from({ length: 1 + (size % 5) }, (_, number) => ({
    name: `container-${number}`,
    image: `image-${version}-${'x'.repeat(size)}`,
    resources: {},
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { version: `v${version}`, filling: 'y'.repeat(size % 50) } },
    spec: { nodeName: `node-${version}`, containers },
    status: {},
  };
}

/** Returns a function that decodes what a watch brings. */
async function decoderOf(
  encoding: 'compressed' | 'json' | 'protobuf',
): Promise<(plain: Pod) => Pod> {
  const form = encoding === 'compressed' ? new ReadOnlyForm({ compress: true }) : undefined;
  await form?.load();
  const isProtobuf = encoding === 'protobuf';
  const codec = readOnlyCodecFor((isProtobuf ? protobufCodec : jsonCodec).mediaType, form);
  const decoder = codec.watchDecoder<Pod>();
  return (plain) => {
    const body = isProtobuf
      ? watchFrameOf('ADDED', encodeProtobuf(plain))
      : Buffer.from(`${JSON.stringify({ type: 'ADDED', object: plain })}\n`);
    decoder.push(body);
    return decoder.next()?.object ?? assert.fail('there is no event');
  };
}

/** What a program keeps of an object, and reads when the store has long replaced it. */
const parts: readonly ((object: Pod) => unknown)[] = [
  (object) => object,
  (object) => object.spec,
  (object) => object.spec.containers,
  (object) => object.metadata.labels,
  (object) => object.metadata,
];

interface Write {
  readonly name: string;
  readonly size: number;
  readonly held: number | null;
}

const names = fc.integer({ min: 0, max: 30 }).map((number) => `pod-${number}`);
const writes: fc.Arbitrary<Write> = fc.record({
  name: names,
  size: fc.integer({ min: 0, max: 9000 }),
  held: fc.option(fc.nat(parts.length - 1)),
});
const steps = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ type: fc.constant('write' as const), write: writes }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('delete' as const), name: names }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('relist' as const),
      writes: fc.array(writes, { maxLength: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('collect' as const) }) },
);

it('what a program holds stays as it was, whatever the store and the collector do', async () => {
  const history = fc.array(steps, { minLength: 100, maxLength: 200, size: 'max' });
  const encodings = fc.constantFrom('json' as const, 'protobuf' as const, 'compressed' as const);
  await fc.assert(
    fc.asyncProperty(history, encodings, async (all, encoding) => {
      const decode = await decoderOf(encoding);
      const store = new Indexer<Pod>({ keyFunc: metaNamespaceKeyFunc });
      const model = new Map<string, Pod>();
      const held: { readonly part: unknown; readonly plain: unknown }[] = [];
      let version = 0;
      const receive = ({ name, size, held: which }: Write): Pod => {
        version += 1;
        const plain = pod(name, version, size);
        const object = decode(plain);
        model.set(name, plain);
        const partOf = which === null ? undefined : parts[which];
        if (partOf !== undefined) held.push({ part: partOf(object), plain: partOf(plain) });
        return object;
      };
      for (const step of all) {
        if (step.type === 'write') store.update(receive(step.write));
        else if (step.type === 'delete') {
          store.deleteByKey(step.name);
          model.delete(step.name);
        } else if (step.type === 'relist') {
          model.clear();
          store.replace(step.writes.map(receive), String(version));
        } else {
          // Memory of collected objects is used again from the next turn on.
          collectGarbage();
          await nextTurn();
        }
      }
      for (const { part, plain } of held) assert.deepEqual(part, plain);
      const stored = new Map(store.list().map((object) => [object.metadata.name, object]));
      assert.deepEqual(stored, model);
    }),
    { numRuns: 15 },
  );
});

it('an object leaves its slab when a transform returns another one, which may have its parts', async () => {
  const decode = await decoderOf('protobuf');
  const queue = new RealFIFO<Pod>({
    keyFunc: metaNamespaceKeyFunc,
    transform: (object) =>
      object.metadata.name === 'same' ? object : { ...object, metadata: { ...object.metadata } },
  });
  const [same, other] = ['same', 'other'].map((name) => decode(pod(name, 1, 100))) as [Pod, Pod];
  queue.add(same);
  queue.replace([other], '1');
  assert.equal(typeof wholeBytesOf(same)?.source, 'object');
  assert.equal(typeof wholeBytesOf(other)?.source, 'string');
  assert.deepEqual(other.spec, pod('other', 1, 100).spec);
});
