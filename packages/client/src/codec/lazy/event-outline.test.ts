import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { identityOf } from '../../meta/object.ts';
import { CodecError } from '../codec-error.ts';
import { protobufCodec } from '../codec.ts';
import { encodeProtobuf } from '../protobuf.ts';
import { bytesTag, varintTag } from '../wire/wire-reader.ts';
import { EventOutline } from './event-outline.ts';
import { Arrival } from './arrival.ts';
import { decodeLazyWatchFrame, readOnlyCodecFor } from './read-only-codec.ts';

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'web-0',
    namespace: 'default',
    uid: '6b4a7f0e-0000-4000-8000-000000000001',
    resourceVersion: '4711',
    generation: 300,
    labels: { app: 'web' },
    managedFields: [
      { manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:status': {} }, apiVersion: 'v1' },
    ],
  },
  spec: { nodeName: 'node-1', containers: [{ name: 'web', image: 'nginx', resources: {} }] },
  status: { phase: 'Running', message: 'x'.repeat(200) },
};
const configMap = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'settings' },
  data: { a: '1', b: '2' },
};
const secret = { ...configMap, kind: 'Secret', data: { a: 'MQ==' }, type: 'Opaque' };

/** The payload of a frame, without its length. */
function payloadOf(type: string, object: object): Buffer {
  return Buffer.from(protobufCodec.encodeWatchEvent({ type, object })).subarray(4);
}

function outcome(decode: () => { type: string; object: object } | undefined): unknown {
  const attempt = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      if (error instanceof CodecError) return `${error.code}: ${error.message}`;
      throw error;
    }
  };
  return attempt(() => {
    const event = decode();
    if (event === undefined) return undefined;
    const { key, resourceVersion } = identityOf(event.object) ?? {};
    const json = attempt(() => JSON.stringify(event.object));
    return { type: event.type, key, resourceVersion, names: Object.keys(event.object), json };
  });
}

/** What a stream makes of a frame. */
function streamed(payload: Buffer): unknown {
  const decoder = readOnlyCodecFor(protobufCodec.mediaType).watchDecoder<object>();
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  decoder.push(Buffer.concat([prefix, payload]));
  return outcome(() => decoder.next());
}

/** What the decoder alone makes of it. */
function decoded(payload: Buffer): unknown {
  return outcome(() => decodeLazyWatchFrame<object>(payload, new Arrival()));
}

describe('the outline of a watch event', () => {
  for (const [type, object] of [
    ['ADDED', pod],
    ['MODIFIED', configMap],
    ['DELETED', secret],
  ] as const) {
    const payload = payloadOf(type, object);

    test(`is read from the frame of a ${object.kind} as a server writes it`, () => {
      assert.ok(new EventOutline().read(payload));
      assert.deepEqual(streamed(payload), decoded(payload));
    });

    test(`or the decoder says what is wrong with the frame of a ${object.kind}`, () => {
      for (let at = 0; at < payload.length; at++) {
        const cut = payload.subarray(0, at);
        assert.deepEqual(streamed(cut), decoded(cut), `cut off at byte ${at}`);
        for (const flipped of [0x01, 0x02, 0x08, 0x7f, 0x80, 0xff]) {
          const wrong = Buffer.from(payload);
          wrong[at] = (wrong[at] as number) ^ flipped;
          assert.deepEqual(streamed(wrong), decoded(wrong), `byte ${at} with ${flipped} flipped`);
        }
      }
    });
  }

  test('or the decoder says what is wrong with a field beside the object', () => {
    const field = (number: number, content: Uint8Array): Buffer =>
      Buffer.concat([Buffer.from([bytesTag(number), content.length]), content]);
    for (const length of [1, 9, 10, 11, 40]) {
      const number = Buffer.alloc(length, 0x80);
      number[length - 1] = 1;
      const beside = Buffer.concat([Buffer.from([varintTag(5)]), number]);
      const body = Buffer.concat([encodeProtobuf(configMap), beside]);
      const payload = Buffer.concat([field(1, Buffer.from('ADDED')), field(2, field(1, body))]);
      assert.deepEqual(streamed(payload), decoded(payload), `a number of ${length} bytes`);
    }
  });

  test('is left to the decoder for errors, and knows the fields of each kind', () => {
    const outline = new EventOutline();
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410 };
    assert.equal(outline.read(payloadOf('ERROR', status)), false);
    assert.ok(outline.read(payloadOf('ADDED', pod)));
    assert.ok(outline.read(payloadOf('BOOKMARK', pod)));
    assert.deepEqual(outline.names, ['metadata', 'spec', 'status']);
    assert.ok(outline.read(payloadOf('ADDED', configMap)));
    assert.deepEqual(outline.names, ['metadata', 'data']);
  });

  test('makes objects ahead, each with the fields and bytes of its own event', () => {
    const named = (object: object, name: string): object => ({
      ...object,
      metadata: { ...pod.metadata, name },
    });
    const { status: _, ...pending } = pod;
    const decoder = readOnlyCodecFor(protobufCodec.mediaType).watchDecoder<object>();
    // Long runs of one form, and changes of the form while objects of it are left.
    const payloads = [40, 3, 20, 1, 1, 5].flatMap((count, run) =>
      Array.from({ length: count }, (__, at) => {
        const form = [pod, pending, pod, configMap, pending, pod][run] as object;
        return payloadOf('MODIFIED', named(form, at % 7 === 6 ? `a/${run}-${at}` : `${run}-${at}`));
      }),
    );
    const events = payloads.map((payload) => {
      const prefix = Buffer.alloc(4);
      prefix.writeUInt32BE(payload.length);
      decoder.push(Buffer.concat([prefix, payload]));
      return decoder.next();
    });
    assert.equal(new Set(events.map((event) => event?.object)).size, events.length);
    for (const [at, event] of events.entries()) {
      assert.deepEqual(
        outcome(() => event),
        decoded(payloads[at] as Buffer),
      );
    }
  });
});
