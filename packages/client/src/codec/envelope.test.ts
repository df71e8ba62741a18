import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../lib/json.ts';
import { CodecError } from './codec-error.ts';
import {
  decodeProtobuf,
  encodeProtobuf,
  ProtobufItemEncoder,
  protobufItemFrame,
  protobufListFrame,
  hasProtobuf,
  isProtobuf,
} from './protobuf.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag } from './wire/wire-reader.ts';

function roundTrip(object: object): JsonObject {
  return decodeProtobuf(encodeProtobuf(object));
}

/** An envelope around bytes that no encoder of ours would write. */
function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const writer = new BackwardWriter();
  writer.bytes(raw);
  writer.byte(bytesTag(2));
  const end = writer.written;
  writer.string(kind);
  writer.byte(bytesTag(2));
  writer.string(apiVersion);
  writer.byte(bytesTag(1));
  writer.uint32(writer.written - end);
  writer.byte(bytesTag(1));
  writer.raw(Buffer.from('k8s\0'));
  return writer.finish();
}

function message(write: (writer: BackwardWriter) => void): Uint8Array {
  const writer = new BackwardWriter();
  write(writer);
  return writer.finish();
}

function refuses(run: () => unknown, code: string, ...words: string[]): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof CodecError, String(error));
    assert.equal(error.code, code);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
    return true;
  });
}

test('protobuf is known by its first bytes, and by the kinds that have it', () => {
  assert.ok(isProtobuf(Buffer.from('k8s\0')));
  assert.ok(!isProtobuf(Buffer.from('k8s')));
  assert.ok(!isProtobuf(Buffer.from('{"kind":"Pod"}')));
  assert.ok(hasProtobuf({ group: 'apps', version: 'v1', kind: 'DeploymentList' }));
  assert.ok(hasProtobuf({ group: '', version: 'v1', kind: 'Status' }));
  assert.ok(!hasProtobuf({ group: 'example.com', version: 'v1', kind: 'Widget' }));
  assert.ok(!hasProtobuf({ group: 'meta.k8s.io', version: 'v1', kind: 'Table' }));
});

test('an embedded object may be JSON or protobuf itself', () => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 404 };
  const list = message((writer) => {
    for (const raw of [encodeProtobuf(status), Buffer.from('{"any":1}')]) {
      const end = writer.written;
      writer.bytes(raw);
      writer.byte(bytesTag(1));
      writer.uint32(writer.written - end);
      writer.byte(bytesTag(2));
    }
  });
  assert.deepEqual(decodeProtobuf(envelope('v1', 'List', list))['items'], [{ any: 1 }, status]);
  const broken = message((writer) => {
    writer.bytes(Buffer.from([bytesTag(1), 1, 0x7b]));
    writer.byte(bytesTag(2));
  });
  refuses(() => decodeProtobuf(envelope('v1', 'List', broken)), 'CODEC_MALFORMED_JSON');
});

test('the kind comes from the object or the envelope, else from the default', () => {
  const defaultKind = { group: 'apps', version: 'v1', kind: 'Deployment' };
  const bytes = encodeProtobuf({ metadata: { name: 'web' } }, { defaultKind });
  assert.equal(decodeProtobuf(bytes)['apiVersion'], 'apps/v1');
  const nameless = envelope('', '', new Uint8Array());
  refuses(() => decodeProtobuf(nameless), 'CODEC_NO_KIND');
  assert.equal(decodeProtobuf(nameless, { defaultKind })['kind'], 'Deployment');
  refuses(() => encodeProtobuf({}), 'CODEC_NO_KIND');
  const widget = { kind: 'Widget', apiVersion: 'example.com/v1' };
  refuses(() => encodeProtobuf(widget), 'CODEC_NO_PROTOBUF', 'Widget', 'example.com/v1');
  refuses(
    () => decodeProtobuf(envelope('example.com/v1', 'Widget', new Uint8Array())),
    'CODEC_NO_PROTOBUF',
  );
});

test('each kind of malformed input has its own code', () => {
  refuses(() => decodeProtobuf(new Uint8Array()), 'CODEC_EMPTY');
  refuses(() => decodeProtobuf(Buffer.from('{}')), 'CODEC_NOT_PROTOBUF');
  refuses(() => decodeProtobuf(Buffer.from('k8s\0')), 'CODEC_TRUNCATED');
  refuses(() => decodeProtobuf(Buffer.from([0x6b, 0x38, 0x73, 0, 255, 255])), 'CODEC_TRUNCATED');
  const wrongType = envelope('v1', 'Pod', Buffer.from([0x08, 1]));
  refuses(() => decodeProtobuf(wrongType), 'CODEC_MALFORMED', 'Pod.metadata', 'wire type 0');
});

test('nesting beyond reason is refused, in both directions, and reason is not', () => {
  const crd = (openAPIV3Schema: object): object => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema } }] },
  });
  const nested = (levels: number): object => {
    let schema: object = {};
    for (let level = 0; level < levels; level++) schema = { not: schema };
    return schema;
  };
  const deep = crd(nested(400));
  assert.deepEqual(encodeProtobuf(roundTrip(deep)), encodeProtobuf(deep));
  refuses(() => encodeProtobuf(crd(nested(1000))), 'CODEC_TOO_DEEP');
  const cyclic: { not?: object } = {};
  cyclic.not = cyclic;
  refuses(() => encodeProtobuf(crd(cyclic)), 'CODEC_TOO_DEEP', 'spec.versions');

  // Each level adds `not`, field 28 of JSONSchemaProps; the others lead to the first one.
  const bomb = message((writer) => {
    const wrap = (number: number): void => {
      writer.uint32(writer.written);
      writer.uint32(bytesTag(number));
    };
    for (let level = 0; level < 100_000; level++) wrap(28);
    for (const number of [1, 4, 7, 2]) wrap(number);
  });
  refuses(
    () => decodeProtobuf(envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', bomb)),
    'CODEC_TOO_DEEP',
  );
});

test('embedded objects within embedded objects have an end, too', () => {
  let bytes: Uint8Array = new Uint8Array();
  for (let level = 0; level < 2000; level++) {
    const inner = bytes;
    bytes = envelope(
      'v1',
      'List',
      message((writer) => {
        writer.bytes(inner);
        writer.byte(bytesTag(1));
        writer.uint32(writer.written);
        writer.byte(bytesTag(2));
      }),
    );
  }
  refuses(() => decodeProtobuf(bytes), 'CODEC_TOO_DEEP');
});

test('a list of encoded items has the bytes of the list encoded as a whole', () => {
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7' } };
  for (const count of [0, 1, 300]) {
    const items = Array.from({ length: count }, (_, index) => ({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: `p-${index}` },
      spec: { containers: [{ name: 'c', image: 'i'.repeat(index) }] },
    }));
    const encoded = items.map((item) => encodedItem(item));
    const { head, tail } = protobufListFrame(list, Buffer.concat(encoded).length);
    const plain = items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
    const whole = encodeProtobuf({ ...list, items: plain });
    assert.deepEqual(Buffer.concat([head, ...encoded, tail]), Buffer.from(whole));
  }
});

test('an encoded item alone, in the frame of its kind, has the bytes of the object', () => {
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: {} };
  const { head, tail } = protobufItemFrame('v1', 'Pod');
  const body = Buffer.concat([head, encodedItem(pod), tail]);
  assert.deepEqual(body, Buffer.from(encodeProtobuf(pod)));
});

test('an encoder of items goes on after an object that it refuses, and after a large one', () => {
  const encoder = new ProtobufItemEncoder();
  const named = (name: unknown): object => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name } });
  refuses(() => encoder.encode(named(7)), 'CODEC_INVALID_VALUE');
  refuses(() => encoder.encode({ metadata: {} }), 'CODEC_NO_KIND');
  for (const pod of [named('a'), named('x'.repeat(300_000)), named('b')]) {
    assert.deepEqual(encodedItem(pod, encoder), encodedItem(pod));
  }
});

function encodedItem(object: object, encoder = new ProtobufItemEncoder()): Buffer {
  const bytes = Buffer.alloc(encoder.encode(object) + 1);
  encoder.copyTo(bytes, 1);
  return bytes.subarray(1);
}
