/**
 * Chooses some items at random, the same ones for the same seed, in their order.
 * @template Item
 * @param {readonly Item[]} items @param {number} count @param {number} seed
 * @returns {Item[]}
 */
export function pick(items, count, seed) {
  const next = mulberry32(seed);
  return items
    .map((item, index) => ({ item, index, chance: next() }))
    .toSorted((left, right) => left.chance - right.chance)
    .slice(0, count)
    .toSorted((left, right) => left.index - right.index)
    .map(({ item }) => item);
}

/** A small random generator with a 32-bit state. @param {number} seed */
function mulberry32(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
