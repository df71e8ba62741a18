import type { Position } from './collector-sink.ts';

/** An event in transit, to be released when it is safe. */
export interface Passage {
  /** Marks it as safe: it would survive a crash now. Idempotent. */
  arrived(): void;
}

/**
 * The safe position. Events become safe in any order; the position advances only past those with
 * nothing in transit before them, so that a restart from there misses nothing.
 */
export class Progress {
  /** In source order, each with the position before it. */
  readonly #underway = new Map<Passage, Position | undefined>();
  #reached: Position | undefined;

  constructor(start: Position | undefined) {
    this.#reached = start;
  }

  /** The position of the source, after everything in transit. */
  get reached(): Position | undefined {
    return this.#reached;
  }

  /** The position from which a restart is safe; undefined for the beginning. */
  get safe(): Position | undefined {
    return this.safeOnce(new Set());
  }

  /** The safe position once these have arrived too. */
  safeOnce(arrived: ReadonlySet<Passage>): Position | undefined {
    for (const [passage, before] of this.#underway) if (!arrived.has(passage)) return before;
    return this.#reached;
  }

  /** Starts the transit of an event from the source. */
  depart(): Passage {
    const passage: Passage = { arrived: () => void this.#underway.delete(passage) };
    this.#underway.set(passage, this.#reached);
    return passage;
  }

  /** Takes the source back to an earlier position: nothing after it counts as safe. */
  rewind(position: Position | undefined): void {
    for (const passage of this.#underway.keys()) this.#underway.set(passage, position);
    this.#reached = position;
  }

  /** Advances the source to a position. */
  reach(position: Position): void {
    this.#reached = position;
  }
}
