import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { MemoryStore } from '../store/memory-store.ts';
import { CompactedError, type StoreEvent } from '../store/store.ts';
import { chunkOf, nextEvents, SharedChunks, type WatchChunk } from './watch-chunks.ts';

const PODS = '//pods/';

/** A store, and what watches of it get; `made` counts the chunks that were not shared. */
class Watched {
  readonly store: MemoryStore = new MemoryStore();
  readonly #shared = new SharedChunks();
  made = 0;

  write(name: string): void {
    this.store.put(`${PODS}${name}`, () => ({ metadata: { name } }));
  }

  next(revision: number, prefix = PODS): WatchChunk {
    const position = { store: this.store, prefix, revision };
    return this.#shared.next(position, () => {
      this.made += 1;
      return chunkOf(nextEvents(position), frameOf);
    });
  }

  text(revision: number, prefix = PODS): string {
    return Buffer.from(this.next(revision, prefix).bytes ?? []).toString();
  }
}

function frameOf({ entry }: StoreEvent): Buffer {
  return Buffer.from(`${entry?.value.metadata?.name} `);
}

describe('SharedChunks', () => {
  it('returns the same chunk to all watches at the same position', () => {
    const watched = new Watched();
    const start = watched.store.revision;
    watched.write('default/a');
    watched.write('default/b');
    const first = watched.next(start);
    // One that has nothing to send in between.
    assert.equal(watched.next(first.upTo ?? 0).upTo, undefined);
    assert.equal(watched.next(start).bytes, first.bytes);
    assert.equal(Buffer.from(first.bytes ?? []).toString(), 'default/a default/b ');
    assert.equal(watched.made, 2);
  });

  it('keeps positions and namespaces apart, and sees what was written since', () => {
    const watched = new Watched();
    const start = watched.store.revision;
    watched.write('x/a');
    watched.write('y/b');
    assert.equal(watched.text(start), 'x/a y/b ');
    assert.equal(watched.text(start + 1), 'y/b ');
    assert.equal(watched.text(start, `${PODS}x/`), 'x/a ');
    watched.write('x/c');
    assert.equal(watched.text(start, `${PODS}x/`), 'x/a x/c ');
  });

  it('fails for a position that was compacted after another watch was sent its chunk', () => {
    const watched = new Watched();
    const start = watched.store.revision;
    watched.write('default/a');
    assert.equal(watched.text(start), 'default/a ');
    watched.store.compact();
    assert.throws(() => watched.next(start), CompactedError);
  });
});
