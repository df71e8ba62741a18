import { pointerOf } from '../json/pointer.ts';

/** One place where an answer is not what was recorded. */
export interface Difference {
  /** JSON pointer from the exchange: `/response/body/metadata/name`. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
  /** What is wanted, where the recorded value itself does not say it. */
  readonly wanted?: string;
}

/** A difference at the steps of a path. */
export function difference(
  steps: readonly string[],
  expected: unknown,
  got: unknown,
  wanted?: string,
): Difference {
  return { path: pointerOf(steps), expected, got, ...(wanted !== undefined && { wanted }) };
}
