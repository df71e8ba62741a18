import { violation } from './violation.ts';

/**
 * The symbols of the Huffman code of RFC 7541, Appendix B, by the length of their codes. The code is
 * canonical, so this is all of it: codes of one length follow each other in the order of their
 * symbols, and longer ones continue where shorter ones end. The end-of-string symbol, the last of 30
 * bits, is left out: it must not occur.
 */
const SYMBOLS: readonly (readonly [length: number, symbols: string])[] = [
  [5, '012aceiost'],
  [6, ' %-./3456789=A_bdfghlmnpru'],
  [7, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, '&*,;XZ'],
  [10, '!"()?'],
  [11, "'+|"],
  [12, '#>'],
  [13, '\x00$@[]~'],
  [14, '^}'],
  [15, '<`{'],
  [19, '\\\xc3\xd0'],
  [20, '\x80\x82\x83\xa2\xb8\xc2\xe0\xe2'],
  [21, '\x99\xa1\xa7\xac\xb0\xb1\xb3\xd1\xd8\xd9\xe3\xe5\xe6'],
  [
    22,
    '\x81\x84\x85\x86\x88\x92\x9a\x9c\xa0\xa3\xa4\xa9\xaa\xad\xb2\xb5\xb9\xba\xbb\xbd\xbe\xc4\xc6' +
      '\xe4\xe8\xe9',
  ],
  [
    23,
    '\x01\x87\x89\x8a\x8b\x8c\x8d\x8f\x93\x95\x96\x97\x98\x9b\x9d\x9e\xa5\xa6\xa8\xae\xaf\xb4\xb6' +
      '\xb7\xbc\xbf\xc5\xe7\xef',
  ],
  [24, '\x09\x8e\x90\x91\x94\x9f\xab\xce\xd7\xe1\xec\xed'],
  [25, '\xc7\xcf\xea\xeb'],
  [26, '\xc0\xc1\xc8\xc9\xca\xcd\xd2\xd5\xda\xdb\xee\xf0\xf2\xf3\xff'],
  [27, '\xcb\xcc\xd3\xd4\xd6\xdd\xde\xdf\xf1\xf4\xf5\xf6\xf7\xf8\xfa\xfb\xfc\xfd\xfe'],
  [
    28,
    '\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x17\x18\x19\x1a\x1b\x1c' +
      '\x1d\x1e\x1f\x7f\xdc\xf9',
  ],
  [30, '\x0a\x0d\x16'],
];

/** Codes of up to this length are found in one step. */
const SHORT_BITS = 8;
const LONGEST = 30;

interface HuffmanTables {
  /** For each byte that starts with a short code: `symbol << 4 | length`. 0 for longer codes. */
  readonly short: Uint16Array;
  /** For each length: its first code, the place of its first symbol in `symbols`, and how many it has. */
  readonly firstCodes: Int32Array;
  readonly places: Int32Array;
  readonly counts: Int32Array;
  readonly symbols: Uint8Array;
}

let tables: HuffmanTables | undefined;

function makeTables(): HuffmanTables {
  const short = new Uint16Array(1 << SHORT_BITS);
  const firstCodes = new Int32Array(LONGEST + 1);
  const places = new Int32Array(LONGEST + 1);
  const counts = new Int32Array(LONGEST + 1);
  const symbols = Buffer.from(SYMBOLS.map(([, some]) => some).join(''), 'latin1');
  let code = 0;
  let place = 0;
  let previous = 0;
  for (const [length, some] of SYMBOLS) {
    code <<= length - previous;
    previous = length;
    firstCodes[length] = code;
    places[length] = place;
    counts[length] = some.length;
    const spare = SHORT_BITS - length;
    for (let index = 0; index < some.length; index += 1) {
      if (spare >= 0) {
        const entry = (some.charCodeAt(index) << 4) | length;
        short.fill(entry, (code + index) << spare, (code + index + 1) << spare);
      }
    }
    code += some.length;
    place += some.length;
  }
  return { short, firstCodes, places, counts, symbols };
}

/** Decoded strings are written here; it grows to the longest one. */
let output = Buffer.alloc(256);

/** Decodes the bytes from `start` to `end` into a string of Latin-1, one character per octet. */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string {
  const { short } = (tables ??= makeTables());
  // The shortest code has 5 bits.
  const longest = Math.ceil(((end - start) * 8) / 5);
  if (output.length < longest) output = Buffer.alloc(longest * 2);
  const lastBit = end * 8;
  let size = 0;
  let position = start * 8;
  while (position < lastBit) {
    const window = eightBits(bytes, position, end);
    const entry = short[window] as number;
    const left = lastBit - position;
    if (entry !== 0 && (entry & 15) <= left) {
      output[size++] = entry >> 4;
      position += entry & 15;
    } else if (left < SHORT_BITS) {
      // The rest of the last octet is the start of the end-of-string symbol: ones.
      if (window !== 0xff)
        throw violation('COMPRESSION_ERROR', 'a Huffman string has wrong padding');
      break;
    } else {
      const found = longCode(bytes, position, lastBit);
      output[size++] = found & 0xff;
      position += found >> 8;
    }
  }
  return output.toString('latin1', 0, size);
}

/** Returns eight bits from `position` on, with ones behind the end. */
function eightBits(bytes: Uint8Array, position: number, end: number): number {
  const index = position >>> 3;
  const next = index + 1 < end ? (bytes[index + 1] as number) : 0xff;
  return ((((bytes[index] as number) << 8) | next) >> (8 - (position & 7))) & 0xff;
}

/** Returns `length << 8 | symbol` of the code at `position`, which is longer than eight bits. */
function longCode(bytes: Uint8Array, position: number, lastBit: number): number {
  const { firstCodes, places, counts, symbols } = (tables ??= makeTables());
  let code = 0;
  for (let length = 1; length <= LONGEST; length += 1) {
    const bit = position + length - 1;
    if (bit >= lastBit) break;
    code = (code << 1) | (((bytes[bit >>> 3] as number) >> (7 - (bit & 7))) & 1);
    const index = code - (firstCodes[length] as number);
    if (index >= 0 && index < (counts[length] as number)) {
      return (length << 8) | (symbols[(places[length] as number) + index] as number);
    }
  }
  throw violation('COMPRESSION_ERROR', 'a Huffman string has a code that does not exist');
}
