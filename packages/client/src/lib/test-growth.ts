import assert from 'node:assert/strict';

import { systemClock } from './clock.ts';

/** How many times larger the second input is. */
const FACTOR = 8;
/** Far from linear growth, which is `FACTOR`, and far from quadratic growth, its square. */
const MOST = 3 * FACTOR;
/** Below this, the measurement is mostly noise. */
const NOISE_MS = 4;

/**
 * Asserts that the time of `work` grows about linearly with its input. Only a ratio of the best of
 * several runs counts, and it must be exceeded in every attempt, so that a busy machine does not
 * fail it.
 */
export function assertLinear<T>(
  what: string,
  work: (input: T) => void,
  inputOf: (size: number) => T,
  size: number,
): void {
  const small = inputOf(size);
  const large = inputOf(size * FACTOR);
  let ratio = 0;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const smallMs = bestOf(work, small);
    const largeMs = bestOf(work, large);
    ratio = largeMs / smallMs;
    if (largeMs < NOISE_MS || ratio < MOST) return;
  }
  assert.fail(`${what}: ${FACTOR} times the input takes ${Math.round(ratio)} times as long`);
}

function bestOf<T>(work: (input: T) => void, input: T): number {
  let best = Infinity;
  for (let run = 0; run < 3; run += 1) {
    const start = systemClock.monotonic();
    work(input);
    best = Math.min(best, systemClock.monotonic() - start);
  }
  return best;
}
