import { FIELD_OVERHEAD, STATIC_NAMES, STATIC_VALUES, TABLE_SIZE } from './static-table.ts';

/** Secrets: neither this table nor that of a proxy on the way may keep them. */
const SECRETS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Fields that differ from request to request would only push others out of the table. */
const CHANGING = new Set([':path', 'content-length', 'if-match', 'traceparent', 'tracestate']);

/** The first byte of each representation, with the bits of the integer that starts in it. */
const INDEXED = [0x80, 7] as const;
const LITERAL_ADDED = [0x40, 6] as const;
const LITERAL = [0x00, 4] as const;
const LITERAL_NEVER_INDEXED = [0x10, 4] as const;
const NEW_SIZE = [0x20, 5] as const;
/** A string that is not Huffman-coded. */
const STRING = [0x00, 7] as const;

/** The most that an integer takes. */
const INTEGER_BYTES = 6;

const staticNames = new Map<string, number>();
const staticFields = new Map<string, Map<string, number>>();
for (const [place, name] of STATIC_NAMES.entries()) {
  if (!staticNames.has(name)) staticNames.set(name, place + 1);
  const value = STATIC_VALUES[place] as string;
  if (value !== '') indexValue(staticFields, name, value, place + 1);
}

/**
 * Encodes header blocks (HPACK, RFC 7541), without Huffman. A client sends the same few headers with
 * each request, so its table never evicts a field: it is emptied when it is full. Every block must be
 * sent, in order.
 */
export class HeaderEncoder {
  /** For each name and value of the dynamic table, how many fields were added before. */
  readonly #fields = new Map<string, Map<string, number>>();
  #count = 0;
  #size = 0;
  #capacity = TABLE_SIZE;
  /** A field did not fit; the table is emptied before the next block. */
  #isFull = false;
  /** The next block must announce to the decoder that the table was emptied. */
  #isEmptied = false;
  #output = Buffer.allocUnsafeSlow(4096);
  #length = 0;

  /** Sets the most that the server's table may hold; more than the default is not used. */
  setCapacity(bytes: number): void {
    const capacity = Math.min(bytes, TABLE_SIZE);
    if (capacity === this.#capacity) return;
    this.#capacity = capacity;
    this.#empty();
  }

  /** Encodes names and values, interleaved, one character per octet. The bytes are valid until the next call. */
  encode(fields: readonly string[]): Buffer {
    this.#length = 0;
    if (this.#isFull) this.#empty();
    if (this.#isEmptied) this.#tellSize();
    for (let index = 0; index < fields.length; index += 2) {
      this.#writeField(fields[index] as string, fields[index + 1] as string);
    }
    return this.#output.subarray(0, this.#length);
  }

  #writeField(name: string, value: string): void {
    this.#reserve(name.length + value.length + 5 * INTEGER_BYTES);
    const index = staticFields.get(name)?.get(value) ?? this.#dynamicIndex(name, value);
    if (index !== undefined) {
      this.#integer(INDEXED, index);
      return;
    }
    const kind = this.#kindOf(name, value);
    const nameIndex = staticNames.get(name) ?? 0;
    this.#integer(kind, nameIndex);
    if (nameIndex === 0) this.#string(name);
    this.#string(value);
  }

  #dynamicIndex(name: string, value: string): number | undefined {
    const before = this.#fields.get(name)?.get(value);
    return before === undefined ? undefined : STATIC_NAMES.length + this.#count - before;
  }

  #kindOf(name: string, value: string): readonly [number, number] {
    if (SECRETS.has(name)) return LITERAL_NEVER_INDEXED;
    const size = name.length + value.length + FIELD_OVERHEAD;
    // One field may not take most of the table.
    if (CHANGING.has(name) || size > this.#capacity / 4) return LITERAL;
    if (this.#size + size > this.#capacity) {
      this.#isFull = true;
      return LITERAL;
    }
    this.#size += size;
    indexValue(this.#fields, name, value, this.#count);
    this.#count += 1;
    return LITERAL_ADDED;
  }

  #empty(): void {
    this.#fields.clear();
    this.#count = 0;
    this.#size = 0;
    this.#isFull = false;
    this.#isEmptied = true;
  }

  /** At the beginning of a block: the table is emptied, then has its size again. */
  #tellSize(): void {
    this.#isEmptied = false;
    this.#integer(NEW_SIZE, 0);
    this.#integer(NEW_SIZE, this.#capacity);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#output.length) return;
    const larger = Buffer.allocUnsafeSlow((this.#length + bytes) * 2);
    this.#output.copy(larger, 0, 0, this.#length);
    this.#output = larger;
  }

  #integer([mark, bits]: readonly [number, number], value: number): void {
    const most = (1 << bits) - 1;
    if (value < most) {
      this.#output[this.#length++] = mark | value;
      return;
    }
    this.#output[this.#length++] = mark | most;
    let rest = value - most;
    while (rest >= 0x80) {
      this.#output[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#output[this.#length++] = rest;
  }

  #string(text: string): void {
    this.#integer(STRING, text.length);
    this.#length += this.#output.write(text, this.#length, 'latin1');
  }
}

function indexValue(
  fields: Map<string, Map<string, number>>,
  name: string,
  value: string,
  index: number,
): void {
  const values = fields.get(name);
  if (values === undefined) fields.set(name, new Map([[value, index]]));
  else if (!values.has(value)) values.set(value, index);
}
