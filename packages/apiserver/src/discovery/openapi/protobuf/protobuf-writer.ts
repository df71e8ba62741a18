const FIRST_BYTES = 4 * 1024;

/** Protobuf wire types. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;

/** Writes the fields of a protobuf message in order. */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** Returns a copy of everything written. */
  finish(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }

  string(field: number, text: string): void {
    const size = Buffer.byteLength(text);
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(size);
    this.#reserve(size);
    this.#length += this.#bytes.write(text, this.#length, size, 'utf8');
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  boolean(field: number, value: boolean): void {
    this.integer(field, Number(value));
  }

  /** Writes a non-negative safe integer. */
  integer(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  /** Writes a nested message with the fields that `write` writes. */
  message(field: number, write: () => void): void {
    this.#tag(field, LENGTH_DELIMITED);
    const start = this.#length;
    write();
    // The length precedes the content, so this moves the content to make room for it.
    const size = this.#length - start;
    const room = varintSize(size);
    this.#reserve(room);
    this.#bytes.copyWithin(start + room, start, this.#length);
    this.#length = start;
    this.#varint(size);
    this.#length += size;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
