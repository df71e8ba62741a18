import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodecError } from '../codec-error.ts';
import { BackwardWriter } from './backward-writer.ts';
import { bytesTag, MAX_DEPTH, varintTag, WireReader } from './wire-reader.ts';

function written(write: (writer: BackwardWriter) => void): Uint8Array {
  const writer = new BackwardWriter();
  write(writer);
  return writer.finish();
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function code(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof CodecError) return error.code;
    throw error;
  }
  return 'none';
}

test('numbers have the bytes that protobuf prescribes', () => {
  const cases: [number, string][] = [
    [0, '00'],
    [1, '01'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [2 ** 32 - 1, 'ffffffff0f'],
    [2 ** 32, '8080808010'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
    [-1, 'ffffffffffffffffff01'],
    [Number.MIN_SAFE_INTEGER, '81808080808080f0ff01'],
  ];
  for (const [value, bytes] of cases) {
    assert.equal(hex(written((writer) => writer.integer(value))), bytes, String(value));
  }
  assert.equal(hex(written((writer) => writer.bigint(2n ** 63n - 1n))), 'ffffffffffffffff7f');
  assert.equal(hex(written((writer) => writer.bigint(-(2n ** 63n)))), '80808080808080808001');
});

test('every 64-bit number is read as it was written', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
      const read = new WireReader(written((writer) => writer.bigint(value))).int64();
      assert.equal(BigInt(read), value);
      assert.equal(typeof read, Number.isSafeInteger(Number(value)) ? 'number' : 'bigint');
    }),
  );
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const bytes = written((writer) => writer.integer(value));
      assert.equal(new WireReader(bytes).int64(), value);
      assert.deepEqual(
        bytes,
        written((writer) => writer.bigint(BigInt(value))),
      );
    }),
  );
});

test('32-bit numbers, doubles and booleans are read as they were written', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      (number, double, boolean) => {
        const reader = new WireReader(
          written((writer) => {
            writer.byte(boolean ? 1 : 0);
            writer.double(double);
            writer.integer(number);
          }),
        );
        assert.deepEqual(
          [reader.int32(), reader.double(), reader.bool()],
          [number, double, boolean],
        );
        assert.ok(reader.atEnd);
      },
    ),
  );
});

test('text of any length and script is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 200 })), (texts) => {
      const reader = new WireReader(
        written((writer) => {
          for (const text of texts.toReversed()) writer.string(text);
        }),
      );
      for (const text of texts) assert.equal(reader.string(), text);
      assert.ok(reader.atEnd);
    }),
  );
});

test('a writer outgrows its first buffer and leaves the next writer a clean one', () => {
  const large = 'x'.repeat(1_000_000);
  assert.equal(new WireReader(written((writer) => writer.string(large))).string(), large);
  const first = written((writer) => writer.string('first'));
  const second = written((writer) => writer.string('second'));
  assert.equal(new WireReader(first).string(), 'first');
  assert.equal(new WireReader(second).string(), 'second');
});

test('a writer within a writer does not share its memory', () => {
  const outer = new BackwardWriter();
  outer.string('outer');
  const inner = written((writer) => writer.string('inner'));
  assert.equal(new WireReader(outer.finish()).string(), 'outer');
  assert.equal(new WireReader(inner).string(), 'inner');
});

test('reading stops at the limit of the message, not at the end of the bytes', () => {
  const reader = new WireReader(Buffer.from('030a01616262', 'hex'));
  const outer = reader.enter();
  assert.equal(reader.tag(), bytesTag(1));
  assert.equal(reader.string(), 'a');
  assert.ok(reader.atEnd);
  reader.leave(outer);
  assert.ok(!reader.atEnd);

  const long = new WireReader(Buffer.from('020a056161616161', 'hex'));
  long.enter();
  long.tag();
  assert.equal(
    code(() => long.string()),
    'CODEC_TRUNCATED',
  );
});

test('what cannot be is refused with a code', () => {
  const read = (bytes: string, how: (reader: WireReader) => unknown): string =>
    code(() => how(new WireReader(Buffer.from(bytes, 'hex'))));
  assert.equal(
    read('80', (reader) => reader.int32()),
    'CODEC_TRUNCATED',
  );
  assert.equal(
    read('', (reader) => reader.bool()),
    'CODEC_TRUNCATED',
  );
  assert.equal(
    read('05', (reader) => reader.view()),
    'CODEC_TRUNCATED',
  );
  assert.equal(
    read('0300', (reader) => reader.enter()),
    'CODEC_TRUNCATED',
  );
  assert.equal(
    read('00000000', (reader) => reader.double()),
    'CODEC_TRUNCATED',
  );
  assert.equal(
    read('ffffffffffffffffffff01', (reader) => reader.int64()),
    'CODEC_MALFORMED',
  );
  assert.equal(
    read('ffffffff10', (reader) => reader.tag()),
    'CODEC_MALFORMED',
  );
  assert.equal(
    read('02', (reader) => reader.tag()),
    'CODEC_MALFORMED',
  );
});

test('values of every wire type can be skipped, groups included', () => {
  const reader = new WireReader(
    Buffer.from(
      `08ac02 11${'00'.repeat(8)} 1a02abcd 23080124 2d00000000`.replaceAll(' ', ''),
      'hex',
    ),
  );
  for (let count = 0; count < 5; count++) reader.skip(reader.tag());
  assert.ok(reader.atEnd);
  assert.equal(
    code(() => new WireReader(Buffer.from('0c', 'hex')).skip(0x0c)),
    'CODEC_MALFORMED',
  );
  const groups = new WireReader(Buffer.alloc(MAX_DEPTH * 10, 0x0b));
  assert.equal(
    code(() => groups.skip(groups.tag())),
    'CODEC_TOO_DEEP',
  );
  assert.equal(varintTag(1), 0x08);
});
