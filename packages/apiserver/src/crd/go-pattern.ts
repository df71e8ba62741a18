import { createRequire } from 'node:module';

import type * as re2 from 're2js';

/** A pattern that Go's regexp package refuses; the message is its own. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  constructor(problem: string, at: string, cause?: unknown) {
    super(`error parsing regexp: ${problem}: \`${at}\``, { cause });
  }
}

/** What a compiled pattern is asked: whether it occurs anywhere in a text. */
export interface GoPattern {
  test(text: string): boolean;
}

type Engine = typeof re2;

let engine: Engine | undefined;

/** Loads the engine with the first pattern: most servers never see a CRD that has one. */
function loadEngine(): Engine {
  engine ??= createRequire(import.meta.url)('re2js') as Engine;
  return engine;
}

/**
 * Compiles a pattern of a CRD. CRDs write patterns in the syntax of Go's regexp package, which is
 * RE2: no look-around, no back references, and a time that grows with the text and never with the
 * number of ways to match it. Throws a {@link PatternError} for what Go refuses.
 */
export function goPattern(pattern: string): GoPattern {
  const { RE2JS, RE2JSSyntaxException } = loadEngine();
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw patternError(error, pattern);
    throw error;
  }
}

const TRAILING_BACKSLASH = 'trailing backslash at end of expression';

/** The engine names the offending part as Go does, except where that is all of the pattern or nothing. */
function patternError(error: re2.RE2JSSyntaxException, pattern: string): PatternError {
  const problem = error.getDescription();
  const whole = problem === TRAILING_BACKSLASH ? '' : pattern;
  return new PatternError(problem, error.getPattern() ?? whole, error);
}

const compiled = new WeakMap<object, GoPattern>();

/**
 * The compiled pattern of a schema. It is kept as long as `owner` is, the schema's validation, because a
 * large repetition takes megabytes.
 */
export function patternOf(owner: object, pattern: string): GoPattern {
  let known = compiled.get(owner);
  if (known === undefined) {
    known = goPattern(pattern);
    compiled.set(owner, known);
  }
  return known;
}
