import type { FuzzTarget } from './fuzz-target.ts';

/** How much longer eight times the input may take. Linear work takes 8 times, quadratic 64. */
const MAX_RATIO = 28;
/** Below this, start-up and garbage collection dominate. */
const NOTICEABLE_MS = 40;
const SMALL = 4_000;
/** How often a text is measured before it counts as superlinear. */
const ROUNDS = 20;

/** Generates a text of any length that drives a parser into its slow paths. */
export interface Growing {
  readonly unit: string;
  readonly prefix?: string;
  readonly suffix?: string;
}

/** Parses a text, and returns how many milliseconds of processor time that takes. */
export type Measure = (parse: (text: string) => unknown, text: string) => number;

/** Texts that expose backtracking, repeated copying and nested scans. */
export const GROWING: readonly Growing[] = [
  { unit: 'a' },
  { unit: '1' },
  { unit: '0', prefix: '1' },
  { unit: '9', suffix: 'Ki' },
  { unit: '1', prefix: '0.' },
  { unit: '/' },
  { unit: '.' },
  { unit: 'a.' },
  { unit: 'a,' },
  { unit: 'a=b,' },
  { unit: '!a,' },
  { unit: 'a in (b),' },
  { unit: '(' },
  { unit: 'x,', prefix: 'a in (', suffix: ')' },
  { unit: String.raw`\\` },
  { unit: ' ' },
  { unit: '[' },
  { unit: '{"a":' },
  { unit: '[1],', prefix: '[', suffix: '1]' },
  { unit: '- ' },
  { unit: '- a\n' },
  { unit: '? ' },
  { unit: '&a ' },
  { unit: '- &a x\n- *a\n' },
  { unit: '---\n' },
  { unit: '%41' },
  { unit: '\u0000' },
  { unit: '\n' },
];

/** Returns a target whose inputs are the growing texts, the same in every run. */
export function growthTarget(
  name: string,
  about: string,
  parsers: readonly ((text: string) => unknown)[],
): FuzzTarget {
  const find = (): unknown => {
    try {
      return parsers.map((parse) => superlinear(parse)).find((found) => found !== undefined);
    } catch (error) {
      return error;
    }
  };
  return {
    name,
    about,
    run: async ({ seed }) => {
      const found = find();
      const input = 'the growing texts';
      return { runs: 1, ...(found !== undefined && { failure: { input, error: found, seed } }) };
    },
  };
}

/**
 * Measures a parser at two sizes, eight times apart, and describes the first text on which the
 * processor time grows faster than linearly. Compilation, garbage collection and a busy machine slow
 * down single measurements, so the fastest of each size counts, and a text is only reported when
 * none of many rounds brought the two together. Quadratic work fails in every round.
 */
export function superlinear(
  parse: (text: string) => unknown,
  texts: readonly Growing[] = GROWING,
  measure: Measure = cpuMs,
): string | undefined {
  for (const growing of texts) {
    const found = superlinearOn(parse, growing, measure);
    if (found !== undefined) return found;
  }
  return undefined;
}

function superlinearOn(
  parse: (text: string) => unknown,
  { unit, prefix = '', suffix = '' }: Growing,
  measure: Measure,
): string | undefined {
  const text = (length: number): string =>
    prefix + unit.repeat(Math.ceil(length / unit.length)) + suffix;
  const [smallText, largeText] = [text(SMALL), text(8 * SMALL)];
  let [small, large] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    large = Math.min(large, measure(parse, largeText));
    if (large < NOTICEABLE_MS) return undefined;
    small = Math.min(small, measure(parse, smallText));
    if (large / small <= MAX_RATIO) return undefined;
  }
  const shown = JSON.stringify(prefix + unit);
  return `${shown}… takes ${small.toFixed(1)} ms at ${SMALL} and ${large.toFixed(1)} ms at ${8 * SMALL} characters`;
}

/** A {@link Measure} of the whole process. */
export function cpuMs(parse: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  parse(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
