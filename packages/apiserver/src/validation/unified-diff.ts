/** A run of equal lines: `length` of them from `left` in the one and from `right` in the other. */
interface Match {
  readonly left: number;
  readonly right: number;
  readonly length: number;
}

const CONTEXT = 3;
/** In texts of at least this many lines, lines that occur all over are no anchors. */
const LONG_TEXT = 200;

/**
 * A unified diff with three lines of context and no file names. Which lines count as changed is
 * decided by the method of Ratcliff and Obershelp, with the shortcut for lines that are too common,
 * so that the hunks are those that the server prints.
 */
export function unifiedDiff(left: readonly string[], right: readonly string[]): string {
  return groupsOf(matchesOf(left, right), left.length, right.length)
    .map((group) => printGroup(group, left, right))
    .join('');
}

function matchesOf(left: readonly string[], right: readonly string[]): Match[] {
  const positions = positionsOf(right);
  const found: Match[] = [];
  const pending: [number, number, number, number][] = [[0, left.length, 0, right.length]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [leftStart, leftEnd, rightStart, rightEnd] = next;
    const match = longestMatch(left, right, positions, next);
    if (match.length === 0) continue;
    found.push(match);
    pending.push(
      [leftStart, match.left, rightStart, match.right],
      [match.left + match.length, leftEnd, match.right + match.length, rightEnd],
    );
  }
  return joinAdjacent(found.toSorted((a, b) => a.left - b.left || a.right - b.right));
}

function positionsOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = positions.get(line);
    if (known === undefined) positions.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < LONG_TEXT) return positions;
  const limit = Math.floor(lines.length / 100) + 1;
  return new Map([...positions].filter(([, indices]) => indices.length <= limit));
}

function longestMatch(
  left: readonly string[],
  right: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  [leftStart, leftEnd, rightStart, rightEnd]: readonly [number, number, number, number],
): Match {
  let best: Match = { left: leftStart, right: rightStart, length: 0 };
  /** By index in the right text: how many equal lines end there and one line earlier in the left. */
  let lengths = new Map<number, number>();
  for (let index = leftStart; index < leftEnd; index += 1) {
    const next = new Map<number, number>();
    for (const position of positions.get(left[index] ?? '') ?? []) {
      if (position < rightStart) continue;
      if (position >= rightEnd) break;
      const length = (lengths.get(position - 1) ?? 0) + 1;
      next.set(position, length);
      if (length > best.length) {
        best = { left: index - length + 1, right: position - length + 1, length };
      }
    }
    lengths = next;
  }
  // Common lines were no anchors, but they may still belong to the run on either side.
  let { left: from, right: to, length } = best;
  while (from > leftStart && to > rightStart && left[from - 1] === right[to - 1]) {
    from -= 1;
    to -= 1;
    length += 1;
  }
  while (
    from + length < leftEnd &&
    to + length < rightEnd &&
    left[from + length] === right[to + length]
  ) {
    length += 1;
  }
  return { left: from, right: to, length };
}

function joinAdjacent(matches: readonly Match[]): Match[] {
  const joined: Match[] = [];
  for (const match of matches) {
    const last = joined.at(-1);
    const isAdjacent =
      last !== undefined &&
      last.left + last.length === match.left &&
      last.right + last.length === match.right;
    if (isAdjacent) joined.splice(-1, 1, { ...last, length: last.length + match.length });
    else joined.push(match);
  }
  return joined;
}

/** What becomes of lines `left` of the one text: they stay, or become lines `right` of the other. */
interface Step {
  readonly isEqual: boolean;
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

/** Changes with their context; changes that are close to each other share a group. */
function groupsOf(
  matches: readonly Match[],
  leftLength: number,
  rightLength: number,
): readonly (readonly Step[])[] {
  const steps = stepsOf(matches, leftLength, rightLength);
  const groups: Step[][] = [];
  let group: Step[] = [];
  for (const [index, step] of steps.entries()) {
    if (!step.isEqual) {
      group.push(step);
      continue;
    }
    const isFirst = index === 0;
    const isLast = index === steps.length - 1;
    const length = step.left[1] - step.left[0];
    const before = isFirst ? undefined : cut(step, 0, Math.min(CONTEXT, length));
    const after = isLast ? undefined : cut(step, Math.max(0, length - CONTEXT), length);
    if (!isFirst && !isLast && length <= CONTEXT * 2) {
      group.push(step);
      continue;
    }
    if (before !== undefined) {
      groups.push([...group, before]);
    }
    group = after === undefined ? [] : [after];
  }
  if (group.some(({ isEqual }) => !isEqual)) groups.push(group);
  return groups.filter((candidate) => candidate.some(({ isEqual }) => !isEqual));
}

function cut({ isEqual, left, right }: Step, from: number, to: number): Step {
  return {
    isEqual,
    left: [left[0] + from, left[0] + to],
    right: [right[0] + from, right[0] + to],
  };
}

function stepsOf(matches: readonly Match[], leftLength: number, rightLength: number): Step[] {
  const steps: Step[] = [];
  let left = 0;
  let right = 0;
  for (const match of [...matches, { left: leftLength, right: rightLength, length: 0 }]) {
    if (left < match.left || right < match.right) {
      steps.push({ isEqual: false, left: [left, match.left], right: [right, match.right] });
    }
    left = match.left + match.length;
    right = match.right + match.length;
    if (match.length > 0) {
      steps.push({ isEqual: true, left: [match.left, left], right: [match.right, right] });
    }
  }
  return steps;
}

function printGroup(
  group: readonly Step[],
  left: readonly string[],
  right: readonly string[],
): string {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return '';
  const header = `@@ -${range(first.left[0], last.left[1])} +${range(first.right[0], last.right[1])} @@\n`;
  const lines = group.flatMap((step) =>
    step.isEqual
      ? left.slice(...step.left).map((line) => ` ${line}\n`)
      : [
          ...left.slice(...step.left).map((line) => `-${line}\n`),
          ...right.slice(...step.right).map((line) => `+${line}\n`),
        ],
  );
  return header + lines.join('');
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}
