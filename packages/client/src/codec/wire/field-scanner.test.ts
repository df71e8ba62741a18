import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FieldScanner, fieldSet, LARGEST_BIT, OTHER_FIELDS, UNEXPECTED } from './field-scanner.ts';
import { bytesTag, varintTag, WIRE_TYPE, WireReader } from './wire-reader.ts';

/** A length-delimited field; its length has up to four bytes. */
function text(number: number, content: string): Buffer {
  const bytes = Buffer.from(content);
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([tag(bytesTag(number)), Buffer.from([...length, rest]), bytes]);
}

function tag(value: number): Buffer {
  return Buffer.from(value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >>> 7]);
}

const flag = (number: number): Buffer => Buffer.concat([tag(varintTag(number)), Buffer.from([1])]);

function messageOf(...fields: Buffer[]): {
  bytes: Buffer;
  scanner: FieldScanner;
  scan: (single: number, tag?: number) => number;
  single: (number: number) => string;
  values: () => string[];
} {
  const bytes = Buffer.concat(fields);
  const scanner = new FieldScanner();
  return {
    bytes,
    scanner,
    scan: (single, wanted) => scanner.scan(bytes, 0, bytes.length, single, wanted),
    single: (number) => bytes.toString('utf8', scanner.starts[number], scanner.ends[number]),
    values: () => {
      const found = scanner.ranges.slice(0, scanner.rangesLength);
      return found.flatMap((start, at) =>
        at % 2 === 0 ? [bytes.toString('utf8', start, found[at + 1])] : [],
      );
    },
  };
}

describe('the scanner of fields', () => {
  it('finds single fields in one pass, with tags and lengths of any size', () => {
    const long = 'x'.repeat(20_000);
    const { scan, single } = messageOf(text(1, 'a'), flag(2), text(3, long), text(17, 'b'));
    assert.equal(scan(fieldSet(1, 3, 17)), fieldSet(1, 2, 3, 17) | OTHER_FIELDS);
    assert.deepEqual([single(1), single(3), single(17)], ['a', long, 'b']);
  });

  it('says which fields there are, also those that are not sought', () => {
    const { scan } = messageOf(text(2, 'a'), text(2, 'b'), text(LARGEST_BIT, 'c'));
    assert.equal(scan(fieldSet(1)), fieldSet(2, LARGEST_BIT));
    assert.equal(messageOf(text(LARGEST_BIT + 1, 'a')).scan(0), OTHER_FIELDS);
    assert.equal(messageOf().scan(fieldSet(1)), 0);
  });

  it('finds all values of a field, whatever its number', () => {
    for (const number of [2, LARGEST_BIT, LARGEST_BIT + 1, 100]) {
      const message = messageOf(text(1, 'a'), text(number, 'b'), text(number, 'c'));
      assert.notEqual(message.scan(0, bytesTag(number)), UNEXPECTED);
      assert.deepEqual(message.values(), ['b', 'c']);
    }
  });

  it('forgets the values of the message before', () => {
    const scanner = new FieldScanner();
    const [two, none] = [Buffer.concat([text(2, 'a'), text(2, 'b')]), text(1, 'a')];
    scanner.scan(two, 0, two.length, 0, bytesTag(2));
    assert.equal(scanner.rangesLength, 4);
    scanner.scan(none, 0, none.length, 0, bytesTag(2));
    assert.equal(scanner.rangesLength, 0);
  });

  it('keeps no room for the values of a long list once it is trimmed', () => {
    const listOf = (count: number): Buffer[] => Array.from({ length: count }, () => text(2, ''));
    const long = messageOf(...listOf(5000));
    long.scan(0, bytesTag(2));
    assert.equal(long.scanner.rangesLength, 10_000);
    long.scanner.trim();
    assert.equal(long.scanner.ranges.length, 0);
    long.scan(0, bytesTag(2));
    assert.equal(long.values().length, 5000);
    const short = messageOf(...listOf(100));
    short.scan(0, bytesTag(2));
    short.scanner.trim();
    assert.equal(short.scanner.ranges.length, 200);
  });

  it('reads from the start to the limit', () => {
    const { bytes, scanner } = messageOf(text(3, 'a'), text(1, 'b'), text(1, 'c'));
    assert.equal(scanner.scan(bytes, 3, 6, fieldSet(1)), fieldSet(1));
    assert.deepEqual([scanner.starts[1], scanner.ends[1]], [5, 6]);
  });

  for (const [what, bytes] of [
    ['a single field twice', Buffer.concat([text(2, 'a'), text(2, 'b')])],
    ['a single field that is a number', flag(2)],
    ['fields out of order', Buffer.concat([text(3, 'a'), text(2, 'b')])],
    ['the number 0', text(0, 'a')],
    ['a number of three bytes', Buffer.from([0x82, 0x80, 0x01, 0x00])],
    ['a tag without a value', Buffer.concat([text(1, 'a'), tag(bytesTag(2))])],
    ['a value that is cut off', text(1, 'abc').subarray(0, -1)],
    ['a length of five bytes', Buffer.from([bytesTag(1), 0x81, 0x80, 0x80, 0x80, 0x00])],
    ['a number that does not end', Buffer.from([varintTag(1), 0x80, 0x80])],
    ['a group', tag((1 << 3) | WIRE_TYPE.startGroup)],
    [
      'a number of more than 64 bits',
      Buffer.concat([tag(varintTag(1)), Buffer.alloc(10, 0x80), Buffer.from([0])]),
    ],
    ['a fixed number that is cut off', Buffer.from([(1 << 3) | WIRE_TYPE.fixed64, 1, 2, 3])],
  ] as const) {
    it(`leaves a message with ${what} to the decoder`, () => {
      assert.equal(new FieldScanner().scan(bytes, 0, bytes.length, fieldSet(2)), UNEXPECTED);
    });
  }

  it('reads numbers of 64 bits', () => {
    const longest = Buffer.concat([tag(varintTag(1)), Buffer.alloc(9, 0x80), Buffer.from([1])]);
    assert.equal(messageOf(longest).scan(0), fieldSet(1) | OTHER_FIELDS);
  });

  it('leaves a message to the decoder if a value that is sought has another type', () => {
    assert.equal(messageOf(flag(2)).scan(0, bytesTag(2)), UNEXPECTED);
    assert.equal(messageOf(text(2, 'a'), flag(2)).scan(0, bytesTag(2)), UNEXPECTED);
    assert.equal(messageOf(text(2, 'a')).scan(0, varintTag(2)), UNEXPECTED);
  });

  it('agrees with the reader of the decoder, for any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (any, number, isSingle) => {
          const bytes = Buffer.from(any);
          const scanner = new FieldScanner();
          const isSet = isSingle && number <= LARGEST_BIT;
          const found = isSet
            ? scanner.scan(bytes, 0, bytes.length, fieldSet(number))
            : scanner.scan(bytes, 0, bytes.length, 0, bytesTag(number));
          if (found === UNEXPECTED) return;
          const single = (found & fieldSet(number)) === 0 ? [] : [rangeOf(scanner, number)];
          const many = scanner.ranges.slice(0, scanner.rangesLength);
          assert.deepEqual(isSet ? single.flat() : many, valuesOf(new WireReader(bytes), number));
        },
      ),
      { numRuns: 5000 },
    );
  });
});

const rangeOf = ({ starts, ends }: FieldScanner, number: number): unknown[] => [
  starts[number],
  ends[number],
];

/** The ranges of the values of a field by the reader, which understands every message. */
function valuesOf(reader: WireReader, number: number): number[] {
  const ranges: number[] = [];
  while (!reader.atEnd) {
    const read = reader.tag();
    let start = reader.position;
    if ((read & 7) === WIRE_TYPE.bytes) {
      const outer = reader.enter();
      start = reader.position;
      reader.position = reader.limit;
      reader.leave(outer);
    } else reader.skip(read);
    if (read >>> 3 === number) ranges.push(start, reader.position);
  }
  return ranges;
}
