import { type Random, seededRandom } from 'client-ts/wait';

/** Random choices, determined by a seed. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Returns a number in [least, most). */
  between(least: number, most: number): number {
    return least + this.#random.next() * (most - least);
  }

  /** Returns an integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** Returns one of the names, by their weights. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.#random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[0]?.[0] as Name;
  }
}
