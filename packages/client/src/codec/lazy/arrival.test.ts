import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { identityOf } from '../../meta/object.ts';
import type { WatchEvent } from '../../meta/types.ts';
import { encodeProtobuf, watchFrameOf } from '../protobuf.ts';
import { Arrival } from './arrival.ts';
import { decodeLazyJsonEvent } from './lazy-json.ts';
import { decodeLazyWatchFrame } from './read-only-codec.ts';
import { ReadOnlyForm } from './read-only-form.ts';

const forms = {
  whole: undefined,
  projected: new ReadOnlyForm({ project: ['spec.nodeName'] }),
  'without managed fields': new ReadOnlyForm({ dropManagedFields: true }),
};

const decoders = {
  JSON: (type: string, text: string, arrival: Arrival) =>
    decodeLazyJsonEvent(Buffer.from(`{"type":"${type}","object":${text}}`), arrival),
  'JSON with the type last': (type: string, text: string, arrival: Arrival) =>
    decodeLazyJsonEvent(Buffer.from(`{"object":${text},"type":"${type}"}`), arrival),
  'JSON within protobuf': (type: string, text: string, arrival: Arrival) =>
    decodeLazyWatchFrame(watchFrameOf(type, Buffer.from(text)).subarray(4), arrival),
  protobuf: (type: string, text: string, arrival: Arrival) =>
    decodeLazyWatchFrame(
      watchFrameOf(type, encodeProtobuf(JSON.parse(text) as object)).subarray(4),
      arrival,
    ),
  'protobuf with metadata in two parts': (type: string, text: string, arrival: Arrival) =>
    decodeLazyWatchFrame(
      watchFrameOf(type, withMetadata(encodeProtobuf(JSON.parse(text) as object))).subarray(4),
      arrival,
    ),
};

/** Adds an empty second metadata, which is merged with the first one, to the object in an envelope. */
function withMetadata(envelope: Uint8Array): Uint8Array {
  const bytes = Buffer.from(envelope);
  const typeEnd = 6 + (bytes[5] as number);
  assert.equal(bytes[4], 0x0a);
  assert.equal(bytes[typeEnd], 0x12);
  const length = bytes[typeEnd + 1] as number;
  assert.ok(length < 0x7e, 'a length of one byte');
  const objectEnd = typeEnd + 2 + length;
  bytes[typeEnd + 1] = length + 2;
  return Buffer.concat([
    bytes.subarray(0, objectEnd),
    Buffer.from([0x0a, 0x00]),
    bytes.subarray(objectEnd),
  ]);
}

function podText(metadata: object, members = ''): string {
  return `{"kind":"Pod","apiVersion":"v1","metadata":${JSON.stringify(metadata)}${members}}`;
}

/** An object with a key that occurs twice is decoded as a whole. */
const twice = ',"extra":1,"extra":2';

describe('the key of an object', () => {
  it('is that of JSON.parse, as is the version, with any members of the metadata', () => {
    const key = fc.constantFrom('name', 'namespace', 'resourceVersion', 'na\\u006de', 'labels');
    const value = fc.constantFrom('"a"', '"bc"', '"d/e"', '"\\u0061"', '""', '{"name":"x"}', '1');
    const metadatas = fc
      .array(fc.tuple(key, value), { maxLength: 6 })
      .map((members) => `{${members.map(([name, text]) => `"${name}": ${text}`).join(' ,')}}`);
    fc.assert(
      fc.property(metadatas, (metadata) => {
        const text = `{"kind":"Pod","apiVersion":"v1","metadata":${metadata},"spec":{"name":"y"}}`;
        const identities = [decoders.JSON, decoders['JSON within protobuf']].map((decode) => {
          const identity = identityOf(decode('ADDED', text, new Arrival()).object);
          return identity && { key: identity.key, version: identity.resourceVersion };
        });
        // One was scanned in WebAssembly, the other in TypeScript.
        assert.deepEqual(identities[0], identities[1]);
        if (identities[0] === undefined) return;
        const {
          name = '',
          namespace = '',
          resourceVersion = '',
        } = JSON.parse(metadata) as {
          name?: string;
          namespace?: string;
          resourceVersion?: string;
        };
        const expected = namespace === '' ? name : `${namespace}/${name}`;
        assert.deepEqual(identities[0], { key: expected, version: resourceVersion });
      }),
      { numRuns: 5000 },
    );
  });

  for (const [formName, form] of Object.entries(forms)) {
    for (const [format, decode] of Object.entries(decoders)) {
      it(`is forgotten when it is deleted: ${format}, ${formName}`, () => {
        const members = format.startsWith('JSON') ? twice : '';
        for (const [first, last] of [
          ['', ''],
          [members, members],
          ['', members],
          [members, ''],
        ] as const) {
          const arrival = new Arrival(form);
          for (const metadata of [{ namespace: 'ns', name: 'web' }, { name: 'web' }]) {
            const seen = (type: string, more: string): WatchEvent<object> =>
              arrival.seen(decode(type, podText(metadata, more), arrival));
            // Known from an event that was decoded lazily.
            arrival.seen(decoders.JSON('ADDED', podText(metadata), arrival));
            seen('ADDED', first);
            seen('MODIFIED', last);
            assert.equal(arrival.keys.size, 1);
            seen('DELETED', last);
            assert.equal(arrival.keys.size, 0);
          }
        }
      });
    }
  }

  it('stays if one is deleted whose name looks like it', () => {
    const arrival = new Arrival();
    arrival.seen(decoders.JSON('ADDED', podText({ namespace: 'a', name: 'b' }), arrival));
    for (const metadata of [{ name: 'a/b' }, { namespace: 'a' }, { namespace: 'a/b', name: '' }]) {
      for (const members of ['', twice]) {
        const text = podText(metadata, members);
        const { object } = arrival.seen(decoders.JSON('DELETED', text, arrival));
        assert.equal(identityOf(object), undefined);
        assert.equal(arrival.keys.size, 1, text);
      }
    }
    for (const metadata of [null, 5, { name: 5 }, { name: null }, { namespace: {}, name: 'b' }]) {
      const text = `{"metadata":${JSON.stringify(metadata)}${twice}}`;
      arrival.seen(decoders.JSON('DELETED', text, arrival));
      assert.equal(arrival.keys.size, 1, text);
    }
  });

  it('is not looked for in metadata that is decoded later', () => {
    const arrival = new Arrival();
    const body = encodeProtobuf({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'a/b', generateName: 'c/d', labels: { app: 'web' } },
    });
    const frame = Buffer.from(watchFrameOf('DELETED', body));
    // With a second name, metadata is decoded as a whole, and the label claims to be longer than it is.
    frame[frame.indexOf('c/d') - 2] = 0x0a;
    frame[frame.indexOf('app') - 1] = 0x7f;
    const { object } = arrival.seen(decodeLazyWatchFrame(frame.subarray(4), arrival));
    assert.throws(() => Reflect.get(object, 'metadata'));
  });
});
