import assert from 'node:assert/strict';

import fc from 'fast-check';

import { normalizeQuantity, parseQuantity, QuantityError, type QuantityValue } from './quantity.ts';

const UNITS = ',n,u,m,k,M,G,T,P,E,Ki,Mi,Gi,Ti,Pi,Ei,e3,E-2,e+7,e1000,e999,e-1000'.split(',');

/** Texts of quantities, and texts that are nearly such. */
export const quantityTexts: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '+', '-'),
      fc.oneof(
        fc.bigInt({ min: 0n, max: 10n ** 24n }).map(String),
        fc.tuple(fc.nat(99_999), fc.nat(999_999_999)).map(([whole, part]) => `${whole}.${part}`),
        fc.nat(9999).map((thousands) => `${thousands}000`),
        fc.constant(''),
      ),
      fc.constantFrom('', '0', '00', '.', '.0', '.50'),
      fc.oneof(
        fc.constantFrom(...UNITS),
        fc.integer({ min: -1100, max: 1100 }).map((exponent) => `e${exponent}`),
      ),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom(...'0159.+-eEKiMmnk '.split('')), maxLength: 12 }),
);

/** Texts that take a backtracking expression or arithmetic on digits quadratic time. */
export const longQuantities: Readonly<Record<string, (size: number) => string>> = {
  digits: (size) => '1'.repeat(size),
  'digits and a letter': (size) => `${'1'.repeat(size)}x`,
  'zeros between ones': (size) => `1${'0'.repeat(size)}1`,
  'a fraction': (size) => `0.${'1'.repeat(size)}x`,
  'letters of suffixes': (size) => `1${'E'.repeat(size)}x`,
};

/**
 * Reads a quantity as every parser must: a {@link QuantityError} or an amount whose texts read back
 * as the same amount and are written in the same way again.
 */
export function checkQuantity(text: string): void {
  const quantity = parsedOrRefused(text);
  if (quantity === undefined) return;
  for (const written of [quantity.toString(), quantity.toCanonicalString()]) {
    assert.ok(parseQuantity(written).equals(quantity), `${text} as ${written}`);
    assert.equal(normalizeQuantity(written), written, text);
  }
  const canonical = quantity.toCanonicalString();
  assert.equal(parseQuantity(canonical).toCanonicalString(), canonical, text);
}

/** Undefined for a text that is refused. */
export function parsedOrRefused(text: string): QuantityValue | undefined {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    assert.ok((error.hint ?? '').length < 1000);
    return undefined;
  }
}
