import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as der from './der.ts';

/** Expected bytes are examples from the standard and from real certificates. */
describe('der', () => {
  const cases: [name: string, actual: Buffer, expected: string][] = [
    ['an empty sequence', der.sequence(), '3000'],
    ['a nested sequence', der.sequence(der.sequence(der.boolean(true))), '300530030101ff'],
    ['a length of two bytes', der.octetString(Buffer.alloc(128)).subarray(0, 3), '048180'],
    ['a length of three bytes', der.octetString(Buffer.alloc(256)).subarray(0, 4), '04820100'],
    ['zero', der.integer(Buffer.from([0])), '020100'],
    ['an integer with its high bit set', der.integer(Buffer.from([0x80])), '02020080'],
    ['an integer with leading zeros', der.integer(Buffer.from([0, 0, 1])), '020101'],
    ['an object identifier', der.objectIdentifier('1.2.840.113549'), '06062a864886f70d'],
    ['an object identifier in the joint arc', der.objectIdentifier('2.5.29.17'), '0603551d11'],
    ['a bit string', der.bitString(Buffer.from([0x80]), 7), '03020780'],
    ['text', der.utf8String('ü'), '0c02c3bc'],
    ['a set', der.setOf(der.boolean(false)), '3103010100'],
    ['a tag around a value', der.explicit(3, der.boolean(true)), 'a3030101ff'],
    ['a tag instead of a value', der.implicit(2, Buffer.from('a')), '820161'],
    [
      'a time of this half century',
      der.time(Date.parse('2026-01-31T09:00:00.5Z')),
      `170d${Buffer.from('260131090000Z').toString('hex')}`,
    ],
    [
      'a later time',
      der.time(Date.parse('2050-01-01T00:00:00Z')),
      `180f${Buffer.from('20500101000000Z').toString('hex')}`,
    ],
  ];
  for (const [name, actual, expected] of cases) {
    it(`writes ${name}`, () => assert.equal(actual.toString('hex'), expected));
  }
});
