import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../lib/json.ts';
import { identityOf } from '../../meta/object.ts';
import { projectedPaths } from '../../meta/projection.ts';
import { CodecError } from '../codec-error.ts';
import { jsonCodec, protobufCodec } from '../codec.ts';
import { FIELD_CODE, type MessageType, messageTypeOfKind } from '../message-type.ts';
import { mutableCopy } from '../mutable-copy.ts';
import { decodeProtobuf, encodeProtobuf } from '../protobuf.ts';
import { anyObject } from '../test-any-object.ts';
import { newerPod } from '../test-newer-pod.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';
import { ReadOnlyForm } from './read-only-form.ts';
import {
  assertLooksLike,
  assertReadOnly,
  lazyFromJson,
  lazyFromProtobuf,
  lazyFromText,
} from './test-read-only.ts';

const { twins } = JSON.parse(
  readFileSync(new URL('../../../data/protobuf-twins.json', import.meta.url), 'utf8'),
) as { twins: { json: JsonObject; protobuf: string }[] };

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'web',
    namespace: 'default',
    uid: 'a-uid',
    resourceVersion: '7',
    labels: { app: 'web' },
    managedFields: [{ manager: 'kubectl', operation: 'Apply' }],
  },
  spec: { containers: [{ name: 'app', resources: {} }], nodeName: 'node-1' },
  status: { phase: 'Running', podIP: '10.0.0.1' },
};
const { managedFields: _, ...metadata } = pod.metadata;
const project = ['spec.nodeName', 'status.phase'];
const form = new ReadOnlyForm({ project });

/** Every path to a field that is not in a list. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix];
  const inner = Object.entries(value).flatMap(([name, field]) => {
    if (name === '' || /[[\]*\\]/.test(name)) return [];
    const step = name.replaceAll('.', '\\.');
    return pathsOf(field, prefix === '' ? step : `${prefix}.${step}`);
  });
  return prefix === '' ? inner : [...inner, prefix];
}

/** True for kinds with embedded objects, of which a projection keeps all if it names a part. */
function hasEmbedded(type: MessageType, seen = new Set<MessageType>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return type.fields.some((field) => {
    if (field.code === FIELD_CODE.message) return hasEmbedded(field.type, seen);
    return field.code === FIELD_CODE.rawExtension || field.code === FIELD_CODE.json;
  });
}

function typeOf(object: JsonObject): MessageType {
  const { apiVersion = '', kind = '' } = object as Readonly<Record<string, string>>;
  return messageTypeOfKind(apiVersion, kind) ?? assert.fail(`${kind} has no protobuf`);
}

/** Returns a form for some of the paths of an object. */
function formFor(object: object, chosen: readonly number[]): ReadOnlyForm {
  const paths = pathsOf(object);
  return new ReadOnlyForm({
    project: chosen.map((number) => paths[number % paths.length] ?? 'spec'),
  });
}

const both = [
  ['protobuf', (with_: ReadOnlyForm) => lazyFromProtobuf(encodeProtobuf(pod), with_)],
  ['JSON', (with_: ReadOnlyForm) => lazyFromJson(pod, with_)],
] as const;

for (const [encoding, make] of both) {
  describe(`a projection of an object from ${encoding}`, () => {
    it('has the named fields, its kind, and its metadata without managed fields', () => {
      const lazy = make(form);
      assert.equal(
        JSON.stringify(lazy),
        JSON.stringify({
          kind: 'Pod',
          apiVersion: 'v1',
          metadata,
          spec: { nodeName: 'node-1' },
          status: { phase: 'Running' },
        }),
      );
      assertReadOnly(lazy);
      const { key, resourceVersion } = identityOf(lazy) ?? {};
      assert.deepEqual([key, resourceVersion], ['default/web', '7']);
    });

    it('has whole objects, lists and managed fields if they are named', () => {
      const paths = ['spec.containers', 'status', 'status.phase', 'metadata.managedFields'];
      const lazy = make(new ReadOnlyForm({ project: paths }));
      const { containers } = pod.spec;
      const expected = { ...pod, spec: { containers } };
      assert.deepEqual(JSON.parse(JSON.stringify(lazy)), expected);
    });

    it('names its paths, and so do copies of it', () => {
      const lazy = make(form);
      for (const object of [lazy, mutableCopy(lazy), { ...lazy }]) {
        assert.deepEqual(projectedPaths(object), project);
      }
      assert.equal(projectedPaths(make(new ReadOnlyForm({ dropManagedFields: true }))), undefined);
    });

    it('drops managed fields and nothing else if only that is asked for', () => {
      const lazy = make(new ReadOnlyForm({ dropManagedFields: true }));
      assert.deepStrictEqual(lazy, { ...pod, metadata });
    });
  });
}

describe('projections', () => {
  it('have the fields of the plain object, for every kind that a real server sent', () => {
    for (const { json, protobuf } of twins) {
      const body = Buffer.from(protobuf, 'base64');
      const plain = decodeProtobuf(body);
      for (let first = 0; first < 40; first += 3) {
        const some = formFor(plain, [first, first * 7]);
        const what = JSON.stringify([json['kind'], some.projection]);
        if (!hasEmbedded(typeOf(plain))) {
          assertLooksLike(() => lazyFromProtobuf(body, some), some.of(plain), what);
        }
        assertLooksLike(() => lazyFromJson(json, some), some.of(json), what);
      }
    }
  });

  it('have the fields of the plain object, for any object', () => {
    fc.assert(
      fc.property(anyObject, fc.array(fc.nat(), { maxLength: 4 }), (object, chosen) => {
        const body = encodeProtobuf(object);
        const plain = decodeProtobuf(body);
        const some = formFor(plain, chosen);
        const lazy = lazyFromProtobuf(body, some);
        assert.deepStrictEqual(hasEmbedded(typeOf(plain)) ? some.of(lazy) : lazy, some.of(plain));
        assert.deepStrictEqual(lazyFromJson(plain, some), some.of(plain));
      }),
      { numRuns: 300 },
    );
  });

  it('have the fields of any JSON object, however it is written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(undefined, 2),
        fc.array(fc.nat(), { maxLength: 3 }),
        (object, space, chosen) => {
          const text = JSON.stringify(object, undefined, space).replaceAll('\n', ' ');
          const plain = JSON.parse(text) as JsonObject;
          const some = formFor(plain, chosen);
          assert.deepStrictEqual(lazyFromText(text, some), some.of(plain));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are made of lists too', async () => {
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [pod, pod] };
    const bodies = [
      [protobufCodec, encodeProtobuf(list)],
      [jsonCodec, Buffer.from(JSON.stringify(list))],
    ] as const;
    for (const [{ mediaType }, body] of bodies) {
      const read = await readOnlyCodecFor(mediaType, form).decodeList<{ items: object[] }>(body);
      assert.deepStrictEqual(read.items, [form.of(pod), form.of(pod)]);
    }
  });

  it('keep fields of a newer server where everything is kept', () => {
    const body = newerPod();
    const kept = lazyFromProtobuf(body, new ReadOnlyForm({ dropManagedFields: true }));
    assert.deepStrictEqual(kept, decodeProtobuf(body));
  });

  it('refuse what the codec refuses in the fields that they drop', () => {
    for (const text of ['{"spec":{"a":}}', '{"a":[1,],"b":2}', '{"a":"\\x"}']) {
      assert.throws(() => lazyFromText(text, form), CodecError, text);
    }
  });
});
