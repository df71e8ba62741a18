import assert from 'node:assert/strict';

/** How many times larger the second input is. */
const FACTOR = 8;
/** Far from linear growth, which is `FACTOR`, and far from quadratic growth, its square. */
const MOST = 3 * FACTOR;
/** Of processor time. Below this, the measurement is mostly noise. */
const NOISE_MS = 4;

/** How often both inputs are measured before the growth counts as more than linear. */
const ROUNDS = 20;

/**
 * Asserts that the processor time of `work` grows about linearly with its input. The fastest run of each
 * input counts, over as many rounds as it takes to bring the two together, so that compilation, garbage
 * collection and a busy machine do not fail it. Quadratic work fails in every round.
 */
export function assertLinear<T>(
  what: string,
  work: (input: T) => void,
  inputOf: (size: number) => T,
  size: number,
): void {
  const [smallInput, largeInput] = [inputOf(size), inputOf(size * FACTOR)];
  let [small, large] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    small = Math.min(small, millisecondsOf(work, smallInput));
    large = Math.min(large, millisecondsOf(work, largeInput));
    if (large < NOISE_MS || large / small < MOST) return;
  }
  const ratio = Math.round(large / small);
  assert.fail(`${what}: ${FACTOR} times the input takes ${ratio} times as long`);
}

function millisecondsOf<T>(work: (input: T) => void, input: T): number {
  const start = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
