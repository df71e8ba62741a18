import { formatGoFloat } from 'client-ts/internal';
import { PatternError, recentPattern } from '../../validation/go-pattern.ts';
import { type CostRule, countedSize, matchesPattern, scaled, times, TRAVERSAL } from '../costs.ts';
import { type Overload, overload } from '../declarations.ts';
import {
  TypeValue,
  type CelList,
  type CelMap,
  Duration,
  Failure,
  sizeOf,
  type Timestamp,
  typeOf,
  type Value,
} from '../values.ts';
import { Uint } from '../uint.ts';
import {
  floorDivide,
  formatDuration,
  formatTime,
  parseDuration,
  parseTime,
  checkedTimestamp,
  type TimePart,
  timePart,
} from './time.ts';

const converts = (from: string, to: string): Failure =>
  new Failure(`type conversion error from '${from}' to '${to}'`);

const INT_OVERFLOW = new Failure('integer overflow');
const UINT_OVERFLOW = new Failure('unsigned integer overflow');

const asInt = (value: bigint): Value => (BigInt.asIntN(64, value) === value ? value : INT_OVERFLOW);
const asUint = (value: bigint): Value =>
  BigInt.asUintN(64, value) === value ? new Uint(value) : UINT_OVERFLOW;

function parseInteger(text: string, pattern: RegExp): bigint | undefined {
  return pattern.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function boolOf(text: string): Value {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : converts('string', 'bool');
}

function doubleOf(text: string): Value {
  const isNumber = /^[+-]?(?:\d+(?:_\d+)*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)$/.test(
    text,
  );
  if (isNumber) {
    const value = Number(text.replaceAll('_', ''));
    return Number.isFinite(value) ? value : converts('string', 'double');
  }
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special === null) return converts('string', 'double');
  if (/nan/i.test(text)) return special[1] === '' ? Number.NaN : converts('string', 'double');
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Returns a number as Go's shortest format has it. */
export function doubleText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return formatGoFloat(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function intOfDouble(value: number): Value {
  const isInRange = value > -(2 ** 63) && value < 2 ** 63;
  return isInRange ? BigInt(Math.trunc(value)) : INT_OVERFLOW;
}

function uintOfDouble(value: number): Value {
  const isInRange = value >= 0 && value < 2 ** 64;
  return isInRange ? new Uint(BigInt(Math.trunc(value))) : UINT_OVERFLOW;
}

function textOfBytes(bytes: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new Failure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const SECOND = 1_000_000_000n;
const secondsOf = ({ nanos }: Timestamp): bigint => floorDivide(nanos, SECOND);

/** The size of what a conversion of text to bytes makes, and back. */
const encodes: CostRule = {
  count: ([text]) => Math.ceil(countedSize(text) * TRAVERSAL),
  estimate: ({ size }) => ({
    cost: scaled(size(0), TRAVERSAL),
    resultSize: { min: size(0).min, max: BigInt.asUintN(64, size(0).max * 4n) },
  }),
};
const decodes: CostRule = {
  count: ([bytes]) => Math.ceil(countedSize(bytes) * TRAVERSAL),
  estimate: ({ size }) => ({
    cost: scaled(size(0), TRAVERSAL),
    resultSize: { min: size(0).min / 4n, max: size(0).max },
  }),
};

const CONVERSIONS: readonly Overload[] = [
  overload('type(A) -> type(A)', (value: Value) => new TypeValue(typeOf(value))),
  overload('bool(bool) -> bool', (value: boolean) => value),
  overload('bool(string) -> bool', boolOf),
  overload('bytes(bytes) -> bytes', (value: Uint8Array) => value),
  overload('bytes(string) -> bytes', (text: string) => new TextEncoder().encode(text), encodes),
  overload('double(double) -> double', (value: number) => value),
  overload('double(int) -> double', (value: bigint) => Number(value)),
  overload('double(string) -> double', doubleOf),
  overload('double(uint) -> double', ({ value }: Uint) => Number(value)),
  overload('duration(duration) -> duration', (value: Duration) => value),
  overload('duration(int) -> duration', (nanos: bigint) => new Duration(nanos)),
  overload(
    'duration(string) -> duration',
    (text: string) => parseDuration(text) ?? converts('string', 'google.protobuf.Duration'),
  ),
  overload('dyn(A) -> dyn', (value: Value) => value),
  overload('int(int) -> int', (value: bigint) => value),
  overload('int(double) -> int', intOfDouble),
  overload('int(duration) -> int', ({ nanos }: Duration) => nanos),
  overload('int(string) -> int', (text: string) => {
    const value = parseInteger(text, /^[+-]?\d+$/);
    if (value === undefined || BigInt.asIntN(64, value) !== value) return converts('string', 'int');
    return value;
  }),
  overload('int(timestamp) -> int', secondsOf),
  overload('int(uint) -> int', ({ value }: Uint) => asInt(value)),
  overload('string(string) -> string', (value: string) => value),
  overload('string(bool) -> string', (value: boolean) => String(value)),
  overload('string(bytes) -> string', textOfBytes, decodes),
  overload('string(double) -> string', doubleText),
  overload('string(duration) -> string', formatDuration),
  overload('string(int) -> string', (value: bigint) => String(value)),
  overload('string(timestamp) -> string', formatTime),
  overload('string(uint) -> string', ({ value }: Uint) => String(value)),
  overload('timestamp(timestamp) -> timestamp', (value: Timestamp) => value),
  overload('timestamp(int) -> timestamp', (seconds: bigint) => checkedTimestamp(seconds * SECOND)),
  overload(
    'timestamp(string) -> timestamp',
    (text: string) => parseTime(text) ?? converts('string', 'google.protobuf.Timestamp'),
  ),
  overload('uint(uint) -> uint', (value: Uint) => value),
  overload('uint(double) -> uint', uintOfDouble),
  overload('uint(int) -> uint', (value: bigint) => asUint(value)),
  overload('uint(string) -> uint', (text: string) => {
    const value = parseInteger(text, /^\d+$/);
    const result = value === undefined ? undefined : asUint(value);
    return result === undefined || result instanceof Failure ? converts('string', 'uint') : result;
  }),
];

const size = (value: CelList | CelMap | Uint8Array | string): Value => BigInt(sizeOf(value) ?? 0);

const SIZES: readonly Overload[] = ['bytes', 'list(A)', 'map(A, B)', 'string'].flatMap((type) => [
  overload(`size(${type}) -> int`, size),
  overload(`<${type}>.size() -> int`, size),
]);

/** Counting takes the text that is searched, an estimate what is looked for. */
const affix: CostRule = {
  count: ([text]) => Math.ceil(countedSize(text) * TRAVERSAL),
  estimate: (call) => ({ cost: scaled(call.size(1), TRAVERSAL) }),
};

const contains: CostRule = {
  count: ([text, part]) =>
    Math.ceil(countedSize(text) * TRAVERSAL) * Math.ceil(countedSize(part) * TRAVERSAL),
  estimate: (call) => ({
    cost: times(scaled(call.size(0), TRAVERSAL), scaled(call.size(1), TRAVERSAL)),
  }),
};

/** Returns whether a pattern matches anywhere in a text; a failure if it is none. */
function matches(text: string, pattern: string): Value {
  try {
    return recentPattern(pattern).test(text);
  } catch (error) {
    if (error instanceof PatternError) return new Failure(error.message);
    throw error;
  }
}

const STRINGS: readonly Overload[] = [
  overload(
    '<string>.contains(string) -> bool',
    (text: string, part: string) => text.includes(part),
    contains,
  ),
  overload(
    '<string>.endsWith(string) -> bool',
    (text: string, end: string) => text.endsWith(end),
    affix,
  ),
  overload(
    '<string>.startsWith(string) -> bool',
    (text: string, start: string) => text.startsWith(start),
    affix,
  ),
  overload('matches(string, string) -> bool', matches),
  overload('<string>.matches(string) -> bool', matches, {
    ...matchesPattern(false),
    isForAll: false,
  }),
];

const PARTS: readonly (readonly [string, TimePart])[] = [
  ['getDate', 'date'],
  ['getDayOfMonth', 'dayOfMonth'],
  ['getDayOfWeek', 'day'],
  ['getDayOfYear', 'dayOfYear'],
  ['getFullYear', 'year'],
  ['getHours', 'hours'],
  ['getMilliseconds', 'milliseconds'],
  ['getMinutes', 'minutes'],
  ['getMonth', 'month'],
  ['getSeconds', 'seconds'],
];

const DURATION_PARTS: readonly (readonly [string, (nanos: bigint) => bigint])[] = [
  ['getHours', (nanos) => nanos / (3600n * SECOND)],
  ['getMinutes', (nanos) => nanos / (60n * SECOND)],
  ['getSeconds', (nanos) => nanos / SECOND],
  ['getMilliseconds', (nanos) => nanos / 1_000_000n],
];

const TIMES: readonly Overload[] = [
  ...PARTS.flatMap(([name, part]) => [
    overload(`<timestamp>.${name}() -> int`, (time: Timestamp) => timePart(time, part)),
    overload(`<timestamp>.${name}(string) -> int`, (time: Timestamp, zone: string) =>
      timePart(time, part, zone),
    ),
  ]),
  ...DURATION_PARTS.map(([name, take]) =>
    overload(`<duration>.${name}() -> int`, ({ nanos }: Duration) => take(nanos)),
  ),
];

/** The functions that CEL itself defines. */
export const STANDARD: readonly Overload[] = [...CONVERSIONS, ...SIZES, ...STRINGS, ...TIMES];
