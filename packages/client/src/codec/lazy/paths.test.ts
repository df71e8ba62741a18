import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../lib/json.ts';
import { parsePath, valuesAt } from '../../meta/field-path.ts';
import { jsonCodec } from '../codec.ts';
import { CodecError } from '../codec-error.ts';
import { decodeProtobuf, encodeProtobuf } from '../protobuf.ts';
import { anyObject } from '../test-any-object.ts';
import { envelope } from '../test-newer-pod.ts';
import { FieldScanner } from '../wire/field-scanner.ts';
import { bytesTag } from '../wire/wire-reader.ts';
import { valuesIn } from './lazy-fields.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';
import { lazyFromJson, lazyFromProtobuf, lazyFromText } from './test-read-only.ts';

const { twins } = JSON.parse(
  readFileSync(new URL('../../../data/protobuf-twins.json', import.meta.url), 'utf8'),
) as { twins: { json: JsonObject; protobuf: string }[] };

/** Every path that leads somewhere in a value, and some that do not. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) {
    // There are no paths into lists of lists.
    if (prefix.endsWith('[*]')) return [];
    return [...new Set(value.flatMap((item) => pathsOf(item, `${prefix}[*]`)))];
  }
  if (typeof value !== 'object' || value === null) return [prefix];
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const step = name.replaceAll('.', '\\.');
    if (step === '' || /[[\]*\\]/.test(name)) return [];
    return pathsOf(field, prefix === '' ? step : `${prefix}.${step}`);
  });
  return prefix === '' ? inner : [...inner, prefix, `${prefix}.absent`];
}

/** A length-delimited field. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([bytesTag(number), bytes.length]), bytes]);
}

function assertSameValues(lazy: object, plain: object): void {
  for (const text of pathsOf(plain)) {
    const path = parsePath(text);
    const expected = valuesAt(plain, path);
    assert.deepEqual(valuesIn(lazy, path), expected, text);
    // Remembered.
    assert.deepEqual(valuesIn(lazy, path), expected, text);
  }
}

describe('paths of read-only objects', () => {
  it('lead to the values of the plain object, for every kind that a real server sent', () => {
    for (const { json, protobuf } of twins) {
      const body = Buffer.from(protobuf, 'base64');
      assertSameValues(lazyFromProtobuf(body), decodeProtobuf(body));
      assertSameValues(lazyFromJson(json), json);
    }
  });

  it('lead to the values of the plain object, for any object', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const body = encodeProtobuf(object);
        const plain = decodeProtobuf(body);
        assertSameValues(lazyFromProtobuf(body), plain);
        assertSameValues(lazyFromJson(plain), plain);
      }),
      { numRuns: 200 },
    );
  });

  it('lead to the values that JSON.parse finds, however the JSON is written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(undefined, 2),
        (spec, space) => {
          const text = JSON.stringify({ spec }, undefined, space).replaceAll('\n', ' ');
          assertSameValues(lazyFromText(text), JSON.parse(text) as JsonObject);
        },
      ),
    );
  });

  it('lead to the values of the object, whatever the watch has brought since', () => {
    const decoder = readOnlyCodecFor(jsonCodec.mediaType).watchDecoder<object>();
    const arrived = twins.map(({ json }) => {
      decoder.push(Buffer.from(`${JSON.stringify({ type: 'ADDED', object: json })}\n`));
      return { json, object: decoder.next()?.object ?? assert.fail('there is no event') };
    });
    for (const { json, object } of arrived) assertSameValues(object, json);
  });

  it('follow the last of duplicate members', () => {
    const text = '{"spec":{"a":{"b":1},"c":{"a":{"b":3}},"a":{"b":2}},"x":{"a":{"b":4}}}';
    assert.equal(valuesIn(lazyFromText(text), parsePath('spec.a.b')), 2);
  });
});

describe('a path of a protobuf object', () => {
  const nodeName = parsePath('spec.nodeName');
  const podWith = (...spec: Buffer[]): Uint8Array =>
    envelope('v1', 'Pod', field(2, Buffer.concat(spec)));

  it('is read without decoding the objects around it', () => {
    // The containers are not a message: decoding them throws.
    const body = podWith(field(2, Buffer.from([0xff])), field(10, 'node-1'));
    const lazy = lazyFromProtobuf(body) as { readonly spec: JsonObject };
    assert.equal(valuesIn(lazy, nodeName), 'node-1');
    assert.throws(() => lazy.spec['containers'], CodecError);
  });

  it('is left to the decoder if fields are out of order or repeated', () => {
    const bodies = [
      podWith(field(10, 'node-1'), field(8, 'default')),
      podWith(field(10, 'node-1'), field(10, 'node-2')),
    ];
    for (const body of bodies) {
      const expected = valuesAt(decodeProtobuf(body), nodeName);
      assert.match(String(expected), /^node-/);
      assert.equal(valuesIn(lazyFromProtobuf(body), nodeName), expected);
    }
  });

  it('throws on every read if the bytes around it are damaged', () => {
    const lazy = lazyFromProtobuf(podWith(field(10, 'node-1'), Buffer.from([0x7f])));
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.throws(() => valuesIn(lazy, nodeName), CodecError);
    }
  });

  it('keep nothing of a long list that they were read from', (context) => {
    const { mock: trim } = context.mock.method(FieldScanner.prototype, 'trim');
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${at}`, 'x']));
    const lazy = lazyFromProtobuf(
      Buffer.from(encodeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, data })),
    );
    assert.equal(valuesIn(lazy, parsePath('data.key-77')), 'x');
    const kept = trim.calls.map(({ this: scanner }) => (scanner as FieldScanner).ranges.length);
    assert.ok(kept.length > 0);
    assert.ok(kept.every((length) => length < 5000));
  });
});
