import { wholeBytesOf } from './lazy-fields.ts';
import { type KeptBytes, Slab, SlabWriter } from './slab.ts';

/**
 * So much of the slabs may be unused, in proportion to what is used, before objects are moved. With 1/4, almost one
 * object is moved for each that arrives, when they change at random; with 1 a fifth of one.
 */
const wasteShare = 1;
/** In addition: the slabs of a small cache are never full. */
const wasteBytes = 512 * 1024;
/** Of so many slabs the emptiest is taken: almost as good as the emptiest of all, and found immediately. */
const candidates = 16;

/** What an arena knows of a slab. The slab does not refer to it: a holder of an object would keep its neighbours. */
interface Content {
  readonly slab: Slab;
  /** The objects that are in the store, and the sum of their lengths. */
  readonly kept: KeptBytes[];
  bytes: number;
}

/**
 * Keeps the bytes of a store's objects together. Objects arrive in slabs that are full; as they are replaced, the
 * slabs become sparse. Those that are left in a sparse slab are moved to another one, so that V8 can collect it.
 *
 * An object that has left the store stays where it is: what a program holds is never overwritten.
 */
export class Arena {
  readonly #owner = {};
  /** By the positions of the slabs. */
  readonly #list: Content[] = [];
  readonly #writer = new SlabWriter();
  /** The slab of the last object that arrived: it is still being filled, not sparse. */
  #newest: Slab | undefined;
  /** The sum of the sizes of the slabs, and how much of them objects of the store take. */
  #size = 0;
  #kept = 0;
  #next = 0;

  /** Takes care of an object that is in the store from now on. Other stores may have the object too. */
  keep(object: object): void {
    const bytes = wholeBytesOf(object);
    if (bytes === undefined || !(bytes.source instanceof Slab)) return;
    bytes.source.owner ??= this.#owner;
    if (bytes.source.owner !== this.#owner) return;
    this.#newest = bytes.source;
    this.#add(bytes.source, bytes);
  }

  /** The object is no longer in the store. */
  release(object: object): void {
    const bytes = wholeBytesOf(object);
    if (bytes === undefined || !(bytes.source instanceof Slab)) return;
    const content = this.#contentOf(bytes.source);
    if (content === undefined) return;
    const { kept } = content;
    const at = kept.indexOf(bytes);
    if (at === -1) return;
    const last = kept.pop() as KeptBytes;
    if (at < kept.length) kept[at] = last;
    content.bytes -= bytes.length;
    this.#kept -= bytes.length;
    if (kept.length === 0) this.#remove(content);
    if (this.#size - this.#kept > this.#kept * wasteShare + wasteBytes) this.#compact();
  }

  #contentOf({ owner, position }: Slab): Content | undefined {
    return owner === this.#owner && position !== -1 ? this.#list[position] : undefined;
  }

  #add(slab: Slab, bytes: KeptBytes): void {
    let content = this.#contentOf(slab);
    if (content === undefined) {
      content = { slab, kept: [], bytes: 0 };
      slab.position = this.#list.length;
      this.#list.push(content);
      this.#size += slab.bytes.length;
    }
    content.kept.push(bytes);
    content.bytes += bytes.length;
    this.#kept += bytes.length;
  }

  #remove(content: Content): void {
    const { slab } = content;
    const last = this.#list.pop() as Content;
    if (last !== content) {
      this.#list[slab.position] = last;
      last.slab.position = slab.position;
    }
    slab.position = -1;
    this.#size -= slab.bytes.length;
    this.#kept -= content.bytes;
  }

  /** Moves what is kept in a sparse slab to another one. */
  #compact(): void {
    const sparse = this.#sparsest();
    if (sparse === undefined) return;
    this.#remove(sparse);
    for (const bytes of sparse.kept) {
      // An object that is stored under two keys is here twice.
      if (bytes.source === sparse.slab) {
        this.#writer.write(bytes, sparse.slab.bytes, bytes.start);
      }
      // It may have left for a string of its own.
      if (!(bytes.source instanceof Slab)) continue;
      bytes.source.owner = this.#owner;
      this.#add(bytes.source, bytes);
    }
  }

  #sparsest(): Content | undefined {
    const list = this.#list;
    let found: Content | undefined;
    let leastShare = 1;
    for (let count = Math.min(candidates, list.length); count > 0; count--) {
      this.#next = this.#next + 1 < list.length ? this.#next + 1 : 0;
      const content = list[this.#next] as Content;
      const share = content.bytes / content.slab.bytes.length;
      const isFilled = content.slab !== this.#writer.slab && content.slab !== this.#newest;
      if (share < leastShare && isFilled) {
        found = content;
        leastShare = share;
      }
    }
    return found;
  }
}
