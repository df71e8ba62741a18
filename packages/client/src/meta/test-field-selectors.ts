import assert from 'node:assert/strict';

import fc from 'fast-check';

import { FieldSelectorError, parseFieldSelector } from './fields.ts';

/** Field selectors, and texts that are nearly such. */
export const fieldSelectorTexts: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(
      fc.tuple(
        fc.constantFrom('a', 'b', 'metadata.name', ''),
        fc.constantFrom('=', '==', '!='),
        fc.string({ unit: fc.constantFrom('z', 'a', '\\\\', '\\,', '\\=', '🙂', ' ') }),
      ),
    )
    .map((terms) => terms.map((term) => term.join('')).join(',')),
  fc.string({ unit: fc.constantFrom('a', 'b', '=', '!', ',', '\\', ' ') }),
);

/**
 * Reads a field selector as every parser must: a {@link FieldSelectorError}, or a selector whose text
 * reads back as the same requirements and is written in the same way again.
 */
export function checkFieldSelector(text: string): void {
  let matcher;
  try {
    matcher = parseFieldSelector(text);
  } catch (error) {
    if (error instanceof FieldSelectorError) return;
    throw error;
  }
  const written = matcher.toString();
  const again = parseFieldSelector(written);
  assert.equal(again.toString(), written, text);
  assert.deepEqual(again.requirements, matcher.requirements, text);
}
