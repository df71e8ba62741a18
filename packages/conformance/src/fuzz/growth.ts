import type { FuzzTarget } from './fuzz-target.ts';

/** How much longer eight times the input may take. Linear work takes 8 times, quadratic 64. */
const MAX_RATIO = 28;
/** Below this, start-up and garbage collection dominate. */
const NOTICEABLE_MS = 40;
const SMALL = 4_000;

/** Generates a text of any length that drives a parser into its slow paths. */
export interface Growing {
  readonly unit: string;
  readonly prefix?: string;
  readonly suffix?: string;
}

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
 * Measures a parser at two sizes, eight times apart. Returns a description of the first text on
 * which the processor time grows faster than linearly. The fastest of three measurements counts, so
 * that a busy machine does not matter.
 */
export function superlinear(
  parse: (text: string) => unknown,
  texts: readonly Growing[] = GROWING,
): string | undefined {
  for (const { unit, prefix = '', suffix = '' } of texts) {
    const text = (length: number): string =>
      prefix + unit.repeat(Math.ceil(length / unit.length)) + suffix;
    const large = cpuMs(parse, text(8 * SMALL));
    if (large < NOTICEABLE_MS) continue;
    const small = cpuMs(parse, text(SMALL));
    if (large / small > MAX_RATIO) {
      const shown = JSON.stringify(prefix + unit);
      return `${shown}… takes ${small.toFixed(1)} ms at ${SMALL} and ${large.toFixed(1)} ms at ${8 * SMALL} characters`;
    }
  }
  return undefined;
}

function cpuMs(parse: (text: string) => unknown, text: string): number {
  let best = Infinity;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = process.cpuUsage();
    parse(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
