import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodecError } from './codec-error.ts';
import { readIntOrString, readTime, writeIntOrString, writeTime } from './special-values.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { WireReader } from './wire/wire-reader.ts';

function timeBytes(text: string, micro: boolean): string {
  const writer = new BackwardWriter();
  assert.ok(writeTime(writer, text, micro));
  return Buffer.from(writer.finish()).toString('hex');
}

function reader(hex: string): WireReader {
  return new WireReader(Buffer.from(hex, 'hex'));
}

test('a time is whole seconds on the wire, a micro time whole microseconds', () => {
  const text = '1970-01-01T00:00:01.123456789Z';
  assert.equal(timeBytes(text, false), '08011000');
  assert.equal(timeBytes(text, true), '0801108094ef3a');
  const nanoseconds = '080110959aef3a';
  assert.equal(readTime(reader(nanoseconds), false), '1970-01-01T00:00:01Z');
  assert.equal(readTime(reader(nanoseconds), true), '1970-01-01T00:00:01.123456Z');
});

test('the zero time of Go is no time, in either direction', () => {
  for (const micro of [false, true]) {
    assert.equal(timeBytes('0001-01-01T00:00:00Z', micro), '');
    assert.equal(timeBytes('0001-01-01T00:00:00.000000999Z', micro), '');
    assert.equal(readTime(reader(''), micro), null);
    const writer = new BackwardWriter();
    writer.integer(-62_135_596_800);
    writer.byte(0x08);
    assert.equal(readTime(new WireReader(writer.finish()), micro), null);
  }
  assert.equal(timeBytes('0001-01-01T00:00:00.5Z', true).length, 34);
});

test('what is not a time, a string or a 32-bit number is left to the caller', () => {
  const writer = new BackwardWriter();
  assert.equal(writeTime(writer, 'tomorrow', false), false);
  for (const value of [1.5, 2 ** 31, true, null, {}]) {
    assert.equal(writeIntOrString(writer, value), false);
  }
  assert.equal(writer.written, 0);
});

test('an IntOrString is decoded by its type field, and an unknown type is refused', () => {
  assert.equal(readIntOrString(reader('080010051a00')), 5);
  assert.equal(readIntOrString(reader('080110051a0161')), 'a');
  assert.equal(readIntOrString(reader('')), 0);
  assert.throws(() => readIntOrString(reader('0802')), CodecError);
});
