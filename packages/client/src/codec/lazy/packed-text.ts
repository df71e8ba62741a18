import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Fast rather than small: most of the gain is the dictionary. */
const settings = { level: 1, windowBits: 14, memLevel: 6 };
/** An object that shares less than half of its bytes with the dictionary becomes the next one. */
const maxDictionaries = 16;
/** Shorter objects are not worth the processor time. */
const minLength = 256;

/** The Latin-1 string of an object, compressed. */
export class PackedText {
  readonly #packed: string;
  readonly #dictionary: Buffer;

  constructor(packed: string, dictionary: Buffer) {
    this.#packed = packed;
    this.#dictionary = dictionary;
  }

  /** Decompresses the string, every time. */
  get text(): string {
    const packed = Buffer.from(this.#packed, 'latin1');
    const { windowBits } = settings;
    return inflateRawSync(packed, { windowBits, dictionary: this.#dictionary }).toString('latin1');
  }
}

/**
 * Compresses the objects of one resource. An object by itself shrinks to a half; what makes them small is
 * that they resemble each other, so an earlier object is the dictionary of the later ones.
 */
export class TextPacker {
  #dictionary: Buffer | undefined;
  #dictionaries = 0;

  /** Returns the compressed string, or the string itself if that does not make it much smaller. */
  pack(text: string): PackedText | string {
    if (text.length < minLength) return text;
    const bytes = Buffer.from(text, 'latin1');
    const dictionary = (this.#dictionary ??= bytes);
    const packed = deflateRawSync(bytes, { ...settings, dictionary });
    if (packed.length * 2 > bytes.length && this.#dictionaries < maxDictionaries) {
      this.#dictionary = bytes;
      this.#dictionaries += 1;
    }
    if (packed.length * 4 > bytes.length * 3) return text;
    return new PackedText(packed.toString('latin1'), dictionary);
  }
}
