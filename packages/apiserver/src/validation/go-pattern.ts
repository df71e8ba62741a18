import { createRequire } from 'node:module';

import { ClientError, defineErrors } from 'client-ts/internal';
import type * as re2 from 're2js';

/** A pattern that Go's regexp package rejects, with Go's message. */
export class PatternError extends ClientError {
  constructor(problem: string, at: string, cause?: unknown) {
    super('APISERVER_PATTERN_INVALID', `error parsing regexp: ${problem}: \`${at}\``, { cause });
  }

  static {
    defineErrors(this, 'PatternError', 'APISERVER', {
      APISERVER_PATTERN_INVALID: { retry: 'never' },
    });
  }
}

/** A compiled pattern, which matches anywhere in a text. */
export interface GoPattern {
  test(text: string): boolean;
  /** Returns the texts that match, from left to right, at most `limit` of them. */
  findAll(text: string, limit: number): string[];
}

type Engine = typeof re2;

let engine: Engine | undefined;

/** Loads the engine with the first pattern: most servers never see a CRD with one. */
function loadEngine(): Engine {
  engine ??= createRequire(import.meta.url)('re2js') as Engine;
  return engine;
}

/**
 * Compiles a pattern of a CRD. CRDs use the syntax of Go's regexp package, which is RE2: no
 * look-around, no back references, and linear time for every pattern. Throws a {@link PatternError}
 * for patterns that Go rejects.
 */
export function goPattern(pattern: string): GoPattern {
  const { RE2JS, RE2JSSyntaxException } = loadEngine();
  try {
    const compiledPattern = RE2JS.compile(pattern);
    return {
      test: (text) => compiledPattern.test(text),
      findAll(text, limit) {
        const found: string[] = [];
        const matcher = compiledPattern.matcher(text);
        let end = -1;
        while (found.length < limit && matcher.find()) {
          // Go ignores an empty match that begins where the one before ended.
          if (matcher.start() === matcher.end() && matcher.start() === end) continue;
          end = matcher.end();
          found.push(matcher.group() ?? '');
        }
        return found;
      },
    };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw patternError(error, pattern);
    throw error;
  }
}

const TRAILING_BACKSLASH = 'trailing backslash at end of expression';

/** The engine quotes the same part of the pattern as Go, except if that is all of it or nothing. */
function patternError(error: re2.RE2JSSyntaxException, pattern: string): PatternError {
  const problem = error.getDescription();
  const whole = problem === TRAILING_BACKSLASH ? '' : pattern;
  return new PatternError(problem, error.getPattern() ?? whole, error);
}

const compiled = new WeakMap<object, GoPattern>();

/**
 * Returns the compiled pattern of a schema, cached as long as `owner` (the schema's validation)
 * lives, because a large repetition takes megabytes.
 */
export function patternOf(owner: object, pattern: string): GoPattern {
  let known = compiled.get(owner);
  if (known === undefined) {
    known = goPattern(pattern);
    compiled.set(owner, known);
  }
  return known;
}

const MOST_RECENT = 16;
const recent = new Map<string, GoPattern>();

/**
 * Returns a compiled pattern of an expression, which is used again and again: once for each element
 * of a list. Only the last few are kept, because a large repetition takes megabytes.
 */
export function recentPattern(pattern: string): GoPattern {
  const known = recent.get(pattern) ?? goPattern(pattern);
  recent.delete(pattern);
  recent.set(pattern, known);
  const [oldest] = recent.keys();
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
  return known;
}
