import { isJsonObject, type JsonValue, quoteGo, toGoJson as toJson } from 'client-ts/internal';

/**
 * One step of a path, in the notation of managed fields: `f:name` is a field or the key of a map,
 * `k:{"port":80}` a list item with these key fields, `v:"x"` an item of a set, `i:3` an item by
 * index. Equal steps are equal strings, so they can be keys.
 */
export type PathElement = `${'f' | 'i' | 'k' | 'v'}:${string}`;

/** Returns the step to a field of a struct or a key of a map. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the step to the item with these key fields, which must be sorted by name. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  let members = '';
  for (const [name, value] of fields) {
    members += `${members === '' ? '' : ','}${toJson(name)}:${toJson(value)}`;
  }
  return `k:{${members}}`;
}

/** A key field of a list item, with its value. */
export type KeyField = readonly [name: string, value: JsonValue];

/** Returns the step to an item of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${toJson(value)}`;
}

/**
 * Parses a step that may come from a client, and normalises it. Undefined for an unknown kind of
 * step, which is ignored. Throws if invalid.
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return fieldElement(content);
    case 'v':
      return valueElement(JSON.parse(content) as JsonValue);
    case 'k':
      return keyElement(keyFields(content));
    case 'i': {
      if (!/^[+-]?\d+$/.test(content)) throw new SyntaxError(`invalid index: ${content}`);
      return `i:${Number(content)}`;
    }
    default:
      return undefined;
  }
}

/** Formats a path for messages: `.spec.containers[name="a"].image`. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join('');
}

/** Formats one step: `.image`, `[name="a"]`, `[="x"]`, `[3]`. */
export function formatElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${keyFields(content)
        .map(([name, value]) => `${name}=${formatValue(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${formatValue(JSON.parse(content) as JsonValue)}]`;
    default:
      return `[${content}]`;
  }
}

/** The order in which managed fields are written: fields, keys, values, indices, each sorted. */
export function compareElements(left: PathElement, right: PathElement): number {
  const kind = left.charAt(0);
  if (kind !== right.charAt(0)) return kinds.indexOf(kind) - kinds.indexOf(right.charAt(0));
  if (kind === 'f') return compareText(left, right);
  if (left === right) return 0;
  const [a, b] = [left.slice(2), right.slice(2)];
  if (kind === 'k') return compareKeys(keyFields(a), keyFields(b));
  return compareValues(JSON.parse(a) as JsonValue, JSON.parse(b) as JsonValue);
}

const kinds = 'fkvi';

function keyFields(content: string): KeyField[] {
  const fields = JSON.parse(content) as JsonValue;
  if (!isJsonObject(fields)) throw new SyntaxError(`not an object: ${content}`);
  return Object.entries(fields)
    .map(([name, value]) => [name, value ?? null] as const)
    .toSorted(([left], [right]) => compareText(left, right));
}

function compareKeys(left: readonly KeyField[], right: readonly KeyField[]): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers before strings before booleans before everything else, which is compared as text. */
function compareValues(left: JsonValue, right: JsonValue): number {
  const [leftRank, rightRank] = [rank(left), rank(right)];
  if (leftRank !== rightRank) return leftRank - rightRank;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (leftRank < 3) return Number(left) - Number(right);
  return compareText(toJson(left), toJson(right));
}

function rank(value: JsonValue): number {
  if (value === null) return 5;
  const place = ['number', 'string', 'boolean'].indexOf(typeof value);
  if (place !== -1) return place;
  return Array.isArray(value) ? 3 : 4;
}

const surrogate = /[\ud800-\udfff]/;

/** Compares by UTF-8 bytes, like a real server; JavaScript sorts surrogates before U+E000. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (surrogate.test(left) || surrogate.test(right)) {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left < right ? -1 : 1;
}

function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return quoteGo(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, field]) => `${name}=${formatValue(field ?? null)}`)
    .join('');
}
