import { decodeHuffman } from './huffman.ts';
import { violation } from './violation.ts';
import { FIELD_OVERHEAD, STATIC_NAMES, STATIC_VALUES, TABLE_SIZE } from './static-table.ts';

/** An integer above this is not one of a header block that fits into the limits. */
const MAX_INTEGER = 2 ** 28;

/** The evicted fields that the table keeps before it moves the others to the front. */
const EVICTED = 64;

/**
 * Decodes header blocks (HPACK, RFC 7541). Every block of a connection must be decoded, in order: each
 * changes the table that the next one refers to.
 */
export class HeaderDecoder {
  readonly #maxListSize: number;
  /** The dynamic table: fields from `#first` on, the newest last. */
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  #first = 0;
  #size = 0;
  #capacity = TABLE_SIZE;
  #block: Buffer = Buffer.alloc(0);
  #position = 0;

  /** `maxListSize` bounds the decoded fields of one block, which may be much larger than the block. */
  constructor(maxListSize: number) {
    this.#maxListSize = maxListSize;
  }

  /** Returns names and values, interleaved, one character per octet. */
  decode(block: Buffer): string[] {
    this.#block = block;
    this.#position = 0;
    const fields: string[] = [];
    let listSize = 0;
    while (this.#position < block.length) {
      const first = block[this.#position] as number;
      if ((first & 0xe0) === 0x20) {
        if (fields.length > 0) throw violation('COMPRESSION_ERROR', 'a table size follows a field');
        this.#resize(this.#integer(5));
        continue;
      }
      this.#readField(first, fields);
      const size = fields.length;
      listSize += (fields[size - 2] as string).length + (fields[size - 1] as string).length;
      listSize += FIELD_OVERHEAD;
      if (listSize > this.#maxListSize) {
        const message = `the headers of a response exceed ${this.#maxListSize} bytes`;
        throw violation('ENHANCE_YOUR_CALM', message);
      }
    }
    return fields;
  }

  #readField(first: number, fields: string[]): void {
    if (first >= 0x80) {
      const index = this.#integer(7);
      fields.push(this.#nameAt(index), this.#valueAt(index));
      return;
    }
    const isIndexed = first >= 0x40;
    const index = this.#integer(isIndexed ? 6 : 4);
    const name = index === 0 ? this.#string() : this.#nameAt(index);
    const value = this.#string();
    fields.push(name, value);
    if (isIndexed) this.#add(name, value);
  }

  #nameAt(index: number): string {
    if (index > 0 && index <= STATIC_NAMES.length) return STATIC_NAMES[index - 1] as string;
    return this.#names[this.#placeOf(index)] as string;
  }

  #valueAt(index: number): string {
    if (index > 0 && index <= STATIC_VALUES.length) return STATIC_VALUES[index - 1] as string;
    return this.#values[this.#placeOf(index)] as string;
  }

  #placeOf(index: number): number {
    const place = this.#names.length - (index - STATIC_NAMES.length);
    if (index === 0 || place < this.#first) {
      throw violation('COMPRESSION_ERROR', `the header tables have no field ${index}`);
    }
    return place;
  }

  #add(name: string, value: string): void {
    const size = name.length + value.length + FIELD_OVERHEAD;
    this.#evict(this.#capacity - size);
    // A field that is larger than the table empties it.
    if (size > this.#capacity) return;
    this.#names.push(name);
    this.#values.push(value);
    this.#size += size;
  }

  #resize(capacity: number): void {
    if (capacity > TABLE_SIZE) throw violation('COMPRESSION_ERROR', `a table of ${capacity} bytes`);
    this.#capacity = capacity;
    this.#evict(capacity);
  }

  /** Removes the oldest fields until the others fit. */
  #evict(capacity: number): void {
    while (this.#size > capacity && this.#first < this.#names.length) {
      const name = this.#names[this.#first] as string;
      const value = this.#values[this.#first] as string;
      this.#size -= name.length + value.length + FIELD_OVERHEAD;
      this.#first += 1;
    }
    if (this.#first < EVICTED) return;
    this.#names.splice(0, this.#first);
    this.#values.splice(0, this.#first);
    this.#first = 0;
  }

  #byte(): number {
    const byte = this.#block[this.#position];
    if (byte === undefined) throw violation('COMPRESSION_ERROR', 'a header block is cut off');
    this.#position += 1;
    return byte;
  }

  /** Reads an integer whose first part has `bits` bits (RFC 7541, section 5.1). */
  #integer(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    let factor = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (value > MAX_INTEGER || factor > MAX_INTEGER) {
        throw violation('COMPRESSION_ERROR', 'an integer in a header block is too large');
      }
      if (byte < 0x80) return value;
      factor *= 128;
    }
  }

  #string(): string {
    const isHuffman = ((this.#block[this.#position] ?? 0) & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#position;
    const end = start + length;
    if (end > this.#block.length) throw violation('COMPRESSION_ERROR', 'a header block is cut off');
    this.#position = end;
    return isHuffman
      ? decodeHuffman(this.#block, start, end)
      : this.#block.toString('latin1', start, end);
  }
}
