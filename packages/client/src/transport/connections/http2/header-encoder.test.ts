import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../lib/random.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { HeaderEncoder } from './header-encoder.ts';

const REQUEST = Object.entries({
  ':method': 'GET',
  ':scheme': 'https',
  ':authority': '127.0.0.1:6443',
  ':path': '/api',
  accept: 'application/json',
  'user-agent': 'client-ts',
  'x-empty': '',
}).flat();

describe('a header encoder', () => {
  it('sends the headers of repeated requests as indices', () => {
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder(10_000);
    const first = encoder.encode(REQUEST);
    assert.deepEqual(decoder.decode(first), REQUEST);
    const firstLength = first.length;
    const second = encoder.encode(REQUEST);
    assert.deepEqual(decoder.decode(second), REQUEST);
    // One byte each, and the path as it is.
    assert.equal(second.length, 6 + '/api'.length + 2);
    assert.ok(firstLength > second.length * 4);
  });

  it('marks secrets so that no table keeps them', () => {
    const encoder = new HeaderEncoder();
    const fields = ['authorization', 'Bearer abc'];
    for (let round = 0; round < 2; round += 1) {
      // A literal that is never indexed, with the name of index 23.
      const expected = Buffer.concat([Buffer.from([0x1f, 0x08, 10]), Buffer.from('Bearer abc')]);
      assert.deepEqual(Buffer.from(encoder.encode(fields)), expected);
    }
  });

  it('empties a full table, and announces that to the decoder', () => {
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder(10_000);
    for (let round = 0; round < 300; round += 1) {
      const fields = [...REQUEST, 'x-request', `${round}`.padStart(100, '0')];
      assert.deepEqual(decoder.decode(encoder.encode(fields)), fields);
    }
  });

  it('uses no more of the server’s table than it allows', () => {
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder(10_000);
    decoder.decode(encoder.encode(REQUEST));
    encoder.setCapacity(0);
    const [first, second] = [
      Buffer.from(encoder.encode(REQUEST)),
      Buffer.from(encoder.encode(REQUEST)),
    ];
    // Two sizes, the smallest one first (RFC 7541, section 4.2), then literals only.
    assert.deepEqual([...first.subarray(0, 2)], [0x20, 0x20]);
    assert.deepEqual(first.subarray(2), second);
    assert.deepEqual(decoder.decode(first), REQUEST);
    assert.deepEqual(decoder.decode(second), REQUEST);
    encoder.setCapacity(100_000);
    encoder.encode(REQUEST);
    assert.ok(encoder.encode(REQUEST).length < 15);
  });

  it('is read back by the decoder, whatever the fields are', () => {
    const random = seededRandom(7541);
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder(10_000_000);
    const below = (limit: number): number => Math.floor(random.next() * limit);
    for (let round = 0; round < 300; round += 1) {
      const fields: string[] = [];
      for (let count = below(20); count >= 0; count -= 1) {
        const size = below(10) === 0 ? below(20_000) : below(60);
        const bytes = Buffer.from(Array.from({ length: size }, () => below(256)));
        fields.push(`name-${below(30)}`, bytes.toString('latin1'));
      }
      if (below(20) === 0) encoder.setCapacity(below(5000));
      assert.deepEqual(decoder.decode(encoder.encode(fields)), fields);
    }
  });
});
