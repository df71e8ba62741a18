/** Large enough that its own objects cost nothing, small enough to be copied within a turn. */
const slabBytes = 256 * 1024;
/** The first slab of a writer: most caches are small. Each further one is twice as large. */
const firstSlabBytes = 16 * 1024;
/** Longer objects keep a string of their own: few fit into a slab, and V8 does not copy large strings. */
export const longestInSlab: number = 64 * 1024;

/** The bytes of a whole object: a range of a slab, or a string. */
export interface KeptBytes {
  /** A string has one byte per character. */
  source: Slab | Unpackable | string;
  /** Where the bytes begin; 0 unless they are in a slab. */
  start: number;
  readonly length: number;
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
    const { length } = object;
    let slab = this.#slab;
    if (slab === undefined || this.#end + length > slab.bytes.length) {
      slab = newSlab(this.#nextSize, length);
      this.#nextSize = Math.min(this.#nextSize * 2, slabBytes);
      this.#slab = slab;
      this.#end = 0;
    }
    object.source = slab;
    object.start = this.#end;
    this.#end += length;
    return slab;
  }

  /** Copies the bytes of the object, which begin at `start`. */
  write(object: KeptBytes, bytes: Buffer, start: number): void {
    const slab = this.place(object);
    bytes.copy(slab.bytes, object.start, start, start + object.length);
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
