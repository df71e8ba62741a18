import { PatternError, recentPattern } from '../../validation/go-pattern.ts';
import { matchesPattern } from '../costs.ts';
import { type Overload, overload } from '../declarations.ts';
import { ArrayList, Failure, type Value } from '../values.ts';

function withMatches(
  text: string,
  pattern: string,
  limit: bigint,
  use: (found: string[]) => Value,
): Value {
  try {
    return use(
      recentPattern(pattern).findAll(text, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)),
    );
  } catch (error) {
    if (error instanceof PatternError) return new Failure(`Illegal regex: ${error.message}`);
    throw error;
  }
}

const find = (text: string, pattern: string): Value =>
  withMatches(text, pattern, 1n, ([first = '']) => first);

const findAll = (text: string, pattern: string, limit = -1n): Value =>
  withMatches(text, pattern, limit, (found) => new ArrayList(found));

/** Returns why a pattern that is written in an expression cannot be used; undefined if it can. */
export function patternFault(pattern: string): Failure | undefined {
  try {
    recentPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return new Failure(error.message);
    throw error;
  }
}

/** Patterns: RE2, as everywhere in Kubernetes. */
export const REGEX: readonly Overload[] = [
  overload('<string>.find(string) -> string', find, matchesPattern(true)),
  overload('<string>.findAll(string) -> list(string)', findAll, matchesPattern(true)),
  overload('<string>.findAll(string, int) -> list(string)', findAll, matchesPattern(true)),
];
