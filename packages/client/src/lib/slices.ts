import type { Clock } from './clock.ts';
import { nextTurn } from './next-turn.ts';

/** After this long without a pause, work yields to the event loop. A scavenge of V8 in the same turn may take twice as long. */
export const sliceMs = 5;

/** Cuts long work into slices of the event loop. */
export class Slices {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #end: number;
  #count = 1;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#end = clock.monotonic() + sliceMs;
  }

  /** How many slices have begun. */
  get count(): number {
    return this.#count;
  }

  /** True if the slice has taken long enough: time for {@link Slices.next}. */
  get isOver(): boolean {
    return this.#clock.monotonic() >= this.#end;
  }

  /** Resolves in a later turn of the event loop, when the next slice begins. */
  async next(): Promise<void> {
    await nextTurn();
    this.#count += 1;
    this.#end = this.#clock.monotonic() + sliceMs;
  }
}
