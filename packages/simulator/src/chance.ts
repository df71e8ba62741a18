import { type Random, seededRandom } from 'client-ts/internal';

/**
 * Seeded random numbers by key. The numbers for a key do not depend on what was asked before, so
 * that a simulation makes the same decisions with the same seed although its parts run
 * concurrently.
 */
export class Chance {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns the random source of a key: `chance.of('pod', name, restarts)`. */
  of(...thing: readonly (number | string)[]): Random {
    return seededRandom(hash(`${this.#seed} ${thing.join(' ')}`));
  }
}

/** FNV-1a: small, and uniform enough for names. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** A number in [low, high). */
export function between(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}

/** An integer from `low` to `high`, inclusive. */
export function integerBetween(random: Random, low: number, high: number): number {
  return Math.floor(between(random, low, high + 1));
}

/** One of the choices; undefined if there are none. */
export function pick<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices[Math.floor(random.next() * choices.length)];
}

/** The characters of generated names in Kubernetes: no vowels, so that no words result. */
const nameCharacters = 'bcdfghjklmnpqrstvwxz2456789';

/** A suffix as of generated names. */
export function nameSuffix(random: Random, length: number): string {
  return Array.from({ length }, () =>
    nameCharacters.charAt(integerBetween(random, 0, nameCharacters.length - 1)),
  ).join('');
}
