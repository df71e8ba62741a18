import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HeaderDecoder } from './header-decoder.ts';

/** The decoder's result as `name: value` lines. */
function lines(decoder: HeaderDecoder, hex: string): string[] {
  const fields = decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  return fields.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${fields[index + 1]}`] : [],
  );
}

function decoder(maxListSize = 10_000): HeaderDecoder {
  return new HeaderDecoder(maxListSize);
}

/** Sets the table to 256 bytes, as the responses of Appendix C.5 and C.6 assume. */
const SIZE_256 = '3fe101';

const FIRST = [
  ':status: 302',
  'cache-control: private',
  'date: Mon, 21 Oct 2013 20:13:21 GMT',
  'location: https://www.example.com',
];
const SECOND = [':status: 307', ...FIRST.slice(1)];
const THIRD = [
  ':status: 200',
  'cache-control: private',
  'date: Mon, 21 Oct 2013 20:13:22 GMT',
  'location: https://www.example.com',
  'content-encoding: gzip',
  'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
];

describe('a header decoder, with the examples of RFC 7541', () => {
  it('reads each kind of field (C.2)', () => {
    const literal = '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572';
    assert.deepEqual(lines(decoder(), literal), ['custom-key: custom-header']);
    assert.deepEqual(lines(decoder(), '040c 2f73 616d 706c 652f 7061 7468'), [
      ':path: /sample/path',
    ]);
    assert.deepEqual(lines(decoder(), '1008 7061 7373 776f 7264 0673 6563 7265 74'), [
      'password: secret',
    ]);
    assert.deepEqual(lines(decoder(), '82'), [':method: GET']);
  });

  it('reads requests with Huffman codes (C.4)', () => {
    const same = decoder();
    const first = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
    assert.deepEqual(lines(same, '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'), first);
    assert.deepEqual(lines(same, '8286 84be 5886 a8eb 1064 9cbf'), [
      ...first,
      'cache-control: no-cache',
    ]);
    const third = '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf';
    assert.deepEqual(lines(same, third), [
      ':method: GET',
      ':scheme: https',
      ':path: /index.html',
      ':authority: www.example.com',
      'custom-key: custom-value',
    ]);
  });

  it('evicts fields from its table (C.5)', () => {
    const same = decoder();
    const first =
      '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a' +
      '3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d';
    assert.deepEqual(lines(same, SIZE_256 + first), FIRST);
    assert.deepEqual(lines(same, '4803 3330 37c1 c0bf'), SECOND);
    // The fourth of 222 bytes has pushed the first out.
    assert.throws(() => lines(same, 'c2'), /no field 66/);
  });

  it('reads responses with Huffman codes (C.6)', () => {
    const same = decoder();
    const first =
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e' +
      '919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3';
    assert.deepEqual(lines(same, SIZE_256 + first), FIRST);
    assert.deepEqual(lines(same, '4883 640e ffc1 c0bf'), SECOND);
    const third =
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7' +
      '821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed' +
      '4ee5 b106 3d50 07';
    assert.deepEqual(lines(same, third), THIRD);
  });
});

describe('a header decoder', () => {
  it('keeps its table over many evictions', () => {
    const same = decoder();
    for (let round = 0; round < 500; round += 1) {
      const value = String(round).padStart(60, '0');
      const block = Buffer.concat([Buffer.from([0x40, 1, 0x61, 60]), Buffer.from(value)]);
      assert.deepEqual(same.decode(block), ['a', value]);
      assert.deepEqual(same.decode(Buffer.from([0xbe])), ['a', value]);
    }
    // Fields of 93 bytes: 44 fit into 4,096.
    assert.equal(same.decode(Buffer.from([0xbe + 43]))[1], '456'.padStart(60, '0'));
    assert.throws(() => same.decode(Buffer.from([0xbe + 44])), /no field 106/);
  });

  it('refuses what is not a header block', () => {
    for (const [hex, message] of [
      ['80', /no field 0/],
      ['be', /no field 62/],
      ['ff', /cut off/],
      ['40', /cut off/],
      ['4001', /cut off/],
      ['400161ff', /cut off/],
      ['ffffffffffff00', /too large/],
      ['ff80808080808080808000', /too large/],
      ['8220', /a table size follows a field/],
      ['3fe21f', /a table of 4097 bytes/],
      // Padding of more than seven bits, of zeros, a code that does not exist, and the end of string.
      ['400161 82 1fff', /Huffman/],
      ['400161 81 18', /padding/],
      ['400161 85 ffffffffff', /does not exist/],
      ['400161 84 fffffffc', /does not exist/],
    ] as const) {
      assert.throws(() => lines(decoder(), hex), message, hex);
      assert.throws(() => lines(decoder(), hex), { errorName: 'COMPRESSION_ERROR' }, hex);
    }
  });

  it('bounds what a small block can grow to', () => {
    const same = decoder(10_000);
    const large = Buffer.concat([
      Buffer.from([0x40, 1, 0x61, 0x7f, 0xa1, 0x1e]),
      Buffer.alloc(4000, 'x'),
    ]);
    assert.equal(same.decode(large)[1]?.length, 4000);
    assert.throws(() => same.decode(Buffer.from([0xbe, 0xbe, 0xbe])), {
      errorName: 'ENHANCE_YOUR_CALM',
      message: 'the headers of a response exceed 10000 bytes',
    });
  });
});
