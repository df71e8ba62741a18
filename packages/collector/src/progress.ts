import type { Position } from './event-sink.ts';

/** Something on its way; to be given back when it is safe. */
export interface Passage {
  /** It would survive a crash now. Twice is harmless. */
  arrived(): void;
}

/**
 * How far everything has come: events may become safe in any order, but the position moves on only
 * past those before which nothing is on its way any more. So whoever starts again from the position
 * misses nothing.
 */
export class Progress {
  /** In the order of the source, each with the position before it. */
  readonly #underway = new Map<Passage, Position | undefined>();
  #reached: Position | undefined;

  constructor(start: Position | undefined) {
    this.#reached = start;
  }

  /** Where the source is; what is on its way is before that. */
  get reached(): Position | undefined {
    return this.#reached;
  }

  /** From where it is safe to start again; undefined for the beginning. */
  get safe(): Position | undefined {
    return this.safeOnce(new Set());
  }

  /** The same, once these have arrived too. */
  safeOnce(arrived: ReadonlySet<Passage>): Position | undefined {
    for (const [passage, before] of this.#underway) if (!arrived.has(passage)) return before;
    return this.#reached;
  }

  /** Something was taken from the source. */
  depart(): Passage {
    const passage: Passage = { arrived: () => void this.#underway.delete(passage) };
    this.#underway.set(passage, this.#reached);
    return passage;
  }

  /** The source has come this far: the last departure, if any, led here. */
  reach(position: Position): void {
    this.#reached = position;
  }
}
