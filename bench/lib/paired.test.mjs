import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativeCost, takeTurns } from './paired.mjs';

/** Numbers that look random and are the same in each run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test('finds a difference that is smaller than the noise of a window', async () => {
  const random = numbers(1);
  // The machine drifts by half, and each window by up to 10 %.
  let drift = 1;
  const window = (cost) => async () => {
    drift = 1 + (drift - 0.998) / 1.01;
    return cost * drift * (0.9 + 0.2 * random());
  };
  const cost = relativeCost(await takeTurns(window(100), window(102), 400, numbers(2)));
  assert.ok(cost.low > 0 && cost.high < 0.04, JSON.stringify(cost));
});

// By its nature it does so in 95 of 100 cases: these numbers are the same in each run.
test('the interval contains 0 if both are the same, and outliers do not matter', async () => {
  const random = numbers(7);
  let count = 0;
  const window = async () => ((count += 1) % 97 === 0 ? 900 : 90 + 20 * random());
  const cost = relativeCost(await takeTurns(window, window, 200, numbers(3)));
  assert.ok(cost.low < 0 && cost.high > 0 && cost.high - cost.low < 0.05, JSON.stringify(cost));
});
