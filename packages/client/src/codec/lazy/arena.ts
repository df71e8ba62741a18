import { wholeBytesOf } from './lazy-fields.ts';
import { type KeptBytes, Slab, SlabWriter } from './slab.ts';

/**
 * So much of the slabs may be unused, in proportion to what is used, before objects are moved. With 1/4, almost one
 * object is moved for each that arrives, when they change at random; with 1 a sixth of one.
 */
const wasteShare = 1;
/** In addition: the slabs of a small cache are never full. */
const wasteBytes = 512 * 1024;
/** Of so many slabs the emptiest is taken: almost as good as the emptiest of all, and found immediately. */
const candidates = 16;

/**
 * Keeps the bytes of a store's objects together. Objects arrive in slabs that are full; as they are replaced, the
 * slabs become sparse. Those that are left in a sparse slab are moved to another one, so that V8 can collect it.
 *
 * An object that has left the store stays where it is: what a program holds is never overwritten.
 */
export class Arena {
  readonly #owner = {};
  readonly #slabs: Slab[] = [];
  readonly #writer = new SlabWriter();
  /** The sum of the sizes of the slabs, and how much of them objects of the store take. */
  #size = 0;
  #kept = 0;
  #next = 0;

  /** Takes care of an object that is in the store from now on. Other stores may have the object too. */
  keep(object: object): void {
    const bytes = wholeBytesOf(object);
    if (bytes === undefined || !(bytes.source instanceof Slab)) return;
    bytes.source.owner ??= this.#owner;
    if (bytes.source.owner === this.#owner) this.#add(bytes.source, bytes);
  }

  /** The object is no longer in the store. */
  release(object: object): void {
    const bytes = wholeBytesOf(object);
    if (bytes === undefined || !(bytes.source instanceof Slab)) return;
    const slab = bytes.source;
    if (slab.owner !== this.#owner) return;
    const { kept } = slab;
    const at = kept.indexOf(bytes);
    if (at === -1) return;
    const last = kept.pop() as KeptBytes;
    if (at < kept.length) kept[at] = last;
    slab.keptBytes -= bytes.length;
    this.#kept -= bytes.length;
    if (kept.length === 0) this.#remove(slab);
    if (this.#size - this.#kept > this.#kept * wasteShare + wasteBytes) this.#compact();
  }

  #add(slab: Slab, bytes: KeptBytes): void {
    if (slab.position === -1) {
      slab.position = this.#slabs.length;
      this.#slabs.push(slab);
      this.#size += slab.bytes.length;
    }
    slab.kept.push(bytes);
    slab.keptBytes += bytes.length;
    this.#kept += bytes.length;
  }

  #remove(slab: Slab): void {
    const last = this.#slabs.pop() as Slab;
    if (last !== slab) {
      this.#slabs[slab.position] = last;
      last.position = slab.position;
    }
    slab.position = -1;
    this.#size -= slab.bytes.length;
  }

  /** Moves what is kept in a sparse slab to another one. */
  #compact(): void {
    const sparse = this.#sparseSlab();
    if (sparse === undefined) return;
    const moved = sparse.kept.splice(0);
    this.#remove(sparse);
    this.#kept -= sparse.keptBytes;
    sparse.keptBytes = 0;
    for (const bytes of moved) {
      const { start } = bytes;
      this.#writer.write(bytes, sparse.bytes, start, start + bytes.length);
      const slab = this.#writer.slab as Slab;
      slab.owner = this.#owner;
      this.#add(slab, bytes);
    }
  }

  #sparseSlab(): Slab | undefined {
    const slabs = this.#slabs;
    let found: Slab | undefined;
    let leastShare = 1;
    for (let count = Math.min(candidates, slabs.length); count > 0; count--) {
      this.#next = this.#next + 1 < slabs.length ? this.#next + 1 : 0;
      const slab = slabs[this.#next] as Slab;
      const share = slab.keptBytes / slab.bytes.length;
      if (share < leastShare && slab !== this.#writer.slab) {
        found = slab;
        leastShare = share;
      }
    }
    return found;
  }
}
