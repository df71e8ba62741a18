import { isJsonObject } from 'client-ts/lib';
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';

import { compareNaturally } from './natural-order.ts';

/** What cannot stand in YAML without quotes, whatever it would be taken for. */
const notPlain = /^[\s,[\]{}#&*!|>'"%@`]|^[?-](?:\s|$)|: |:$| #| $/;

/** What needs escapes, which only double quotes have. */
const notPrintable =
  /[^\n\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * YAML as kubectl writes it: keys in natural order, lists not indented, double quotes around what
 * would be taken for something else than text. Long lines are left alone.
 */
export function formatYaml(value: unknown): string {
  const document = new Document(undefined, { version: '1.1' });
  document.contents = nodeOf(value);
  return document.toString({ indentSeq: false, lineWidth: 0 });
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
    .filter((key) => value[key] !== undefined)
    .sort(compareNaturally)
    .map((key) => new Pair(scalarOf(key), nodeOf(value[key])));
  map.flow = map.items.length === 0;
  return map;
}

function scalarOf(value: unknown): Scalar {
  const scalar = new Scalar(value);
  if (typeof value !== 'string') return scalar;
  if (notPrintable.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  else if (value.includes('\n')) scalar.type = Scalar.BLOCK_LITERAL;
  else if (notPlain.test(value)) scalar.type = Scalar.QUOTE_SINGLE;
  return scalar;
}
