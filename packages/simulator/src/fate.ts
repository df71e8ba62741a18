import { type Random, seededRandom } from 'client-ts/internal';

/**
 * What is decided about things before they happen. Whoever asks about the same thing gets the same
 * answer, whatever else was asked before: so a simulation takes the same course with the same seed,
 * although its parts run at the same time.
 */
export class Fate {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The chances of one thing: `fate.of('pod', name, restarts)`. */
  of(...thing: readonly (number | string)[]): Random {
    return seededRandom(hash(`${this.#seed} ${thing.join(' ')}`));
  }
}

/** FNV-1a: small, and even enough to tell names apart. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** A number from `low` to `high`. */
export function between(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}

/** A whole number from `low` to `high`, both included. */
export function wholeBetween(random: Random, low: number, high: number): number {
  return Math.floor(between(random, low, high + 1));
}

/** One of several; undefined if there are none. */
export function pick<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices[Math.floor(random.next() * choices.length)];
}

/** The characters that Kubernetes makes names of: no vowels, so that no words come out. */
const nameCharacters = 'bcdfghjklmnpqrstvwxz2456789';

/** The end of a name, as generated ones have it. */
export function nameSuffix(random: Random, length: number): string {
  return Array.from({ length }, () =>
    nameCharacters.charAt(wholeBetween(random, 0, nameCharacters.length - 1)),
  ).join('');
}
