import * as fc from 'fast-check';
import { ClientError } from 'client-ts/internal';

/** A parser, decoder or endpoint, with its input and the property that must hold. */
export interface FuzzTarget {
  readonly name: string;
  /** One line for the list of targets. */
  readonly about: string;
  /** Runs the target. Resolves with the first failure, already shrunk. */
  run(options: FuzzOptions): Promise<FuzzReport>;
}

export interface FuzzOptions {
  readonly seed: number;
  /** The maximum number of inputs. */
  readonly runs: number;
  /** The maximum duration. */
  readonly timeLimitMs?: number;
}

export interface FuzzReport {
  readonly runs: number;
  readonly failure?: FuzzFailure;
}

export interface FuzzFailure {
  /** The smallest failing input, in the form of the regressions. */
  readonly input: unknown;
  readonly error: unknown;
  readonly seed: number;
}

/** The definition of a target. */
export interface TargetDescription<I> {
  readonly name: string;
  readonly about: string;
  readonly input: fc.Arbitrary<I>;
  /** Inputs that once failed. They are tried first, in every run. */
  readonly regressions?: readonly I[];
  /** Creates what the checks of one run share, such as a server. */
  readonly open: () => Promise<AsyncDisposable & { check(input: I): Promise<void> | void }>;
}

/** How many inputs come from one seed. */
const SLICE = 100;

/**
 * Creates a target: fast-check generates and shrinks, and prototypes are checked after each input.
 */
export function fuzzTarget<I>(description: TargetDescription<I>): FuzzTarget {
  const { name, about, input, regressions = [], open } = description;
  return {
    name,
    about,
    run: async ({ seed, runs, timeLimitMs }) => {
      await using opened = await open();
      const property = fc.asyncProperty(input, async (one) => {
        await opened.check(one);
        assertUnpolluted();
      });
      const deadline = performance.now() + (timeLimitMs ?? Infinity);
      let done = 0;
      // Each slice has its own seed, so that a failure deep in a long run can be reproduced
      // quickly.
      for (let slice = 0; done < runs && performance.now() < deadline; slice += 1) {
        const { failed, counterexample, errorInstance, numRuns } = await fc.check(property, {
          seed: seed + slice,
          numRuns: Math.min(SLICE, runs - done),
          examples: slice === 0 ? regressions.map((one): [I] => [one]) : [],
        });
        done += numRuns;
        if (failed && counterexample !== null) {
          const [smallest] = counterexample;
          const failure = { input: smallest, error: errorInstance, seed: seed + slice };
          return { runs: done, failure };
        }
      }
      return { runs: done };
    },
  };
}

/** For targets without shared state. */
export function pure<I>(
  check: (input: I) => Promise<void> | void,
): () => Promise<AsyncDisposable & { check(input: I): Promise<void> | void }> {
  return async () => ({ check, [Symbol.asyncDispose]: async () => undefined });
}

/** Runs a parser. Typed errors are expected; anything else it throws is a failure. */
export function typedOnly<T>(parse: () => T, inputLength = 0): T | ClientError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ClientError) return bounded(error, inputLength);
    throw error;
  }
}

/** The same for promises. */
export async function typedOnlyAsync<T>(parse: () => Promise<T>): Promise<T | ClientError> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof ClientError) return bounded(error, 0);
    throw error;
  }
}

/** Enough for any message that quotes its input two or three times with escapes. */
const MAX_MESSAGE_LENGTH = 16_384;

function bounded(error: ClientError, inputLength: number): ClientError {
  if (error.message.length <= MAX_MESSAGE_LENGTH + 12 * inputLength) return error;
  throw new Error(`the message of ${error.code} has ${error.message.length} characters`, {
    cause: error,
  });
}

const prototypes: readonly (readonly [string, object, number])[] = [
  ['Object.prototype', Object.prototype, Reflect.ownKeys(Object.prototype).length],
  ['Array.prototype', Array.prototype, Reflect.ownKeys(Array.prototype).length],
];

function assertUnpolluted(): void {
  for (const [name, prototype, count] of prototypes) {
    const found = Reflect.ownKeys(prototype);
    if (found.length !== count) throw new Error(`${name} has new members: ${String(found.at(-1))}`);
  }
}
