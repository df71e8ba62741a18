import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../lib/random.ts';
import { parsePath } from '../../meta/field-path.ts';
import { decodeProtobuf, encodeProtobuf } from '../protobuf.ts';
import { anyObject } from '../test-any-object.ts';
import { valuesIn } from './lazy-fields.ts';
import { PackedBytes, Packer } from './packed-bytes.ts';
import { ReadOnlyForm } from './read-only-form.ts';
import { assertReadOnly, lazyFromJson, lazyFromProtobuf } from './test-read-only.ts';

/** Bytes that do not shrink by themselves. */
function noise(seed: number): Buffer {
  const random = seededRandom(seed);
  return Buffer.from(Array.from({ length: 2000 }, () => Math.floor(random.next() * 256)));
}

describe('a packer', () => {
  it('returns every object unchanged', () => {
    const packer = new Packer();
    const any = fc.string({ minLength: 100, maxLength: 400 });
    let packedOnes = 0;
    fc.assert(
      fc.property(any, fc.nat({ max: 6 }), (unit, times) => {
        const bytes = Buffer.from(unit.repeat(times + 3));
        const packed = packer.pack(Buffer.from(bytes));
        if (packed === undefined) return;
        packedOnes += 1;
        assert.deepEqual(packed.unpack(bytes.length), bytes);
      }),
    );
    assert.ok(packedOnes > 0);
  });

  it('makes objects small that resemble an earlier one', () => {
    const packer = new Packer();
    packer.pack(noise(1));
    assert.equal(packer.pack(noise(2)), undefined);
    const second = Buffer.concat([Buffer.from('second'), noise(2)]);
    assert.deepEqual(packer.pack(second)?.unpack(second.length), second);
  });

  it('leaves short objects, and those that do not shrink, as they are', () => {
    const packer = new Packer();
    assert.equal(packer.pack(Buffer.from('short')), undefined);
    packer.pack(noise(1));
    assert.equal(packer.pack(noise(2)), undefined);
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

  it('is not decompressed for what is read when it arrives, and once for what is read later', async (t) => {
    const unpack = t.mock.method(PackedBytes.prototype, 'unpack');
    const form = new ReadOnlyForm({ compress: true });
    await form.load();
    const read = (object: object): void => {
      assert.equal(valuesIn(object, parsePath('data.a')), 'x'.repeat(500));
      assert.equal(valuesIn(object, parsePath('metadata.labels.app')), 'web');
    };
    const make = (name: string): object => {
      const metadata = { name, labels: { app: 'web' } };
      const data = { a: 'x'.repeat(500), b: 'y' };
      return lazyFromJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, form);
    };
    const first = make('first');
    const second = make('second');
    read(second);
    assert.equal(unpack.mock.callCount(), 0);
    read(first);
    assert.equal(unpack.mock.callCount(), 1);
    assert.equal((second as { data: { b: string } }).data.b, 'y');
    assert.equal(unpack.mock.callCount(), 2);
  });
});
