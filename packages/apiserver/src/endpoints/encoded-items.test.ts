import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import type { StoredObject } from '../store/store.ts';
import { EncodedItems, type ItemFormat } from './encoded-items.ts';

/** Writes the name of an object, and counts how often. */
class Names implements ItemFormat {
  readonly separator: Uint8Array;
  encoded = 0;
  #name = '';

  constructor(separator: string) {
    this.separator = Buffer.from(separator);
  }

  encode(object: StoredObject): number {
    this.encoded += 1;
    this.#name = nameOf(object);
    return Buffer.byteLength(this.#name);
  }

  write(target: Buffer, start: number): void {
    target.write(this.#name, start);
  }
}

function nameOf({ metadata }: StoredObject): string {
  return metadata?.name ?? '';
}

function objectOf(name: string): StoredObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

/** Objects of 1 KB each, so that 512 of them fill a chunk. */
function objectsOf(count: number, from = 0): StoredObject[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `${from + index}`.padStart(1024, '.');
    return objectOf(name);
  });
}

function joined(objects: readonly StoredObject[], separator: string): string {
  return objects.map(nameOf).join(separator);
}

describe('the items of a list', () => {
  it('are those of its objects, whatever was listed before', () => {
    const anyName = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.nat({ max: 100_000 }).map((size) => 'x'.repeat(size + 1)),
    );
    const anyLists = fc.array(fc.array(fc.nat({ max: 29 }), { maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.constantFrom('', ','),
        fc.array(anyName, { minLength: 30, maxLength: 30 }),
        anyLists,
        (separator, names, lists) => {
          const items = new EncodedItems(new Names(separator));
          const objects = names.map(objectOf);
          for (const list of lists) {
            const chosen = list.map((index) => objects[index] as StoredObject);
            const bytes = Buffer.concat([...items.chunks(chosen)]);
            assert.equal(bytes.toString(), joined(chosen, separator));
            const [first] = chosen;
            if (first !== undefined) assert.equal(items.bytes(first).toString(), nameOf(first));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are right when lists and watches are encoded in turns', () => {
    const items = new EncodedItems(new Names(','));
    const lists = [objectsOf(2000), objectsOf(2000, 5000)];
    const sources = lists.map((objects) => ({
      chunks: items.chunks(objects),
      sent: [] as Buffer[],
    }));
    let isOver = false;
    for (let turn = 0; !isOver; turn++) {
      isOver = true;
      for (const { chunks, sent } of sources) {
        const { value, done } = chunks.next();
        if (done === true) continue;
        sent.push(value);
        isOver = false;
        items.bytes(objectOf(`event ${turn}`));
      }
    }
    for (const [index, { sent }] of sources.entries()) {
      assert.equal(Buffer.concat(sent).toString(), joined(lists[index] ?? [], ','));
    }
  });

  it('are encoded once and sent again without being copied', () => {
    const names = new Names(',');
    const items = new EncodedItems(names);
    const objects = objectsOf(2000);
    const first = [...items.chunks(objects)];
    const second = [...items.chunks(objects)];
    assert.ok(first.length > 1);
    assert.equal(names.encoded, 2000);
    assert.deepEqual(
      second.map(({ buffer, byteOffset, length }) => ({ buffer, byteOffset, length })),
      first.map(({ buffer, byteOffset, length }) => ({ buffer, byteOffset, length })),
    );
  });

  it('are copied where they are not in order any more, and then no longer', () => {
    const names = new Names(',');
    const items = new EncodedItems(names);
    const objects = objectsOf(400);
    Array.from(items.chunks(objects));
    const changed = objects.map((object, index) => (index % 40 === 20 ? objectOf('new') : object));
    const [chunk, ...others] = items.chunks(changed);
    assert.deepEqual(others, []);
    assert.equal(chunk?.toString(), joined(changed, ','));
    assert.equal(names.encoded, 410);
    const [again] = items.chunks(changed);
    assert.equal(again?.buffer, chunk?.buffer);
  });

  it('of an object that was encoded alone are not encoded again', () => {
    const names = new Names(',');
    const items = new EncodedItems(names);
    const objects = [...objectsOf(3), objectOf('x'.repeat(100_000))];
    for (const object of objects) assert.equal(items.bytes(object).toString(), nameOf(object));
    assert.equal(Buffer.concat([...items.chunks(objects)]).toString(), joined(objects, ','));
    assert.equal(names.encoded, 4);
  });

  it('take as much memory as they need', () => {
    const items = new EncodedItems(new Names(','));
    const [chunk] = items.chunks(objectsOf(10));
    assert.ok((chunk?.buffer.byteLength ?? 0) < 12 * 1024);
  });
});
