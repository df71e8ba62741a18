/**
 * Returns the most similar word, or undefined if none is close. A swap of neighbours counts as one
 * edit, and a prefix is always close.
 */
export function nearest(written: string, words: Iterable<string>): string | undefined {
  let best: { readonly word: string; readonly slips: number } | undefined;
  for (const word of words) {
    const slips = written.length > 1 && word.startsWith(written) ? 1 : slipsBetween(written, word);
    const allowed = Math.max(1, Math.floor(Math.max(written.length, word.length) / 3));
    if (slips <= allowed && (best === undefined || slips < best.slips)) best = { word, slips };
  }
  return best?.word;
}

/** The edit distance with swaps. */
function slipsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let slips = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwap) {
        slips = Math.min(slips, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
