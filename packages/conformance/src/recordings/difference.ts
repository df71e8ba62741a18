import { pointerOf } from '../json/pointer.ts';

/** One difference between a response and the recording. */
export interface Difference {
  /** JSON pointer from the exchange: `/response/body/metadata/name`. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
  /** The expectation, if the recorded value does not show it. */
  readonly wanted?: string;
}

/** Returns a difference at the steps of a path. */
export function difference(
  steps: readonly string[],
  expected: unknown,
  got: unknown,
  wanted?: string,
): Difference {
  return { path: pointerOf(steps), expected, got, ...(wanted !== undefined && { wanted }) };
}
