import { PatternError, recentPattern } from '../validation/go-pattern.ts';
import type { Checked } from './checker.ts';
import type { Call, Expression } from './expression.ts';
import type { Issues } from './issues.ts';
import { clauseFault, interpolate, tooMany } from './library/format-text.ts';
import { checkedTimestamp, parseDuration, parseTime } from './library/time.ts';
import { DYN } from './types.ts';
import { Failure } from './values.ts';

/** Rejects durations, times and patterns that are written in an expression and are none. */
export function checkLiterals({ types }: Checked, issues: Issues): void {
  for (const part of types.keys()) {
    if (part.kind !== 'call') continue;
    const [first, second] = part.args;
    if (part.target === undefined && part.name === 'matches') {
      checkLiteral(second, 'matches', isPattern, issues);
    } else if (part.name === 'matches') checkLiteral(first, 'matches', isPattern, issues);
    if (part.name === 'format') checkFormat(part, types, issues);
    if (part.target !== undefined) continue;
    if (part.name === 'duration') {
      checkLiteral(first, 'duration', (text) => parseDuration(text) !== undefined, issues);
    }
    if (part.name === 'timestamp' && first?.kind === 'literal' && typeof first.value === 'bigint') {
      const isTime = !(checkedTimestamp(first.value * 1_000_000_000n) instanceof Failure);
      if (!isTime) issues.add(first.at, 'invalid timestamp argument');
    } else if (part.name === 'timestamp') {
      checkLiteral(first, 'timestamp', (text) => parseTime(text) !== undefined, issues);
    }
  }
}

function checkLiteral(
  argument: Expression | undefined,
  name: string,
  isValid: (text: string) => boolean,
  issues: Issues,
): void {
  if (argument?.kind !== 'literal' || typeof argument.value !== 'string') return;
  if (!isValid(argument.value)) issues.add(argument.at, `invalid ${name} argument`);
}

function isPattern(text: string): boolean {
  try {
    recentPattern(text);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** Checks a template against the types of the values it is filled with, if both are written out. */
function checkFormat(
  { at, target, args: [list] }: Call,
  types: Checked['types'],
  issues: Issues,
): void {
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list')
    return;
  const { elements } = list;
  let place = at;
  const result = interpolate(target.value, elements.length, (verb, index) => {
    const value = elements[index]?.value;
    const fault = value && faultOf(verb, value, types);
    place = fault?.at ?? place;
    return fault?.failure ?? '';
  });
  if (result instanceof Failure) issues.add(place, result.message);
  else if (result.used < elements.length) {
    issues.add(at, tooMany(result.used, elements.length).message);
  }
}

/** The first part of a value that cannot be formatted, and why. */
function faultOf(
  verb: string,
  value: Expression,
  types: Checked['types'],
): { readonly at: number; readonly failure: Failure } | undefined {
  const failure = clauseFault(verb, types.get(value) ?? DYN);
  if (failure !== undefined) return { at: value.at, failure };
  if (verb !== 's') return undefined;
  const parts =
    value.kind === 'list'
      ? value.elements.map((element) => element.value)
      : value.kind === 'map'
        ? value.entries.flatMap((entry) => [entry.key, entry.value])
        : [];
  for (const part of parts) {
    const fault = faultOf(verb, part, types);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
