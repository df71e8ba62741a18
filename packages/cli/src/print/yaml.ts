import { getKey, isJsonObject } from 'client-ts/internal';
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';

import { isPrintable, printableJson } from '../frame/printable.ts';
import { compareNaturally } from './natural-order.ts';

/** Strings that need quotes in YAML. */
const notPlain = /^[\s,[\]{}#&*!|>'"%@`]|^[?-](?:\s|$)|: |:$| #| $/;

/** Characters that YAML or a terminal needs escaped. */
const notCharacters = /[\p{Surrogate}\uFFFE\uFFFF]/u;

/**
 * Formats YAML as kubectl does: natural key order, unindented lists, double quotes around ambiguous
 * strings. Long lines are not folded.
 */
export function formatYaml(value: unknown): string {
  const document = new Document(undefined, { version: '1.1' });
  document.contents = nodeOf(value);
  return printableJson(document.toString({ indentSeq: false, lineWidth: 0 }));
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map(nodeOf);
    list.flow = value.length === 0;
    return list;
  }
  if (!isJsonObject(value)) return scalarOf(value);
  const map = new YAMLMap();
  map.items = Object.keys(value)
    .filter((key) => getKey(value, key) !== undefined)
    .sort(compareNaturally)
    .map((key) => new Pair(scalarOf(key), nodeOf(getKey(value, key))));
  map.flow = map.items.length === 0;
  return map;
}

function scalarOf(value: unknown): Scalar {
  const scalar = new Scalar(value);
  if (typeof value !== 'string') return scalar;
  // Only double quotes allow escapes.
  if (needsEscapes(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  else if (value.includes('\n')) scalar.type = Scalar.BLOCK_LITERAL;
  else if (notPlain.test(value)) scalar.type = Scalar.QUOTE_SINGLE;
  return scalar;
}

function needsEscapes(text: string): boolean {
  return notCharacters.test(text) || !isPrintable(text.replaceAll('\n', ''));
}
