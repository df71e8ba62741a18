// Upstream: pkg/apis/batch/validation/validation.go: validateScheduleFormat
// Upstream: vendor/github.com/robfig/cron/v3/parser.go
import { ClientError, defineErrors, quoteGo } from 'client-ts/internal';
import { durationProblem, fitsInt64 } from '../../../validation/go-duration.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Names for numbers, starting at the minimum. */
  readonly names?: readonly string[];
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');

/** Minute, hour, day of month, month, day of week. */
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const EVERY = '@every ';

/** Returns what is wrong with a cron schedule; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=([^ ]*)( .*)?$/s.exec(schedule);
  if (zone === null) return patternProblem(schedule);
  const [, name = '', rest] = zone;
  if (rest === undefined) {
    return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  }
  const problem = timeZoneProblem(name);
  return problem === undefined
    ? patternProblem(rest.trim())
    : `provided bad location ${name}: ${problem}`;
}

function patternProblem(pattern: string): string | undefined {
  if (pattern.startsWith('@')) return descriptorProblem(pattern);
  const fields = pattern.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  return firstProblem(FIELDS, (bounds, index) =>
    firstProblem(
      (fields[index] ?? '').split(',').filter((range) => range !== ''),
      (range) => rangeProblem(range, bounds),
    ),
  );
}

function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function descriptorProblem(descriptor: string): string | undefined {
  if (DESCRIPTORS.has(descriptor)) return undefined;
  if (!descriptor.startsWith(EVERY)) return `unrecognized descriptor: ${descriptor}`;
  const problem = durationProblem(descriptor.slice(EVERY.length));
  return problem && `failed to parse duration ${descriptor}: ${problem}`;
}

/** Ends the parsing of a field at its first invalid part. */
class CronSyntaxError extends ClientError {
  constructor(message: string) {
    super('APISERVER_CRON_INVALID', message);
  }

  static {
    defineErrors(this, 'CronSyntaxError', 'APISERVER', {
      APISERVER_CRON_INVALID: { retry: 'never' },
    });
  }
}

function rangeProblem(text: string, bounds: Bounds): string | undefined {
  try {
    checkRange(text, bounds);
    return undefined;
  } catch (error) {
    if (error instanceof CronSyntaxError) return error.message;
    throw error;
  }
}

function checkRange(text: string, { min, max, names = [] }: Bounds): void {
  const [range = '', stepText, ...slashes] = text.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const isAny = low === '*' || low === '?';
  const numberOf = (value: string): number => {
    const index = names.indexOf(value.toLowerCase());
    return index < 0 ? parseNumber(value) : min + index;
  };

  const start = isAny ? min : numberOf(low);
  if (!isAny && hyphens.length > 0) throw new CronSyntaxError(`too many hyphens: ${text}`);
  let end = isAny ? max : high === undefined ? start : numberOf(high);
  if (slashes.length > 0) throw new CronSyntaxError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && high === undefined) end = max;

  if (start < min)
    throw new CronSyntaxError(`beginning of range (${start}) below minimum (${min}): ${text}`);
  if (end > max) throw new CronSyntaxError(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end) {
    throw new CronSyntaxError(
      `beginning of range (${start}) beyond end of range (${end}): ${text}`,
    );
  }
  if (step === 0) throw new CronSyntaxError(`step of range should be a positive number: ${text}`);
}

function parseNumber(text: string): number {
  const failed = (why: string): CronSyntaxError =>
    new CronSyntaxError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: ${why}`,
    );
  if (!/^[+-]?[0-9]+$/.test(text)) throw failed('invalid syntax');
  const number = Number(text);
  if (!fitsInt64(text.replace(/^[+-]/, ''))) throw failed('value out of range');
  if (number < 0) throw new CronSyntaxError(`negative number (${number}) not allowed: ${text}`);
  return number;
}

/** Returns what is wrong with a time zone name; undefined if the zone exists. */
export function timeZoneProblem(name: string): string | undefined {
  return name === '' || name === 'UTC' || name === 'Local' || isKnownTimeZone(name)
    ? undefined
    : `unknown time zone ${name}`;
}

/** Zone names are file names, so they are case-sensitive; offsets such as `+01` are not names. */
function isKnownTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
