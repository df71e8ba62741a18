import { PatternError, recentPattern } from '../validation/go-pattern.ts';
import type { Checked } from './checker.ts';
import { type Call, type Expression, partsOf } from './expression.ts';
import type { Issues } from './issues.ts';
import { clauseFault, interpolate, tooMany } from './library/format-text.ts';
import { checkedTimestamp, parseDuration, parseTime } from './library/time.ts';
import { DYN, isSameType, type Type, typeMismatch, unwrapOptional } from './types.ts';
import { Failure } from './values.ts';

/**
 * Rejects durations, times and patterns that are written in an expression and are none, and lists
 * and maps of values of several types.
 */
export function checkLiterals({ expression, types }: Checked, issues: Issues): void {
  checkAggregates(expression, types, issues);
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

/** Lists and maps have one type of values, except in the arguments of a text's `format`. */
function checkAggregates(expression: Expression, types: Checked['types'], issues: Issues): void {
  if (expression.kind === 'call' && expression.name === 'format') return;
  for (const part of partsOf(expression)) checkAggregates(part, types, issues);
  const typeOf = (part: Expression, isOptional: boolean): Type => {
    const type = types.get(part) ?? DYN;
    return isOptional ? unwrapOptional(type) : type;
  };
  if (expression.kind === 'list') {
    const [first, ...rest] = expression.elements;
    if (first === undefined) return;
    const expected = typeOf(first.value, first.isOptional);
    const other = rest.find(
      ({ value, isOptional }) => !isSameType(expected, typeOf(value, isOptional)),
    );
    if (other === undefined) return;
    const found = typeOf(other.value, other.isOptional);
    issues.add(other.value.at, typeMismatch(expected, found));
  }
  if (expression.kind !== 'map') return;
  const [first, ...rest] = expression.entries;
  if (first === undefined) return;
  const compare = (part: Expression, expected: Type, found: Type): void => {
    if (!isSameType(expected, found)) issues.add(part.at, typeMismatch(expected, found));
  };
  for (const { key, value, isOptional } of rest) {
    compare(key, typeOf(first.key, false), typeOf(key, false));
    compare(value, typeOf(first.value, first.isOptional), typeOf(value, isOptional));
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
