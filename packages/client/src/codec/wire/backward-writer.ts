const FIRST_BYTES = 4 * 1024;
/** A larger buffer is not reused. */
const KEPT_BYTES = 256 * 1024;
const TWO_TO_32 = 2 ** 32;

let spare: Buffer | undefined;

/**
 * Writes protobuf from the last byte to the first. In that direction the length of a nested message
 * is known when it is written, so that one pass suffices.
 *
 * {@link finish} ends it and passes the buffer on to the next writer.
 */
export class BackwardWriter {
  #bytes: Buffer;
  #position: number;

  constructor() {
    // Taken, not shared: a getter of the encoded object could start another writer.
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
    spare = undefined;
    this.#position = this.#bytes.length;
  }

  /** The number of bytes written so far; the difference of two is the length in between. */
  get written(): number {
    return this.#bytes.length - this.#position;
  }

  /** Returns a copy of everything written. */
  finish(): Uint8Array {
    const result = this.since(0);
    if (this.#bytes.length <= KEPT_BYTES) spare = this.#bytes;
    return result;
  }

  /** Returns a copy of what was written after the first `earlier` bytes. */
  since(earlier: number): Uint8Array {
    const end = this.#bytes.length - earlier;
    return Uint8Array.prototype.slice.call(this.#bytes, this.#position, end);
  }

  /** Forgets everything written. */
  clear(): void {
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#position = this.#bytes.length;
  }

  /** Copies everything written. */
  copyTo(target: Uint8Array, start: number): void {
    this.#bytes.copy(target, start, this.#position);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[--this.#position] = value;
  }

  /** Writes an unsigned number below 2^32. */
  uint32(value: number): void {
    if (value < 0x80) this.byte(value);
    else this.#varint(value, 0);
  }

  /** Writes a safe integer; negative ones take ten bytes, as in protobuf. */
  integer(value: number): void {
    if (value >= 0 && value < 0x80) this.byte(value);
    else this.#varint(value >>> 0, Math.floor(value / TWO_TO_32) >>> 0);
  }

  /** Writes any 64-bit integer. */
  bigint(value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.#varint(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#position -= 8;
    this.#bytes.writeDoubleLE(value, this.#position);
  }

  /** Writes a string in UTF-8 with its length before it. */
  string(text: string): void {
    const length = text.length;
    this.#reserve(length);
    const bytes = this.#bytes;
    let position = this.#position;
    // Most strings are short and ASCII; a native call costs more than this loop.
    let index = length < 64 ? length - 1 : -2;
    while (index >= 0) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) break;
      bytes[--position] = unit;
      index--;
    }
    if (index === -1) {
      this.#position = position;
      this.uint32(length);
      return;
    }
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#position -= size;
    this.#bytes.write(text, this.#position, size, 'utf8');
    this.uint32(size);
  }

  /** Writes bytes with their length before them. */
  bytes(value: Uint8Array): void {
    this.raw(value);
    this.uint32(value.length);
  }

  /** Writes bytes without a length. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#position -= value.length;
    this.#bytes.set(value, this.#position);
  }

  /** As {@link raw}, for bytes that are mostly few: a native call costs more than a loop. */
  short(value: Uint8Array): void {
    const length = value.length;
    if (length > 32) {
      this.raw(value);
      return;
    }
    this.#reserve(length);
    const bytes = this.#bytes;
    let position = this.#position;
    for (let index = length - 1; index >= 0; index--) bytes[--position] = value[index] as number;
    this.#position = position;
  }

  #varint(low: number, high: number): void {
    this.#reserve(10);
    const bits = high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
    let size = Math.max(1, Math.ceil(bits / 7));
    this.#position -= size;
    let at = this.#position;
    let [lower, upper] = [low, high];
    for (; size > 1; size--) {
      this.#bytes[at++] = (lower & 0x7f) | 0x80;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    this.#bytes[at] = lower;
  }

  #reserve(count: number): void {
    if (count <= this.#position) return;
    const written = this.written;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, written + count));
    this.#bytes.copy(grown, grown.length - written, this.#position);
    this.#position = grown.length - written;
    this.#bytes = grown;
  }
}
