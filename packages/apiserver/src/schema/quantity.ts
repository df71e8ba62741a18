import { normalizeQuantity, QuantityError } from 'client-ts/meta';

import { DecodeError } from './decode-error.ts';
import { JsonNumber, type JsonNode } from './json-parser.ts';

/** What the server writes for a quantity that it reads, from a text or a number as it stands. */
export function canonicalQuantity(node: JsonNode): string {
  try {
    return normalizeQuantity(textOf(node));
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message);
    throw error;
  }
}

function textOf(node: JsonNode): string {
  if (typeof node === 'string') return node;
  if (typeof node === 'number') return String(node);
  // No text of a boolean, list or object is a quantity; any of them gives the right message.
  return node instanceof JsonNumber ? node.text : 'none';
}
