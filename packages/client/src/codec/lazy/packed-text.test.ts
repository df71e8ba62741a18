import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parsePath } from '../../meta/field-path.ts';
import { decodeProtobuf, encodeProtobuf } from '../protobuf.ts';
import { anyObject } from '../test-any-object.ts';
import { valuesIn } from './lazy-fields.ts';
import { PackedText, TextPacker } from './packed-text.ts';
import { ReadOnlyForm } from './read-only-form.ts';
import { assertReadOnly, lazyFromJson, lazyFromProtobuf } from './test-read-only.ts';

const textOf = (packed: PackedText | string): string =>
  typeof packed === 'string' ? packed : packed.text;

describe('a packer', () => {
  it('returns every text unchanged', () => {
    const packer = new TextPacker();
    const any = fc.string({ maxLength: 400 });
    fc.assert(
      fc.property(any, fc.nat({ max: 3 }), (unit, times) => {
        const text = Buffer.from(unit.repeat(times + 1), 'utf8').toString('latin1');
        assert.equal(textOf(packer.pack(text)), text);
      }),
    );
  });

  it('makes texts small that resemble an earlier one', () => {
    const packer = new TextPacker();
    const text = (name: string): string =>
      `${name} ${Array.from({ length: 300 }, (_, index) => (index * 7919) % 1000).join(' ')}`;
    packer.pack('something else '.repeat(40));
    packer.pack(text('first'));
    const packed = packer.pack(text('second'));
    assert.ok(packed instanceof PackedText);
    assert.equal(packed.text, text('second'));
    assert.ok(JSON.stringify(packed).length < 10);
  });

  it('keeps texts as they are that do not shrink', () => {
    const packer = new TextPacker();
    assert.equal(packer.pack('short'), 'short');
  });
});

describe('a compressed object', () => {
  it('looks like the plain one, in both encodings', async () => {
    const forms = [new ReadOnlyForm({ compress: true }), new ReadOnlyForm({ compress: true })];
    for (const form of forms) await form.load();
    const [first, second] = forms;
    fc.assert(
      fc.property(anyObject, (object) => {
        const body = encodeProtobuf(object);
        const plain = decodeProtobuf(body);
        assert.deepStrictEqual(lazyFromProtobuf(body, first), plain);
        assert.deepStrictEqual(lazyFromJson(plain, second), plain);
        assertReadOnly(lazyFromProtobuf(body, first));
        const path = parsePath('metadata.name');
        assert.equal(valuesIn(lazyFromProtobuf(body, first), path), valuesIn(plain, path));
      }),
      { numRuns: 100 },
    );
  });
});
