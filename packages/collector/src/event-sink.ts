import type { CollectedEvent } from './collected-event.ts';

/** How far the collector has come on a server. */
export interface Position {
  /** Which server: versions of another one mean nothing. */
  readonly source: string;
  readonly resourceVersion: string;
  /** When it was there. */
  readonly time: string;
}

/** A time of which events may be missing, and why. */
export interface Gap {
  /** Undefined: nobody knows since when. */
  readonly from: string | undefined;
  readonly to: string;
  readonly reason: string;
  /** How many events are known to be missing, if that is known. */
  readonly dropped?: number | undefined;
}

/** An event that a sink will never take, and why. */
export interface Rejection {
  readonly event: CollectedEvent;
  readonly reason: string;
}

/**
 * Where events are kept. Writing is idempotent: the same event twice is one event, and an older state
 * never replaces a newer one. So a batch that failed, perhaps half way, is simply written again.
 */
export interface EventSink extends AsyncDisposable {
  /** For messages, and for the folder of what waits for it: `sqlite`. */
  readonly name: string;
  /**
   * Keeps a batch, together with the position that is reached by it where that can be kept. Resolves
   * when it would survive a crash of this process, with what is refused for good; a rejection of the
   * promise means "later, again".
   */
  write(
    batch: readonly CollectedEvent[],
    position: Position | undefined,
  ): Promise<readonly Rejection[]>;
  /** Keeps that something may be missing. */
  recordGap(gap: Gap): Promise<void>;
  /** The last position that was kept with the data. Only for sinks that keep it. */
  position?(): Promise<Position | undefined>;
  /** Called now and then: removes what is too old or too much. */
  maintain?(nowMs: number): Promise<void>;
}
