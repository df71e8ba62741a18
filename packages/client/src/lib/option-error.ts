import { inspect } from 'node:util';
import { ClientError, defineErrors } from './errors.ts';

/** An option has an invalid value. Nothing was started or changed. */
export class OptionError extends ClientError {
  /** The name of the option. */
  readonly option: string;

  constructor(option: string, message: string) {
    super('OPTION_INVALID', `${option}: ${message}`);
    this.option = option;
  }

  static {
    defineErrors(this, 'OptionError', 'OPTION', { OPTION_INVALID: { retry: 'never' } });
  }
}

/** The kinds of numeric options. None of them accepts `NaN`. */
export type NumberKind =
  /** A positive count. */
  | 'count'
  /** A count that may be 0. */
  | 'countOrNone'
  /** A duration in milliseconds. */
  | 'duration'
  /** A fraction or multiple. */
  | 'fraction'
  /** A period in milliseconds; 0 means never. */
  | 'period'
  /** A port to listen on; 0 chooses a free one. */
  | 'port'
  /** A rate per second. */
  | 'rate';

interface NumberRule {
  readonly accepts: (value: number) => boolean;
  readonly words: string;
}

const isWhole = (value: number): boolean => Number.isInteger(value) || value === Infinity;

const rules: Readonly<Record<NumberKind, NumberRule>> = {
  count: {
    accepts: (value) => value >= 1 && isWhole(value),
    words: 'a whole number of 1 or more, or Infinity',
  },
  countOrNone: {
    accepts: (value) => value >= 0 && isWhole(value),
    words: 'a whole number of 0 or more, or Infinity',
  },
  duration: {
    accepts: (value) => value >= 0,
    words: 'a number of milliseconds of 0 or more, or Infinity',
  },
  fraction: { accepts: (value) => value >= 0, words: 'a number of 0 or more' },
  period: {
    accepts: (value) => value >= 0,
    words: 'a number of milliseconds of 0 or more; 0 means never',
  },
  port: {
    accepts: (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
    words: 'a port: a whole number from 0 to 65535',
  },
  rate: { accepts: (value) => value > 0, words: 'a number greater than 0, or Infinity' },
};

/**
 * Throws an {@link OptionError} that names the first invalid number. Omitted options are not
 * checked.
 *
 * ```ts
 * checkNumbers(options, { maxPending: 'count', resyncPeriodMs: 'period' });
 * ```
 */
export function checkNumbers<O extends object>(
  options: O,
  kinds: { readonly [Name in keyof O]?: NumberKind },
): void {
  for (const name of Object.keys(kinds) as (keyof O & string)[]) {
    const kind = kinds[name];
    if (kind !== undefined) checkNumber(name, options[name], kind);
  }
}

/** Throws an {@link OptionError} if a number is set and invalid. */
export function checkNumber(name: string, value: unknown, kind: NumberKind): void {
  if (value !== undefined) requireNumber(name, value, kind);
}

/** Throws an {@link OptionError} if a number is not set or invalid. */
export function requireNumber(name: string, value: unknown, kind: NumberKind): void {
  const { accepts, words } = rules[kind];
  if (typeof value === 'number' && accepts(value)) return;
  throw new OptionError(name, `${inspect(value)} is not ${words}`);
}

/** Throws an {@link OptionError} if a value is set and not one of the choices. */
export function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  const quoted = choices.map((choice) => JSON.stringify(choice)).join(', ');
  throw new OptionError(name, `${inspect(value)} is not one of ${quoted}`);
}
