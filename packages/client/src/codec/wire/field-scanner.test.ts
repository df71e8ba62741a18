import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { END_OF_MESSAGE, FieldScanner, UNEXPECTED } from './field-scanner.ts';
import { bytesTag, varintTag, WIRE_TYPE, WireReader } from './wire-reader.ts';

/** A length-delimited field; its number has one byte, its length up to four. */
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

function scan(...fields: Buffer[]): { scanner: FieldScanner; found: () => string } {
  const bytes = Buffer.concat(fields);
  const scanner = new FieldScanner(bytes, 0, bytes.length);
  return { scanner, found: () => bytes.toString('utf8', scanner.start, scanner.end) };
}

describe('the scanner of fields', () => {
  it('finds fields in the order of their numbers, with tags and lengths of any size', () => {
    const long = 'x'.repeat(20_000);
    const { scanner, found } = scan(text(1, 'a'), flag(2), text(3, long), text(17, 'b'));
    assert.equal(scanner.seek(1), bytesTag(1));
    assert.equal(found(), 'a');
    assert.equal(scanner.seek(3), bytesTag(3));
    assert.equal(found(), long);
    assert.equal(scanner.seek(17), bytesTag(17));
    assert.equal(found(), 'b');
    assert.equal(scanner.seek(END_OF_MESSAGE), 0);
  });

  it('stays before the next field if one is absent', () => {
    const { scanner, found } = scan(text(1, 'a'), text(5, 'b'));
    assert.equal(scanner.seek(3), 0);
    assert.equal(scanner.seek(4), 0);
    assert.equal(scanner.seek(5), bytesTag(5));
    assert.equal(found(), 'b');
  });

  it('returns every value of a field that is sought again', () => {
    const { scanner, found } = scan(text(2, 'a'), text(2, 'b'), text(3, 'c'));
    const values = [];
    while (scanner.seek(2) > 0) values.push(found());
    assert.deepEqual(values, ['a', 'b']);
    assert.equal(scanner.seek(END_OF_MESSAGE), 0);
  });

  it('does not pass over a second value of a field that was found', () => {
    const { scanner } = scan(text(2, 'a'), text(2, 'b'), text(3, 'c'));
    assert.equal(scanner.seek(2), bytesTag(2));
    assert.equal(scanner.seek(3), UNEXPECTED);
    assert.equal(scanner.seek(END_OF_MESSAGE), UNEXPECTED);
  });

  it('goes into messages', () => {
    const { scanner, found } = scan(
      text(1, 'a'),
      text(2, Buffer.concat([text(1, 'b'), text(2, 'c')]).toString()),
      text(3, 'd'),
    );
    assert.equal(scanner.enter(2), bytesTag(2));
    assert.equal(scanner.enter(2), bytesTag(2));
    assert.equal(found(), 'c');
    assert.equal(scan(text(1, 'a')).scanner.enter(2), 0);
    assert.equal(scan(text(2, 'a'), text(2, 'b')).scanner.enter(2), UNEXPECTED);
    assert.equal(scan(text(2, 'a'), text(1, 'b')).scanner.enter(2), UNEXPECTED);
  });

  for (const [what, bytes] of [
    ['fields out of order', Buffer.concat([text(3, 'a'), text(2, 'b')])],
    ['the number 0', text(0, 'a')],
    ['a number of three bytes', Buffer.from([0x82, 0x80, 0x01, 0x00])],
    ['a tag without a value', Buffer.concat([text(1, 'a'), tag(bytesTag(2))])],
    ['a value that is cut off', text(1, 'abc').subarray(0, -1)],
    ['a length of five bytes', Buffer.from([bytesTag(1), 0x81, 0x80, 0x80, 0x80, 0x00])],
    ['a number that does not end', Buffer.from([varintTag(1), 0x80, 0x80])],
    ['a group', tag((1 << 3) | WIRE_TYPE.startGroup)],
    ['a fixed number that is cut off', Buffer.from([(1 << 3) | WIRE_TYPE.fixed64, 1, 2, 3])],
  ] as const) {
    it(`leaves a message with ${what} to the decoder`, () => {
      const scanner = new FieldScanner(bytes, 0, bytes.length);
      assert.equal(scanner.seek(END_OF_MESSAGE), UNEXPECTED);
    });
  }

  it('agrees with the reader of the decoder, for any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (any, number) => {
          const bytes = Buffer.from(any);
          const scanner = new FieldScanner(bytes, 0, bytes.length);
          const ranges: string[] = [];
          let found = scanner.seek(number);
          for (; found > 0; found = scanner.seek(number)) {
            ranges.push(`${found} ${scanner.start}-${scanner.end}`);
          }
          if (found === UNEXPECTED || scanner.seek(END_OF_MESSAGE) === UNEXPECTED) return;
          assert.deepEqual(ranges, valuesOf(new WireReader(bytes), number));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** The values of a field by the reader, which understands every message. */
function valuesOf(reader: WireReader, number: number): string[] {
  const ranges: string[] = [];
  while (!reader.atEnd) {
    const read = reader.tag();
    let start = reader.position;
    if ((read & 7) === WIRE_TYPE.bytes) {
      const outer = reader.enter();
      start = reader.position;
      reader.position = reader.limit;
      reader.leave(outer);
    } else reader.skip(read);
    if (read >>> 3 === number) ranges.push(`${read} ${start}-${reader.position}`);
  }
  return ranges;
}
