/**
 * Measures two things against each other on a machine that does other work as well. They take turns in
 * short windows, in blocks of four: A B B A or B A A B, at random. Within a block everything that changes
 * slowly (the heap, the clock rate, other programs) is the same for both, so that only the ratio of a block
 * counts, and the more blocks there are, the less chance is in their mean.
 *
 * @param {() => Promise<number>} measureA returns the cost of one operation in a window
 * @param {() => Promise<number>} measureB
 * @param {number} blocks
 * @param {() => number} [random] as `Math.random`, which decides the order
 */
export async function takeTurns(measureA, measureB, blocks, random = Math.random) {
  const pairs = [];
  for (let block = 0; block < blocks; block += 1) {
    const isAFirst = random() < 0.5;
    const outer = isAFirst ? measureA : measureB;
    const inner = isAFirst ? measureB : measureA;
    const costs = [await outer(), await inner(), await inner(), await outer()];
    const [ends, middle] = [costs[0] + costs[3], costs[1] + costs[2]];
    pairs.push(isAFirst ? { a: ends / 2, b: middle / 2 } : { a: middle / 2, b: ends / 2 });
  }
  return pairs;
}

/** The part of the blocks at each end that is left out: those that something else has disturbed. */
const TRIMMED = 0.1;

/**
 * Returns how much more B costs than A, as a part of A: the mean of the ratios without the largest and the
 * smallest tenth, and its 95 % confidence interval (Yuen's, of a trimmed mean).
 *
 * @param {readonly { a: number; b: number }[]} pairs
 */
export function relativeCost(pairs) {
  const ratios = pairs.map(({ a, b }) => Math.log(b / a)).sort((left, right) => left - right);
  const count = ratios.length;
  const cut = Math.floor(count * TRIMMED);
  const kept = ratios.slice(cut, count - cut);
  const mean = sum(kept) / kept.length;
  // Those that are left out count as the nearest that is kept.
  const drawn = ratios.map((ratio) => Math.min(Math.max(ratio, kept[0]), kept.at(-1)));
  const middle = sum(drawn) / count;
  const variance = sum(drawn.map((ratio) => (ratio - middle) ** 2)) / (count - 1);
  const error =
    Math.sqrt(((count - 1) * variance) / (kept.length * (kept.length - 1))) *
    quantile(kept.length - 1);
  const asPart = (/** @type {number} */ logarithm) => Math.exp(logarithm) - 1;
  return { mean: asPart(mean), low: asPart(mean - error), high: asPart(mean + error) };
}

/** The 97.5 % quantile of Student's distribution, by the expansion of Cornish and Fisher. */
function quantile(/** @type {number} */ freedom) {
  const z = 1.959964;
  return (
    z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
  );
}

function sum(/** @type {readonly number[]} */ values) {
  return values.reduce((total, value) => total + value, 0);
}
