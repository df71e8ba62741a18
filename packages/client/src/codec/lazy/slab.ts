import { ReturnOverride } from '../../lib/return-override.ts';

/** Large enough that its own objects cost nothing, small enough to be copied within a turn. */
const slabBytes = 256 * 1024;
/** The first slab of a writer: most caches are small. Each further one is twice as large. */
const firstSlabBytes = 16 * 1024;
/** Longer objects keep a string of their own: few fit into a slab, and V8 does not copy large strings. */
export const longestInSlab: number = 64 * 1024;

/**
 * Attached to a whole object, invisibly: its bytes are a range of a slab, or a string of one byte per character.
 *
 * What a cache has a million of is one object with what is attached to it, not two: it takes less memory, and V8's
 * collections take less time.
 */
export class KeptBytes extends ReturnOverride {
  #source: Slab | Unpackable | string = '';
  /** 0 unless the bytes are in a slab. */
  #start = 0;
  #length: number;

  constructor(object: object, length = 0) {
    super(object);
    this.#length = length;
  }

  /** Undefined for an object that keeps no bytes. */
  static of(object: object): KeptBytes | undefined {
    return #source in object ? object : undefined;
  }

  static sourceOf(object: KeptBytes): Slab | Unpackable | string {
    return object.#source;
  }

  /** Returns where the bytes begin in their source. */
  static startOf(object: KeptBytes): number {
    return object.#start;
  }

  static lengthOf(object: KeptBytes): number {
    return object.#length;
  }

  /** For an object that was prepared before its bytes were known. */
  static setLength(object: KeptBytes, length: number): void {
    object.#length = length;
  }

  /** The bytes are in another place from now on. */
  static move(object: KeptBytes, source: Slab | Unpackable | string, start = 0): void {
    object.#source = source;
    object.#start = start;
  }
}

/** Bytes that are kept compressed. */
export interface Unpackable {
  /** Decompresses the bytes, every time. `length` is how many they are. */
  unpack(length: number): Buffer;
}

/**
 * Memory outside of V8's heap for the bytes of many objects. It is filled once, from its start to its end:
 * what has been written stays as it is for as long as an object refers to the slab. The memory is used
 * again when V8 has collected the slab.
 */
export class Slab {
  readonly bytes: Buffer;
  /** Stands for the arena that takes care of the slab; the arena itself would be kept alive by its objects. */
  owner: object | undefined;
  /** Where that arena has it in its list; -1 if it is not there. */
  position = -1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Writes the bytes of objects into slabs, one after another. */
export class SlabWriter {
  #slab: Slab | undefined;
  #end = 0;
  #nextSize = firstSlabBytes;

  /** The slab that was written to last. */
  get slab(): Slab | undefined {
    return this.#slab;
  }

  /** Moves the object to memory of its own, and returns the slab: its bytes are to be copied there. */
  place(object: KeptBytes): Slab {
    const length = KeptBytes.lengthOf(object);
    let slab = this.#slab;
    if (slab === undefined || this.#end + length > slab.bytes.length) {
      slab = newSlab(this.#nextSize, length);
      this.#nextSize = Math.min(this.#nextSize * 2, slabBytes);
      this.#slab = slab;
      this.#end = 0;
    }
    KeptBytes.move(object, slab, this.#end);
    this.#end += length;
    return slab;
  }

  /** Copies the bytes of the object, which begin at `start`. */
  write(object: KeptBytes, bytes: Buffer, start: number): void {
    const slab = this.place(object);
    const end = start + KeptBytes.lengthOf(object);
    bytes.copy(slab.bytes, KeptBytes.startOf(object), start, end);
  }
}

/** Memory of collected slabs. V8 may free it at its next collection: memory that is not needed does not stay. */
const spare: WeakRef<Buffer>[] = [];
/** How many slabs of full size there are, as far as V8 has found out. */
let slabsInUse = 0;
/** For how many slabs of full size memory was allocated. */
let allocated = 0;

/** Memory that is used again costs neither an allocation nor a collection. */
const collected = new FinalizationRegistry<Buffer>((bytes) => {
  slabsInUse -= 1;
  if (spare.length < mostSpare()) spare.push(new WeakRef(bytes));
});

/** Without a limit, spare memory would grow until V8 collects for another reason. */
function mostSpare(): number {
  return Math.min(3 * slabsInUse, 512) + (slabsInUse >> 2);
}

/** Returns a slab of about `size` bytes for objects of about this length. */
function newSlab(size: number, length: number): Slab {
  if (size < slabBytes) return new Slab(Buffer.allocUnsafeSlow(Math.max(size, length)));
  const bytes = spareBytes() ?? newMemory(fitting(length));
  const slab = new Slab(bytes);
  slabsInUse += 1;
  collected.register(slab, bytes);
  return slab;
}

/**
 * V8 collects everything whenever 64 MB have been allocated outside of its heap. That is too often: objects that
 * arrive are no garbage. It does not count shared memory, so of three slabs it counts one, and collects
 * about as often as with the bytes on its heap.
 */
function newMemory(size: number): Buffer {
  allocated += 1;
  return allocated % 3 === 0
    ? Buffer.allocUnsafeSlow(size)
    : Buffer.from(new SharedArrayBuffer(size));
}

function spareBytes(): Buffer | undefined {
  for (let last = spare.pop(); last !== undefined; last = spare.pop()) {
    const bytes = last.deref();
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** Objects of a kind have about the same length: a slab ends where the last of them does. */
function fitting(length: number): number {
  const objects = Math.floor(slabBytes / length) + 1 / 32;
  return Math.min(slabBytes, Math.ceil(objects * length));
}
