import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Unpackable } from './slab.ts';

/**
 * Fast rather than small: most of the gain is the dictionary. Results are small too; memory of the usual 16 KB
 * for each of them would be collected after every few thousand objects.
 */
const settings = { level: 1, windowBits: 14, memLevel: 6, chunkSize: 1024 };
/** An object that shares less than half of its bytes with the dictionary becomes the next one. */
const maxDictionaries = 16;
/** Shorter objects are not worth the processor time. */
const minLength = 256;

/** The bytes of an object, compressed. */
export class PackedBytes implements Unpackable {
  readonly #packed: string;
  readonly #dictionary: Buffer;

  constructor(packed: string, dictionary: Buffer) {
    this.#packed = packed;
    this.#dictionary = dictionary;
  }

  unpack(length: number): Buffer {
    const packed = Buffer.from(this.#packed, 'latin1');
    const { windowBits } = settings;
    // With a byte more than it needs, zlib knows that it is done.
    const options = { windowBits, chunkSize: length + 1, dictionary: this.#dictionary };
    return inflateRawSync(packed, options);
  }
}

/**
 * Compresses the objects of one resource. An object by itself shrinks to a half; what makes them small is
 * that they resemble each other, so an earlier object is the dictionary of the later ones.
 */
export class Packer {
  #dictionary: Buffer | undefined;
  #dictionaries = 0;

  /**
   * Returns the compressed bytes, or undefined if that does not make them much smaller. The bytes must not
   * change later: they may become the dictionary.
   */
  pack(bytes: Buffer): PackedBytes | undefined {
    if (bytes.length < minLength) return undefined;
    const dictionary = (this.#dictionary ??= bytes);
    const packed = deflateRawSync(bytes, { ...settings, dictionary });
    if (packed.length * 2 > bytes.length && this.#dictionaries < maxDictionaries) {
      this.#dictionary = bytes;
      this.#dictionaries += 1;
    }
    if (packed.length * 4 > bytes.length * 3) return undefined;
    return new PackedBytes(packed.toString('latin1'), dictionary);
  }
}
