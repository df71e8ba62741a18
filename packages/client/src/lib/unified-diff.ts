/** The names of the two texts in the header of a diff. */
export interface DiffNames {
  readonly from: string;
  readonly to: string;
}

/** A line of a diff: kept, added or removed. */
interface DiffLine {
  readonly mark: ' ' | '+' | '-';
  readonly text: string;
}

/** Unchanged lines around each change, as `diff -u` prints them. */
const CONTEXT = 3;

/**
 * Returns the difference of two texts as `diff -u` prints it; empty if they are equal. Needs time
 * and memory in proportion to the square of the number of changed lines.
 */
export function unifiedDiff(before: string, after: string, { from, to }: DiffNames): string {
  if (before === after) return '';
  const lines = diffLines(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines).map(([start, end]) => hunkText(lines, start, end));
  return [`--- ${from}`, `+++ ${to}`, ...hunks, ''].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** On each diagonal `x - y`, the furthest line of the old text that a number of edits reaches. */
type Reach = ReadonlyMap<number, number>;

/** Myers's algorithm: the fewest additions and removals that lead from one text to the other. */
function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const reach = new Map([[1, 0]]);
  const history: Reach[] = [];
  for (let edits = 0; ; edits += 1) {
    history.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepOnto(diagonal, edits, reach).x;
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x += 1;
      }
      reach.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace(before, after, history);
    }
  }
}

/** The last edit of the best path onto a diagonal, and where it ends in the old text. */
function stepOnto(
  diagonal: number,
  edits: number,
  reach: Reach,
): { readonly x: number; readonly isAddition: boolean } {
  const removed = reach.get(diagonal - 1) ?? -1;
  const added = reach.get(diagonal + 1) ?? -1;
  const isAddition = diagonal === -edits || (diagonal !== edits && removed < added);
  return { x: isAddition ? added : removed + 1, isAddition };
}

/** Follows the path back from the ends of both texts. */
function trace(
  before: readonly string[],
  after: readonly string[],
  history: readonly Reach[],
): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (const [edits, reach] of [...history.entries()].reverse()) {
    const step = stepOnto(x - y, edits, reach);
    for (; x > step.x; y -= 1) {
      x -= 1;
      lines.push({ mark: ' ', text: before[x] ?? '' });
    }
    if (edits === 0) break;
    if (step.isAddition) y -= 1;
    else x -= 1;
    const text = (step.isAddition ? after[y] : before[x]) ?? '';
    lines.push({ mark: step.isAddition ? '+' : '-', text });
  }
  return lines.reverse();
}

/** Returns first and last position of each group of changes, with its context. */
function hunksOf(lines: readonly DiffLine[]): [start: number, end: number][] {
  const hunks: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const last = hunks.at(-1);
    const end = Math.min(lines.length, index + 1 + CONTEXT);
    if (last !== undefined && index - CONTEXT <= last[1]) last[1] = end;
    else hunks.push([Math.max(0, index - CONTEXT), end]);
  }
  return hunks;
}

function hunkText(lines: readonly DiffLine[], start: number, end: number): string {
  const hunk = lines.slice(start, end);
  const range = (other: '+' | '-', sign: string): string => {
    const isOurs = ({ mark }: DiffLine): boolean => mark !== other;
    const count = hunk.filter(isOurs).length;
    const skipped = lines.slice(0, start).filter(isOurs).length;
    const first = count === 0 ? skipped : skipped + 1;
    return `${sign}${first}${count === 1 ? '' : `,${count}`}`;
  };
  const header = `@@ ${range('+', '-')} ${range('-', '+')} @@`;
  return [header, ...hunk.map(({ mark, text }) => `${mark}${text}`)].join('\n');
}
