import * as fc from 'fast-check';

/** Names with a meaning in JavaScript, HTTP, paths or terminals. */
const DANGEROUS: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../..',
  '/',
  '//',
  '%',
  '%00',
  '%2e%2e',
  '%c0%af',
  '*',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '\u0000',
  '\u001B[31m',
  '\u009B',
  '\u202E',
  '\uD800',
  '\uFEFF',
  'null',
  'true',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  '𝟘',
];

/** Short texts, often dangerous ones. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...DANGEROUS),
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 8, unit: 'binary' }),
  fc.string({ maxLength: 8, unit: 'grapheme' }),
);

/** Replaces lone surrogates, for places that cannot carry them. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Texts made of the tokens of a grammar, so that many get past the first character. */
export function textOf(...words: readonly string[]): fc.Arbitrary<string> {
  const part = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, anyText);
  return fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
}

/** Objects with any keys, including `__proto__`, as `JSON.parse` returns them. */
export function recordOf<T>(
  value: fc.Arbitrary<T>,
  maxLength = 4,
): fc.Arbitrary<Readonly<Record<string, T>>> {
  const entries = fc.array(fc.tuple(anyText, value), { maxLength });
  return entries.map((pairs) => Object.fromEntries(pairs));
}

/** Any JSON value with any keys. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    recordOf(tie('value')),
  ),
})).value;

/** Valid text with characters removed, doubled or replaced. */
export function damaged(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const cut = fc.record({ at: fc.nat(), length: fc.nat({ max: 8 }), insert: anyText });
  return fc.tuple(valid, fc.array(cut, { maxLength: 3 })).map(([text, cuts]) =>
    cuts.reduce((current, { at, length, insert }) => {
      const start = current.length === 0 ? 0 : at % current.length;
      return current.slice(0, start) + insert + current.slice(start + length);
    }, text),
  );
}

/** The same for bytes. */
export function damagedBytes(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const cut = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 8 }),
    insert: fc.uint8Array({ maxLength: 8 }),
  });
  return fc.tuple(valid, fc.array(cut, { maxLength: 3 })).map(([bytes, cuts]) =>
    cuts.reduce<Uint8Array>((current, { at, length, insert }) => {
      const start = current.length === 0 ? 0 : at % current.length;
      return Buffer.concat([current.subarray(0, start), insert, current.subarray(start + length)]);
    }, bytes),
  );
}

/** Cuts bytes into chunks. */
export function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = cuts
    .map((cut) => (bytes.length === 0 ? 0 : cut % bytes.length))
    .toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}
