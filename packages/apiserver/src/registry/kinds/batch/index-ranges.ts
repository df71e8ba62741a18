import { quoteGo } from 'client-ts/internal';

/** The first and the last index of a range; the same for a single index. */
export type IndexRange = readonly [number, number];

/** Ranges of indexes, or the words for what is wrong with their text. */
export type ParsedRanges =
  | { readonly ranges: readonly IndexRange[] }
  | { readonly problem: string };

/** Reads `1,3-5,7`, where every index is below a limit and each is larger than the one before. */
export function parseIndexRanges(text: string, limit: number): ParsedRanges {
  if (text === '') return { ranges: [] };
  const ranges: IndexRange[] = [];
  for (const part of text.split(',')) {
    const range = parseRange(part, limit);
    if (typeof range === 'string') return { problem: range };
    const last = ranges.at(-1)?.[1];
    if (last !== undefined && last >= range[0]) return { problem: notIncreasing(last, range[0]) };
    ranges.push(range);
  }
  return { ranges };
}

/** How many indexes there are in ranges. */
export function countIndexes(ranges: readonly IndexRange[]): number {
  return ranges.reduce((total, [first, last]) => total + last - first + 1, 0);
}

/** The first index that two texts have in common; parts that cannot be read count for nothing. */
export function findOverlap(left: string, right: string, limit: number): number | undefined {
  const readable = (text: string): IndexRange[] =>
    text
      .split(',')
      .map((part) => parseRange(part, limit))
      .filter((range) => typeof range !== 'string');
  const others = readable(right);
  for (const [first, last] of readable(left)) {
    const common = others.find((other) => first <= other[1] && other[0] <= last);
    if (common !== undefined) return Math.max(first, common[0]);
  }
  return undefined;
}

function parseRange(text: string, limit: number): IndexRange | string {
  const [start = '', end, ...rest] = text.split('-');
  if (rest.length > 0) {
    return `the fragment ${quoteGo(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const first = parseIndex(start, limit);
  if (typeof first === 'string') return first;
  if (end === undefined) return [first, first];
  const last = parseIndex(end, limit);
  if (typeof last === 'string') return last;
  return first >= last ? notIncreasing(first, last) : [first, last];
}

function parseIndex(text: string, limit: number): number | string {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return `cannot convert string to integer for index: ${quoteGo(text)}`;
  }
  const index = Number(text);
  return index >= limit ? `too large index: ${quoteGo(text)}` : index;
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
