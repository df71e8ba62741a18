import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { jsonCodec, protobufCodec } from '../codec.ts';
import { mutableCopy } from '../mutable-copy.ts';
import { watchFrameOf } from '../protobuf.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';
import type { ReadOnlyForm } from './read-only-form.ts';

/** An object as a watch in protobuf brings it. */
export function lazyFromProtobuf(body: Uint8Array, form?: ReadOnlyForm): object {
  const decoder = readOnlyCodecFor(protobufCodec.mediaType, form).watchDecoder<object>();
  decoder.push(watchFrameOf('ADDED', body));
  return decoder.next()?.object ?? assert.fail('there is no event');
}

/** An object as a watch in JSON brings it. */
export function lazyFromJson(object: object, form?: ReadOnlyForm): object {
  return lazyFromText(JSON.stringify(object), form);
}

/** As {@link lazyFromJson}, from a text without line breaks. */
export function lazyFromText(text: string, form?: ReadOnlyForm): object {
  const decoder = readOnlyCodecFor(jsonCodec.mediaType, form).watchDecoder<object>();
  decoder.push(Buffer.from(`{"type":"ADDED","object":${text}}\n`));
  return decoder.next()?.object ?? assert.fail('there is no event');
}

/** Writing, adding and deleting are refused by an object and by everything in it. */
export function assertReadOnly(value: unknown, path = 'object'): void {
  if (typeof value !== 'object' || value === null) return;
  const object = value as Record<string, unknown>;
  assert.ok(Object.isFrozen(object), path);
  assert.throws(() => Object.assign(object, { added: 1 }), TypeError, path);
  for (const key of Object.keys(object)) {
    assert.throws(() => Object.assign(object, { [key]: 1 }), TypeError, `${path}.${key}`);
    assert.throws(() => delete object[key], TypeError, `${path}.${key}`);
    assertReadOnly(object[key], `${path}.${key}`);
  }
}

/** Every way to look at an object shows the same as the plain one. `lazy` makes a fresh one. */
export function assertLooksLike(lazy: () => object, plain: object, what?: string): void {
  assert.deepStrictEqual(Object.keys(lazy()), Object.keys(plain), what);
  assert.deepStrictEqual(Reflect.getPrototypeOf(lazy()), Object.prototype, what);
  assert.equal(JSON.stringify(lazy()), JSON.stringify(plain), what);
  assert.deepStrictEqual(mutableCopy(lazy()), plain, what);
  assertSameParts(lazy(), plain, what);
  assert.deepStrictEqual(lazy(), plain, what);
  assert.deepStrictEqual(plain, lazy(), what);
  assert.deepStrictEqual({ ...lazy() }, { ...plain }, what);
  assert.deepStrictEqual(structuredClone(lazy()), structuredClone(plain), what);
  const options = { depth: null, compact: false, maxArrayLength: null, maxStringLength: null };
  assert.equal(inspect(lazy(), options), inspect(plain, options), what);
  const inLoop: string[] = [];
  for (const key in lazy()) inLoop.push(key);
  assert.deepStrictEqual(inLoop, Object.keys(plain), what);
  for (const key of Object.keys(plain)) assert.ok(key in lazy(), what);
}

/** Each part that is decoded by itself is written as JSON, and copied, like that part of the plain object. */
function assertSameParts(lazy: object, plain: object, what?: string): void {
  for (const [key, part] of Object.entries(lazy)) {
    if (typeof part !== 'object' || part === null) continue;
    const counterpart: unknown = Reflect.get(plain, key);
    assert.equal(JSON.stringify(part), JSON.stringify(counterpart), what);
    assert.deepStrictEqual(mutableCopy(part), counterpart, what);
    if (!Array.isArray(part)) assertSameParts(part, counterpart as object, what);
  }
}
