import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { ProtobufWriter } from './protobuf-writer.ts';
import { TestMessage } from './test-message.ts';

describe('ProtobufWriter', () => {
  it('writes the bytes of the protobuf specification', () => {
    const writer = new ProtobufWriter();
    writer.integer(1, 150);
    writer.string(2, 'testing');
    writer.boolean(3, true);
    writer.double(4, 1);
    writer.message(16, () => writer.integer(1, 1));
    const fields = ['089601', '120774657374696e67', '1801', '21000000000000f03f', '8201020801'];
    assert.equal(Buffer.from(writer.finish()).toString('hex'), fields.join(''));
  });

  it('writes messages of any size that can be read back', () => {
    const field = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(field, fc.maxSafeNat(), fc.double({ noNaN: true }), (number, integer, double) => {
        const writer = new ProtobufWriter();
        writer.integer(number, integer);
        writer.double(number + 1, double);
        const message = new TestMessage(writer.finish());
        assert.deepEqual(message.numbers(number), [integer]);
        assert.deepEqual(message.numbers(number + 1), [double]);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 300 })),
        field,
        (texts, number) => {
          const writer = new ProtobufWriter();
          // Nested messages, each longer than the one inside.
          const write = (rest: readonly string[]): void => {
            const [text, ...others] = rest;
            if (text === undefined) return;
            writer.string(1, text);
            writer.message(number + 1, () => write(others));
          };
          write(texts);
          let message = new TestMessage(writer.finish());
          for (const text of texts) {
            assert.deepEqual(message.texts(1), [text]);
            message = message.at(number + 1);
          }
          assert.deepEqual(message.fields, []);
        },
      ),
    );
  });

  it('grows its buffer', () => {
    const writer = new ProtobufWriter();
    const long = 'x'.repeat(100_000);
    writer.message(1, () => {
      writer.bytes(2, Buffer.from(long));
      writer.string(3, long);
    });
    const { length } = new TestMessage(writer.finish()).at(1).text(3) ?? '';
    assert.equal(length, long.length);
  });
});
