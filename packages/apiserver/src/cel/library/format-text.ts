import { compareStrings, quoteGo } from 'client-ts/internal';
import {
  CelList,
  CelMap,
  Duration,
  Failure,
  NO_SUCH_OVERLOAD,
  Timestamp,
  typeOf,
  TypeValue,
  type Value,
} from '../values.ts';
import type { Type } from '../types.ts';
import { Uint } from '../uint.ts';
import { doubleText } from './standard.ts';
import { formatDuration, formatTime } from './time.ts';

const PRECISION = 6;

/** Fills a template with values: `'%s has %d'.format(['a', 1])`. */
export function formatText(template: string, values: CelList): Value {
  const text = interpolate(template, values.size, (verb, index, precision) =>
    formatOne(verb, values.at(index), precision),
  );
  if (text instanceof Failure || text.used === values.size) {
    return text instanceof Failure ? text : text.text;
  }
  return tooMany(text.used, values.size);
}

/** The failure of a template with fewer places than values. */
export function tooMany(expected: number, given: number): Failure {
  return new Failure(
    `too many arguments supplied to string.format (expected ${expected}, got ${given})`,
  );
}

/** Calls back for each place of a template and puts the results together. */
export function interpolate(
  template: string,
  count: number,
  format: (verb: string, index: number, precision: number) => Failure | string,
): Failure | { readonly text: string; readonly used: number } {
  let text = '';
  let last = 0;
  let used = 0;
  for (const match of template.matchAll(/%(?:%|(?:\.(\d*))?([^]?))/gu)) {
    text += template.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[0] === '%%') {
      text += '%';
      continue;
    }
    const [, precision, verb = ''] = match;
    if (used >= count) return new Failure(`index ${used} out of range`);
    if (match[0] === '%') return new Failure('unexpected end of string');
    const problem = clauseProblem(precision, verb);
    if (problem !== undefined) return new Failure(`could not parse formatting clause: ${problem}`);
    const part = format(verb, used, precision === undefined ? PRECISION : Number(precision));
    if (part instanceof Failure) return new Failure(`error during formatting: ${part.message}`);
    text += part;
    used++;
  }
  return { text: text + template.slice(last), used };
}

function clauseProblem(precision: string | undefined, verb: string): string | undefined {
  const what = 'error while parsing precision';
  if (verb === '') return `${what}: could not find end of precision specifier`;
  if (precision === '') {
    return `${what}: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`;
  }
  return 'sdfebxXo'.includes(verb) ? undefined : `unrecognized formatting clause "${verb}"`;
}

/** Returns why a value of a type cannot stand at a place; undefined if it can. */
export function clauseFault(verb: string, { kind, name }: Type): Failure | undefined {
  const [allowed, message] = CLAUSES.get(verb) ?? ['', ''];
  if (kind === 'dyn' || allowed.split(' ').includes(kind)) return undefined;
  return new Failure(`${message}, was given ${name}`);
}

const TEXTS = 'list map int uint double bool string timestamp bytes duration type null';
const HEX: readonly [string, string] = [
  'int uint bytes string',
  'only integers, byte buffers, and strings can be formatted as hex',
];

/** The types that each verb takes, and what is said of others. */
const CLAUSES: ReadonlyMap<string, readonly [types: string, message: string]> = new Map<
  string,
  readonly [string, string]
>([
  [
    's',
    [
      TEXTS,
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    ],
  ],
  ['d', ['int uint', 'decimal clause can only be used on integers']],
  ['f', ['double string', 'fixed-point clause can only be used on doubles']],
  ['e', ['double string', 'scientific clause can only be used on doubles']],
  ['b', ['int uint bool', 'only integers and bools can be formatted as binary']],
  ['x', HEX],
  ['X', HEX],
  ['o', ['int uint', 'octal clause can only be used on integers']],
]);

function formatOne(verb: string, value: Value, precision: number): Failure | string {
  const text = formatted(verb, value, precision);
  return text ?? clauseFault(verb, { ...typeOf(value), kind: 'error' }) ?? NO_SUCH_OVERLOAD;
}

function formatted(verb: string, value: Value, precision: number): Failure | string | undefined {
  switch (verb) {
    case 's':
      return asText(value);
    case 'f':
      return floatText(value, (number) => grouped(number.toFixed(precision)));
    case 'e':
      return floatText(value, (number) => exponential(number, precision));
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integerText(value, 2);
    case 'x':
      return hexText(value);
    case 'X':
      return hexText(value)?.toUpperCase();
    default:
      return integerText(value, verb === 'o' ? 8 : 10);
  }
}

function integerText(value: Value, radix: number): string | undefined {
  const integer = value instanceof Uint ? value.value : value;
  return typeof integer === 'bigint' ? integer.toString(radix) : undefined;
}

function hexText(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerText(value, 16);
}

const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function floatText(value: Value, format: (number: number) => string): string | undefined {
  if (typeof value === 'number') return goSpecial(value) ?? format(value);
  const special = typeof value === 'string' ? SPECIAL.get(value) : undefined;
  return special === undefined ? undefined : goSpecial(special);
}

function goSpecial(number: number): string | undefined {
  if (Number.isNaN(number)) return 'NaN';
  if (number === Number.POSITIVE_INFINITY) return '∞';
  return number === Number.NEGATIVE_INFINITY ? '-∞' : undefined;
}

/** The printer of a genuine server is that of a language, English, which groups digits. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** A genuine server takes the precision for the width. */
function exponential(number: number, width: number): string {
  const [digits = '', exponent = ''] = number.toExponential(PRECISION).split('e');
  const power = exponent.slice(1).padStart(2, '0');
  const superscript = Array.from(power, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '').join('');
  const text = `${digits}×10${exponent.startsWith('-') ? '⁻' : ''}${superscript}`;
  return text.padStart(width);
}

/** A value as `%s` prints it; texts in lists and maps are quoted. */
function asText(value: Value): Failure | string | undefined {
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  if (value === null) return 'null';
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof Timestamp) return formatTime(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' ? undefined : String(value);
}

function quoted(value: Value): Failure | string {
  if (typeof value === 'number') {
    const special = goSpecial(value)?.replace('∞', 'Inf');
    return special === undefined
      ? value.toFixed(PRECISION)
      : quoteGo(special.replace(/^Inf/, '+Inf'));
  }
  if (value instanceof TypeValue) return `type(${value.type.name})`;
  if (value instanceof Timestamp) return `timestamp("${formatTime(value)}")`;
  if (value instanceof Duration) return `duration("${formatDuration(value)}")`;
  const text = asText(value) ?? new Failure(`no formatting function for ${typeOf(value).name}`);
  if (text instanceof Failure) return text;
  if (typeof value === 'string') return quoteGo(text);
  return value instanceof Uint8Array ? `b${quoteGo(text)}` : text;
}

function mapText(map: CelMap): Failure | string {
  const pairs: string[] = [];
  for (const key of map.keys()) {
    const [name, value] = [quoted(key), quoted(map.get(key) ?? null)];
    if (name instanceof Failure) return name;
    if (value instanceof Failure) return value;
    pairs.push(`${name}:${value}`);
  }
  return `{${pairs.toSorted((left, right) => compareStrings(left, right)).join(', ')}}`;
}

function listText(list: CelList): Failure | string {
  const parts: string[] = [];
  for (const one of list) {
    const part = quoted(one);
    if (part instanceof Failure) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}
