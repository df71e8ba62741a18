import { getKey, isJsonObject } from 'client-ts/internal';
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';

import { isPrintable, printableJson } from '../frame/printable.ts';
import { compareNaturally } from './natural-order.ts';

/** What cannot stand in YAML without quotes, whatever it would be taken for. */
const notPlain = /^[\s,[\]{}#&*!|>'"%@`]|^[?-](?:\s|$)|: |:$| #| $/;

/** What YAML itself cannot have as it is, besides what a terminal would act on. */
const notCharacters = /[\p{Surrogate}\uFFFE\uFFFF]/u;

/**
 * YAML as kubectl writes it: keys in natural order, lists not indented, double quotes around what
 * would be taken for something else than text. Long lines are left alone.
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
  // Only double quotes have escapes.
  if (needsEscapes(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  else if (value.includes('\n')) scalar.type = Scalar.BLOCK_LITERAL;
  else if (notPlain.test(value)) scalar.type = Scalar.QUOTE_SINGLE;
  return scalar;
}

function needsEscapes(text: string): boolean {
  return notCharacters.test(text) || !isPrintable(text.replaceAll('\n', ''));
}
