import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from '../../lib/next-turn.ts';
import { jsonCodec } from '../codec.ts';
import { Arena } from './arena.ts';
import { wholeBytesOf } from './lazy-fields.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';
import { Slab } from './slab.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Item {
  readonly spec: { readonly number: number; readonly filling: string };
}

/** Returns a function that decodes objects of one stream. */
function stream(): (number: number, length: number) => Item {
  const decoder = readOnlyCodecFor(jsonCodec.mediaType).watchDecoder<Item>();
  return (number, length) => {
    const object = { metadata: { name: 'a' }, spec: { number, filling: 'x'.repeat(length) } };
    decoder.push(Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`));
    return decoder.next()?.object ?? assert.fail('there is no event');
  };
}

function slabOf(object: object): Slab {
  const source = wholeBytesOf(object)?.source;
  return source instanceof Slab ? source : assert.fail('the object is not in a slab');
}

/** Returns which part of the memory that holds the objects is theirs. */
function share(objects: readonly object[]): number {
  const slabs = new Set(objects.map(slabOf));
  const lengths = objects.map((object) => wholeBytesOf(object)?.length ?? 0);
  const sizes = [...slabs].map(({ bytes }) => bytes.length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  return sum(lengths) / sum(sizes);
}

/** Numbers below a limit that look random and are always the same. */
function numbers(): (limit: number) => number {
  let state = 1;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe('the arena of a store', () => {
  it('keeps objects together that arrive together', () => {
    const next = stream();
    const objects = Array.from({ length: 1000 }, (_, number) => next(number, 4000));
    const arena = new Arena();
    for (const object of objects) arena.keep(object);
    assert.ok(share(objects) > 0.95);
  });

  it('moves objects out of sparse slabs', () => {
    const next = stream();
    const random = numbers();
    const arena = new Arena();
    const objects: Item[] = [];
    const put = (at: number, object: Item): void => {
      if (objects[at] !== undefined) arena.release(objects[at]);
      arena.keep(object);
      objects[at] = object;
    };
    for (let at = 0; at < 2000; at++) put(at, next(at, 1000 + random(4000)));
    for (let change = 0; change < 10_000; change++) {
      const at = random(objects.length);
      put(at, next(at, 1000 + random(4000)));
    }
    assert.ok(share(objects) > 0.45, `${share(objects)} of the memory is used`);
    for (const [at, { spec }] of objects.entries()) assert.equal(spec.number, at);
  });

  it('moves an object once that is stored under two keys', () => {
    const next = stream();
    const arena = new Arena();
    const objects = Array.from({ length: 1000 }, (_, number) => next(number, 3000));
    for (const object of objects) {
      arena.keep(object);
      arena.keep(object);
    }
    const left = objects.filter((_, number) => number % 20 === 0);
    const before = left.map(slabOf);
    for (const object of objects) {
      if (left.includes(object)) continue;
      arena.release(object);
      arena.release(object);
    }
    assert.ok(left.some((object, at) => slabOf(object) !== before[at]));
    for (const [at, { spec }] of left.entries()) assert.equal(spec.number, 20 * at);
  });

  it('does not move what has just arrived', () => {
    const next = stream();
    const random = numbers();
    const arena = new Arena();
    const objects: Item[] = [];
    let moved = 0;
    for (let change = 0; change < 5000; change++) {
      const at = change < 500 ? change : random(500);
      const object = next(at, 1000);
      const slab = slabOf(object);
      arena.keep(object);
      if (objects[at] !== undefined) arena.release(objects[at]);
      objects[at] = object;
      if (slabOf(object) !== slab) moved += 1;
    }
    assert.equal(moved, 0);
  });

  it('does not keep what was decoded of the neighbours of a held object, once it is gone', async () => {
    const next = stream();
    const held: Item[] = [];
    const references = ((): readonly WeakRef<object>[] => {
      const arena = new Arena();
      const objects = Array.from({ length: 100 }, (_, number) => next(number, 1000));
      for (const object of objects) arena.keep(object);
      held.push(objects[50] as Item);
      return objects.filter((_, number) => number !== 50).map(({ spec }) => new WeakRef(spec));
    })();
    await nextTurn();
    collectGarbage();
    await nextTurn();
    assert.ok(references.every((spec) => spec.deref() === undefined));
    assert.equal(held[0]?.spec.number, 50);
  });

  it('leaves an object alone that another store keeps', () => {
    const object = stream()(1, 100);
    const [first, second] = [new Arena(), new Arena()];
    first.keep(object);
    const { owner } = slabOf(object);
    second.keep(object);
    second.release(object);
    assert.equal(slabOf(object).owner, owner);
    first.release(object);
    assert.equal(object.spec.number, 1);
  });

  it('ignores objects that are not lazy, parts of objects and objects with a string of their own', () => {
    const arena = new Arena();
    const next = stream();
    const long = next(1, 100_000);
    const { spec } = next(2, 2000);
    for (const object of [{ plain: true }, spec, long]) {
      arena.keep(object);
      arena.release(object);
    }
    assert.equal(long.spec.filling.length, 100_000);
    assert.equal(spec.filling.length, 2000);
  });

  it('is not kept alive by an object that a program holds', async () => {
    const object = stream()(1, 100);
    const reference = ((): WeakRef<Arena> => {
      const arena = new Arena();
      arena.keep(object);
      return new WeakRef(arena);
    })();
    await nextTurn();
    collectGarbage();
    await nextTurn();
    assert.equal(reference.deref(), undefined);
    assert.equal(object.spec.number, 1);
  });

  it('frees the memory of objects that have left the store', async () => {
    const next = stream();
    const arena = new Arena();
    const references = ((): readonly WeakRef<Slab>[] => {
      const objects = Array.from({ length: 200 }, (_, number) => next(number, 8000));
      const slabs = new Set(objects.map(slabOf));
      for (const object of objects) arena.keep(object);
      for (const object of objects) arena.release(object);
      return [...slabs].slice(0, -1).map((slab) => new WeakRef(slab));
    })();
    assert.ok(references.length > 5);
    await nextTurn();
    collectGarbage();
    await nextTurn();
    assert.ok(references.every((slab) => slab.deref() === undefined));
  });
});
