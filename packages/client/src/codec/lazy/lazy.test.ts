import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { JsonObject } from '../../lib/json.ts';
import { identityOf } from '../../meta/object.ts';
import { CodecError } from '../codec-error.ts';
import { jsonCodec, protobufCodec } from '../codec.ts';
import { mutableCopy, UNKNOWN_FIELDS, unknownFieldsOf } from '../mutable-copy.ts';
import { decodeProtobuf, encodeProtobuf, watchFrameOf } from '../protobuf.ts';
import { envelope, message, newerPod } from '../test-newer-pod.ts';
import { bytesTag } from '../wire/wire-reader.ts';
import { wholeBytesOf } from './lazy-fields.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';
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
    labels: { app: 'ü' },
  },
  spec: { containers: [{ name: 'app', resources: {} }], nodeName: 'node-1' },
  status: {},
};
interface AnyPod {
  readonly metadata: { readonly name: string; readonly labels: object };
  readonly spec: { readonly containers: readonly object[]; readonly nodeName: string };
}

const both = [
  ['protobuf', () => lazyFromProtobuf(encodeProtobuf(pod)) as AnyPod],
  ['JSON', () => lazyFromJson(pod) as AnyPod],
] as const;

describe('objects of every kind that a real server sent', () => {
  it('look like plain ones, and nothing in them can be written to', () => {
    for (const { json, protobuf } of twins) {
      const body = Buffer.from(protobuf, 'base64');
      const what = JSON.stringify([json['apiVersion'], json['kind']]);
      const plain = decodeProtobuf(body);
      assertLooksLike(() => lazyFromProtobuf(body), plain, what);
      assertLooksLike(() => lazyFromJson(json), json, what);
      assertReadOnly(lazyFromProtobuf(body));
      assertReadOnly(lazyFromJson(json));
    }
  });
});

for (const [encoding, make] of both) {
  describe(`a read-only object from ${encoding}`, () => {
    it('returns the same value on every access', () => {
      const lazy = make();
      const { spec } = lazy;
      const { containers } = spec;
      assert.equal(lazy.metadata.labels, lazy.metadata.labels);
      assert.equal(lazy.spec, spec);
      assert.equal(lazy.spec.containers, containers);
    });

    it('has an identity without decoding', () => {
      const lazy = make();
      const { key, resourceVersion } = identityOf(lazy) ?? {};
      assert.deepEqual([key, resourceVersion], ['default/web', '7']);
      assert.equal(identityOf(lazy.spec), undefined);
      assert.equal(identityOf({ ...lazy }), undefined);
    });

    it('keeps its promises to objects that inherit from it', () => {
      const child = Object.create(make()) as AnyPod;
      assert.equal(child.spec.nodeName, 'node-1');
      assert.throws(() => Object.assign(child, { spec: 1 }), TypeError);
    });

    it('names mutableCopy in the error of a write', () => {
      for (const target of [make(), Object.create(make()) as AnyPod]) {
        assert.throws(() => Object.assign(target, { spec: 1 }), {
          name: 'TypeError',
          message:
            "Cannot assign to read only property 'spec' of a cached object: change a mutableCopy(object) instead",
        });
      }
    });

    it('is inspected like a plain object, to the requested depth', () => {
      assert.equal(inspect(make(), { depth: 0 }), inspect(pod, { depth: 0 }));
      assert.match(inspect({ list: [make()] }), /\[Object\]/);
      assert.equal(inspect(make(), { depth: 9, compact: false }).includes('Getter'), false);
    });

    it('is written as JSON without keeping what was decoded for it', () => {
      const lazy = make();
      const seen: unknown[] = [];
      const text = JSON.stringify({ pod: lazy, spec: lazy.spec }, (_, value: unknown) => {
        seen.push(value);
        return value;
      });
      assert.equal(text, JSON.stringify({ pod, spec: pod.spec }));
      assert.equal(JSON.stringify(lazy, ['kind', 'metadata', 'name'], 2).includes('"web"'), true);
      assert.equal(seen.includes(lazy.metadata) || seen.includes(lazy.metadata.labels), false);
    });

    it('has a copy that can be changed', () => {
      const copy = mutableCopy(make());
      copy.metadata.name = 'other';
      copy.spec.containers.push({ name: 'more' });
      assert.equal(make().metadata.name, 'web');
      assert.equal(copy.spec.containers.length, 2);
    });
  });
}

describe('an object from JSON', () => {
  it('keeps the values of the fields that it decodes later, and nothing of what is around them', () => {
    const later = [pod.metadata, pod.spec, pod.status]
      .map((value) => JSON.stringify(value))
      .join('');
    assert.equal(wholeBytesOf(lazyFromJson(pod))?.length, Buffer.byteLength(later));
    assert.equal(wholeBytesOf(lazyFromJson({ kind: 'Nothing' }))?.length, 0);
  });

  it('has its fields and its version where they are, however many and long the fields are', () => {
    const lengths = [0, 10, 40_000, 70_000];
    for (const length of lengths) {
      for (let before = 0; before < 4; before++) {
        for (let after = 0; after < 4; after++) {
          const fields = (name: string, count: number): object =>
            Object.fromEntries(
              Array.from({ length: count }, (_, nth) => [
                `${name}${nth}`,
                nth === 2 ? nth : { [name]: 'ü'.repeat(length / 2), nth },
              ]),
            );
          const object = {
            ...fields('before', before),
            metadata: { name: 'web', resourceVersion: String(before), labels: { after } },
            ...fields('after', after),
          };
          const lazy = lazyFromJson(object);
          assert.deepStrictEqual(lazy, object);
          assert.equal(identityOf(lazy)?.resourceVersion, String(before));
        }
      }
    }
  });

  it('has no identity without a version in plain text of a usual length', () => {
    for (const version of ['7', '"\\u0037"', JSON.stringify('7'.repeat(256))]) {
      const lazy = lazyFromText(`{"metadata":{"name":"web","resourceVersion":${version}}}`);
      assert.equal(identityOf(lazy), undefined);
      assert.deepStrictEqual(lazy, {
        metadata: { name: 'web', resourceVersion: JSON.parse(version) as unknown },
      });
    }
    const longest = '7'.repeat(255);
    const lazy = lazyFromJson({ metadata: { name: 'web', resourceVersion: longest } });
    assert.equal(identityOf(lazy)?.resourceVersion, longest);
    assert.equal(identityOf(lazyFromJson({ metadata: { name: 'web' } }))?.resourceVersion, '');
  });
});

describe('an object of more than 64 KiB', () => {
  it('has its fields where they are', () => {
    const annotations = { long: 'x'.repeat(70_000) };
    const large = { ...pod, metadata: { ...pod.metadata, annotations } };
    assertLooksLike(() => lazyFromJson(large), large);
    assertLooksLike(() => lazyFromProtobuf(encodeProtobuf(large)), large);
  });
});

describe('fields of a newer server', () => {
  it('go with the object wherever the plain one takes them', () => {
    const lazy = lazyFromProtobuf(newerPod());
    const plain = decodeProtobuf(newerPod());
    assert.deepStrictEqual(lazy, plain);
    assert.deepEqual(encodeProtobuf(lazy), encodeProtobuf(plain));
    assert.deepEqual(encodeProtobuf({ ...lazy }), encodeProtobuf(plain));
    assert.deepEqual(encodeProtobuf(mutableCopy(lazy)), encodeProtobuf(plain));
    assert.deepEqual(structuredClone(lazy), structuredClone(plain));
  });

  it('cannot be written to either', () => {
    const lazy = lazyFromProtobuf(newerPod());
    unknownFieldsOf(lazy)?.fill(0);
    assert.equal(Buffer.from(unknownFieldsOf(lazy) ?? []).toString('hex'), 'a03805');
    assert.throws(() => Object.assign(lazy, { [UNKNOWN_FIELDS]: 1 }), TypeError);
  });
});

describe('messages as no server of today writes them', () => {
  const text = (number: number, value: string): Buffer =>
    Buffer.concat([Buffer.from([bytesTag(number), value.length]), Buffer.from(value)]);
  const nested = (number: number, ...parts: Buffer[]): Buffer => {
    const inner = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([bytesTag(number), inner.length]), inner]);
  };
  const cases: Record<string, Buffer> = {
    'a field twice': nested(1, text(1, 'a'), text(1, 'b')),
    'a message in two pieces': Buffer.concat([nested(1, text(1, 'a')), nested(1, text(3, 'ns'))]),
    'a nested message in two pieces': nested(
      2,
      nested(14, nested(1, text(1, 'x'))),
      nested(14, nested(1, text(2, 'y'))),
    ),
    'fields out of order': Buffer.concat([nested(2, text(10, 'node')), nested(1, text(1, 'a'))]),
    'a list in two pieces': nested(1, text(14, 'f1'), text(1, 'a'), text(14, 'f2')),
    'a map after a list that comes later': nested(
      1,
      text(14, 'f'),
      nested(11, text(1, 'k'), text(2, 'v')),
    ),
    'a text that becomes empty': nested(1, text(1, 'a'), text(1, '')),
  };
  for (const [name, raw] of Object.entries(cases)) {
    it(`are read like the plain decoder reads them: ${name}`, () => {
      const body = envelope('v1', 'Pod', raw);
      assertLooksLike(() => lazyFromProtobuf(body), decodeProtobuf(body));
      assertReadOnly(lazyFromProtobuf(body));
    });
  }

  it('are read like the plain decoder reads them: raw bytes that are none', () => {
    for (const raw of [nested(2), nested(2, text(1, '')), nested(2, text(1, '{"a":[]}'))]) {
      const body = envelope('apps/v1', 'ControllerRevision', raw);
      assertLooksLike(() => lazyFromProtobuf(body), decodeProtobuf(body));
      assertReadOnly(lazyFromProtobuf(body));
    }
  });

  it('are refused beyond any real depth', () => {
    let schema: Uint8Array = new Uint8Array();
    const notField = 27;
    for (let depth = 0; depth < 600; depth++) {
      const inner = schema;
      schema = message((writer) => {
        writer.bytes(inner);
        writer.uint32(bytesTag(notField));
      });
    }
    const version = message((writer) => {
      writer.bytes(
        message((inner) => {
          inner.bytes(schema);
          inner.byte(bytesTag(1));
        }),
      );
      writer.byte(bytesTag(4));
    });
    const spec = message((writer) => {
      writer.bytes(version);
      writer.byte(bytesTag(7));
    });
    const raw = message((writer) => {
      writer.bytes(spec);
      writer.byte(bytesTag(2));
    });
    const body = envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', raw);
    const isTooDeep = (error: unknown): boolean =>
      error instanceof CodecError && error.code === 'CODEC_TOO_DEEP';
    assert.throws(() => decodeProtobuf(body), isTooDeep);
    assert.throws(() => JSON.stringify(lazyFromProtobuf(body)), isTooDeep);
  });
});

describe('what is broken within an object', () => {
  it('is refused in protobuf each time that it is touched', () => {
    const spec = Buffer.from([bytesTag(2), 2, bytesTag(10), 9]);
    const metadata = Buffer.from([bytesTag(1), 3, bytesTag(1), 1, 0x61]);
    const lazy = lazyFromProtobuf(envelope('v1', 'Pod', Buffer.concat([metadata, spec]))) as AnyPod;
    assert.equal(lazy.metadata.name, 'a');
    for (const attempt of [1, 2]) {
      assert.throws(() => lazy.spec, { code: 'CODEC_TRUNCATED' }, `attempt ${attempt}`);
    }
  });

  it('is refused with its position in the object, wherever the object is kept', () => {
    const spec = Buffer.from([bytesTag(2), 2, bytesTag(10), 9]);
    const metadata = Buffer.from([bytesTag(1), 3, bytesTag(1), 1, 0x61]);
    const body = envelope('v1', 'Pod', Buffer.concat([metadata, spec]));
    const decoder = readOnlyCodecFor(protobufCodec.mediaType).watchDecoder<AnyPod>();
    for (const attempt of [1, 2]) {
      decoder.push(watchFrameOf('ADDED', body));
      assert.throws(() => decoder.next()?.object.spec, /at byte 9$/, `attempt ${attempt}`);
    }
  });

  it('is refused immediately in JSON, and in the frame around it', () => {
    for (const frame of [
      '{"type":"ADDED"}',
      '{"object":{}}',
      '{"type":1,"object":{}}',
      '[]',
      '{"type":"ADDED","object":{"metadata":{},"spec":{"a":{"b":tru}}}}',
    ]) {
      const decoder = readOnlyCodecFor(jsonCodec.mediaType).watchDecoder();
      decoder.push(Buffer.from(frame));
      assert.throws(() => decoder.next(), { code: 'CODEC_MALFORMED_JSON' }, frame);
    }
    assert.throws(() => lazyFromProtobuf(envelope('v1', 'Widget', Buffer.alloc(0))), {
      code: 'CODEC_NO_PROTOBUF',
    });
  });
});

describe('watch events', () => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 410, reason: 'Expired' };
  it('bring refusals as plain objects', () => {
    for (const codec of [jsonCodec, protobufCodec]) {
      const decoder = readOnlyCodecFor(codec.mediaType).watchDecoder();
      decoder.push(codec.encodeWatchEvent({ type: 'ERROR', object: status }));
      assert.deepEqual(decoder.next(), { type: 'ERROR', object: status });
    }
  });

  it('may bring JSON within protobuf, and the object before the type', () => {
    const decoder = readOnlyCodecFor(protobufCodec.mediaType).watchDecoder<object>();
    decoder.push(watchFrameOf('ADDED', Buffer.from(JSON.stringify(pod))));
    assert.deepStrictEqual(decoder.next()?.object, pod);
    const json = readOnlyCodecFor(jsonCodec.mediaType).watchDecoder<object>();
    json.push(Buffer.from(JSON.stringify({ object: pod, type: 'ADDED' })));
    const event = json.next();
    assert.deepStrictEqual(event, { type: 'ADDED', object: pod });
    assertReadOnly(event.object);
  });
});

describe('lists', () => {
  const { kind: _, apiVersion: __, ...item } = pod;
  const large = {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '9' },
    items: Array.from({ length: 2000 }, () => ({
      ...item,
      metadata: { ...item.metadata, annotations: { long: 'x'.repeat(5000) } },
    })),
  };
  for (const codec of [protobufCodec, jsonCodec]) {
    it(`leave others their turn while they are read: ${codec.mediaType}`, async () => {
      const bytes = codec.encode(large);
      let turns = 0;
      let isReading = true;
      const count = (): void => {
        turns += 1;
        if (isReading) setImmediate(count);
      };
      setImmediate(count);
      const list = await readOnlyCodecFor(codec.mediaType).decodeList<typeof large>(bytes);
      isReading = false;
      assert.ok(turns >= 2);
      assert.equal(list.items.length, 2000);
      const last = codec.decode<typeof large>(bytes).items[1999];
      assert.deepStrictEqual(list.items[1999], { kind: 'Pod', apiVersion: 'v1', ...last });
    });
  }

  it('give their items their kind, wherever it is, and leave that of items that have one', async () => {
    const read = async (text: string): Promise<JsonObject[]> => {
      const codec = readOnlyCodecFor(jsonCodec.mediaType);
      return (await codec.decodeList<{ items: JsonObject[] }>(Buffer.from(text))).items;
    };
    const type = '"kind":"WidgetList","apiVersion":"example.com/v1"';
    const widget = { kind: 'Widget', apiVersion: 'example.com/v1' };
    const bare = '{"metadata":{"name":"a"}}';
    for (const text of [`{${type},"items":[${bare}]}`, `{"items":[${bare}],${type}}`]) {
      assert.deepEqual(await read(text), [{ ...widget, metadata: { name: 'a' } }]);
    }
    const own = '{"apiVersion":"example.com/v2","kind":"Gadget","spec":{}}';
    assert.deepEqual(await read(`{${type},"items":[${own}]}`), [JSON.parse(own)]);
    const method = '{"metadata":{"name":"a"},"toJSON":{"a":1}}';
    const [named] = await read(`{${type},"items":[${method}]}`);
    assert.deepEqual(named, { ...widget, ...(JSON.parse(method) as object) });
    assert.equal(JSON.stringify(named), JSON.stringify({ ...widget, ...JSON.parse(method) }));
    const twice = '{"spec":1,"spec":2}';
    const [whole] = await read(`{${type},"items":[${twice}]}`);
    assert.deepEqual(whole, { ...widget, spec: 2 });
    assert.ok(Object.isFrozen(whole));
    for (const unknown of ['"kind":"List","apiVersion":"v1"', '"kind":"WidgetList"', '"a":1']) {
      assert.deepEqual(await read(`{${unknown},"items":[${bare}]}`), [JSON.parse(bare)]);
    }
  });

  it('are read plainly where there are no items', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
    for (const codec of [jsonCodec, protobufCodec]) {
      const readOnly = readOnlyCodecFor(codec.mediaType);
      assert.deepEqual(await readOnly.decodeList(codec.encode(status)), status);
      const empty = { ...large, items: [] };
      assert.deepEqual(await readOnly.decodeList(codec.encode(empty)), empty);
    }
    const readOnly = readOnlyCodecFor(jsonCodec.mediaType);
    assert.deepEqual(await readOnly.decodeList(Buffer.from('{"items":null}')), { items: null });
    assert.deepEqual(await readOnly.decodeList(Buffer.from('{"items":[{}],"items":[]}')), {
      items: [],
    });
    assert.deepEqual(await readOnly.decodeList(Buffer.from('{"items":[1]}')), { items: [1] });
    for (const bad of ['', '[]', '{"items":[{}],}', '{"items":[{}]', '{}x']) {
      await assert.rejects(
        readOnly.decodeList(Buffer.from(bad)),
        { code: 'CODEC_MALFORMED_JSON' },
        bad,
      );
    }
  });
});

describe('objects made from a read-only one', () => {
  const sources = [
    () => lazyFromJson(pod) as AnyPod,
    () => lazyFromProtobuf(encodeProtobuf(pod)) as AnyPod,
  ];

  it('can be read through a proxy, by inheritance, and as a copy of all descriptors', () => {
    for (const lazy of sources) {
      const copies = [
        new Proxy(lazy(), {}),
        new Proxy(lazy(), {
          get: (target, key, proxy) => Reflect.get(target, key, proxy) as unknown,
        }),
        Object.create(lazy()) as AnyPod,
        Object.create(Object.prototype, Object.getOwnPropertyDescriptors(lazy())) as AnyPod,
        Object.defineProperties({}, Object.getOwnPropertyDescriptors(lazy())) as AnyPod,
      ];
      for (const copy of copies) {
        assert.equal(copy.metadata.name, pod.metadata.name);
        assert.deepEqual({ ...copy.spec }, { ...lazy().spec });
      }
    }
  });

  it('can be walked by all own keys, and read through proxies that wrap plain objects: both are done by libraries for state', () => {
    const isPlain = (value: unknown): value is object =>
      typeof value === 'object' &&
      value !== null &&
      Reflect.getPrototypeOf(value) === Object.prototype;
    const depthOf = (value: unknown): number =>
      isPlain(value)
        ? 1 + Math.max(0, ...Reflect.ownKeys(value).map((key) => depthOf(Reflect.get(value, key))))
        : 0;
    const wrapped = <T extends object>(object: T): T =>
      new Proxy(object, {
        get: (target, key, proxy) => {
          const value: unknown = Reflect.get(target, key, proxy);
          return isPlain(value) ? wrapped(value) : value;
        },
      });
    for (const lazy of sources) {
      assert.equal(depthOf(lazy()), depthOf(pod));
      assert.equal(wrapped(lazy()).metadata.name, pod.metadata.name);
    }
  });

  it('are written as JSON with the fields that they have themselves', () => {
    for (const lazy of sources) {
      for (const source of [lazy(), lazy().spec]) {
        const descriptors = Object.getOwnPropertyDescriptors(source);
        const added = { value: 1, enumerable: true };
        const copy = Object.defineProperties({}, { ...descriptors, added });
        assert.equal(JSON.stringify(copy), JSON.stringify({ ...source, added: 1 }));
        const child = Object.assign(Object.create(source) as object, { added: 1 });
        assert.equal(JSON.stringify(child), '{"added":1}');
        const hidden = new Proxy(source, { ownKeys: () => [] });
        assert.throws(() => JSON.stringify(hidden), TypeError);
      }
    }
  });

  it('say what to do if accessors were copied one by one', () => {
    for (const lazy of sources) {
      const copy = {};
      for (const key of Object.keys(lazy())) {
        const descriptor = Object.getOwnPropertyDescriptor(lazy(), key);
        Object.defineProperty(copy, key, descriptor ?? assert.fail());
      }
      assert.throws(() => (copy as AnyPod).spec, {
        code: 'CODEC_DETACHED_FIELD',
        message: 'the field spec was copied without its value from a read-only object',
        hint: /mutableCopy/,
      });
    }
  });
});
