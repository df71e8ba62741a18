import {
  type CostRule,
  countedSize,
  type EstimatedCall,
  plus,
  type Range,
  reads,
  rule,
  scaled,
  times,
  TRAVERSAL,
  UNBOUNDED,
} from '../costs.ts';
import { type Overload, overload } from '../declarations.ts';
import { ArrayList, type CelList, Failure, printValue, type Value } from '../values.ts';
import { formatText } from './format-text.ts';
import { ONE_PASS } from './lists.ts';

const outOfRange = (index: bigint): Failure => new Failure(`index out of range: ${index}`);

function charAt(text: string, index: bigint): Value {
  const characters = Array.from(text);
  if (index < 0n || index > characters.length) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function indexOf(text: string, part: string, from = 0n): Value {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const [characters, wanted] = [Array.from(text), Array.from(part)];
  for (let at = Number(from); at <= characters.length - wanted.length; at++) {
    if (isAt(characters, wanted, at)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: string, part: string, from?: bigint): Value {
  const [characters, wanted] = [Array.from(text), Array.from(part)];
  if (part === '') return from ?? BigInt(characters.length);
  if (from === undefined && characters.length < wanted.length) return -1n;
  const start = from ?? BigInt(characters.length - 1);
  if (start < 0n) return outOfRange(start);
  if (start >= characters.length) return -1n;
  for (let at = Math.min(Number(start), characters.length - wanted.length); at >= 0; at--) {
    if (isAt(characters, wanted, at)) return BigInt(at);
  }
  return -1n;
}

function isAt(text: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((character, index) => text[at + index] === character);
}

function substring(text: string, start: bigint, end?: bigint): Value {
  const characters = Array.from(text);
  if (end !== undefined && start > end) {
    return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  for (const index of [start, end ?? start]) {
    if (index < 0n || index > characters.length) return outOfRange(index);
  }
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

/** What is longer is not made: its cost is counted only when it exists. */
const LONGEST = 2 ** 26;
const TOO_LONG = new Failure('operation cancelled: actual cost limit exceeded');

/** Replaces the first `count` occurrences; all if it is negative. Nothing is between all characters. */
function replace(text: string, old: string, by: string, count = -1n): Value {
  let left = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  if (Math.min(left, text.length + 1) * by.length > LONGEST) return TOO_LONG;
  if (old !== '') {
    const parts = text.split(old);
    return parts
      .map((part, index) => (index === 0 ? part : `${index <= left ? by : old}${part}`))
      .join('');
  }
  const pieces = Array.from(text).flatMap((character) =>
    left-- > 0 ? [by, character] : [character],
  );
  return pieces.join('') + (left > 0 ? by : '');
}

function split(text: string, separator: string, count = -1n): Value {
  if (count === 0n) return ArrayList.EMPTY;
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  const limit = count < 0n ? parts.length : Math.min(Number(count), parts.length);
  const kept = parts.slice(0, Math.max(limit - 1, 0));
  const rest = parts.slice(kept.length).join(separator);
  return new ArrayList(parts.length === 0 ? [] : [...kept, rest]);
}

function join(list: CelList, separator = ''): Value {
  const parts: string[] = [];
  let length = list.size * separator.length;
  for (const one of list) {
    if (typeof one !== 'string') return new Failure(`join: invalid input: ${printValue(one)}`);
    length += one.length;
    if (length > LONGEST) return TOO_LONG;
    parts.push(one);
  }
  return parts.join(separator);
}

const SPACE = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+`;
const ENDS = new RegExp(`^${SPACE}|${SPACE}$`, 'g');

const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const upperAscii = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', String.raw`\a`],
  ['\b', String.raw`\b`],
  ['\f', String.raw`\f`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
  ['\v', String.raw`\v`],
  ['\\', String.raw`\\`],
  ['"', String.raw`\"`],
]);

const quote = (text: string): string =>
  `"${Array.from(text, (character) => ESCAPES.get(character) ?? character).join('')}"`;

const COPY = reads(0, { isResult: true });

const splits: CostRule = rule(
  ([text]) => Math.ceil(countedSize(text) * 2 * TRAVERSAL),
  ({ args, size }) => {
    const limit = args[2]?.expression;
    const isKnown = limit?.kind === 'literal' && typeof limit.value === 'bigint';
    const max =
      isKnown && typeof limit.value === 'bigint' ? BigInt.asUintN(64, limit.value) : size(0).max;
    return { cost: scaled(size(0), 2 * TRAVERSAL), resultSize: { min: 0n, max } };
  },
);

const joins: CostRule = rule(
  (_args, result) => Math.ceil(countedSize(result) * 2 * TRAVERSAL),
  (call) => {
    const resultSize = joinedSize(call);
    return { cost: scaled(resultSize, TRAVERSAL), resultSize };
  },
);

function joinedSize({ args, size }: EstimatedCall): Range {
  const [list, separator] = args;
  const elements = list?.elementSize();
  const texts = elements === undefined ? { min: 0n, max: 0n } : times(size(0), elements);
  if (separator === undefined) return texts;
  const less = (count: bigint): bigint => (count > 0n ? count - 1n : 0n);
  return plus(texts, times(size(1), { min: less(size(0).min), max: less(size(0).max) }));
}

const replaces: CostRule = rule(
  ([text]) => Math.ceil(countedSize(text) * 2 * TRAVERSAL),
  ({ size }) => ({
    cost: scaled(size(0), 2 * TRAVERSAL),
    resultSize: replacedSize(size(0), size(1), size(2)),
  }),
);

/** How long a text can be in which the longest or the fewest occurrences were replaced. */
function replacedSize(text: Range, old: Range, by: Range): Range {
  const one = (size: bigint): bigint => (size < UNBOUNDED ? size + 1n : size);
  const times2 = (size: bigint, part: bigint): bigint =>
    BigInt(Math.ceil(Number(size) / Number(part)));
  let [most, kept] = [
    { min: 0n, max: 0n },
    { min: 0n, max: 0n },
  ];
  if (old.min === 0n)
    [most, kept] = [
      { ...most, max: one(text.max) },
      { ...kept, max: text.max },
    ];
  else if (by.max <= old.min) kept = { ...kept, max: text.max };
  else most = { ...most, max: times2(text.max, old.min) };
  if (old.max === 0n)
    [most, kept] = [
      { ...most, min: one(text.min) },
      { ...kept, min: text.min },
    ];
  else if (old.max <= by.min) kept = { ...kept, min: text.min };
  else most = { ...most, min: times2(text.min, old.max) };
  return plus(times(most, by), kept);
}

const formats: CostRule = {
  count: ([text]) => Math.ceil(countedSize(text) * TRAVERSAL),
  estimate: ({ size }) => ({ cost: scaled(size(0), TRAVERSAL) }),
};

const quotes: CostRule = {
  count: ([text]) => Math.ceil(countedSize(text) * TRAVERSAL),
  estimate: ({ size }) => ({
    cost: scaled(size(0), TRAVERSAL),
    resultSize: {
      min: BigInt.asUintN(64, size(0).min + 2n),
      max: BigInt.asUintN(64, size(0).max * 2n + 2n),
    },
  }),
};

/** Texts of CEL's extensions. */
export const STRINGS: readonly Overload[] = [
  overload('<string>.charAt(int) -> string', charAt),
  overload('<string>.indexOf(string) -> int', indexOf, ONE_PASS),
  overload('<string>.indexOf(string, int) -> int', indexOf, ONE_PASS),
  overload('<string>.lastIndexOf(string) -> int', lastIndexOf, ONE_PASS),
  overload('<string>.lastIndexOf(string, int) -> int', lastIndexOf, ONE_PASS),
  overload('<string>.lowerAscii() -> string', lowerAscii, COPY),
  overload('<string>.upperAscii() -> string', upperAscii, COPY),
  overload('<string>.replace(string, string) -> string', replace, replaces),
  overload('<string>.replace(string, string, int) -> string', replace, replaces),
  overload('<string>.split(string) -> list(string)', split, splits),
  overload('<string>.split(string, int) -> list(string)', split, splits),
  overload('<string>.substring(int) -> string', substring, COPY),
  overload('<string>.substring(int, int) -> string', substring, COPY),
  overload('<string>.trim() -> string', (text: string) => text.replace(ENDS, ''), COPY),
  overload('<string>.format(list(dyn)) -> string', formatText, formats),
  overload('strings.quote(string) -> string', quote, quotes),
  overload('<list(string)>.join() -> string', join, joins),
  overload('<list(string)>.join(string) -> string', join, joins),
];
