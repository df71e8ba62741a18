import type { CollectedEvent } from './collected-event.ts';

/** A point in the history of a server. */
export interface Position {
  /** The source that the version belongs to. */
  readonly source: string;
  readonly resourceVersion: string;
  /** When the server was at this version. */
  readonly time: string;
}

/** A period in which events may be missing. */
export interface Gap {
  /** Undefined if the beginning is unknown. */
  readonly from: string | undefined;
  readonly to: string;
  readonly reason: string;
  /** The number of missing events, if known. */
  readonly dropped?: number | undefined;
}

/** An event that a sink rejects permanently. */
export interface Rejection {
  readonly event: CollectedEvent;
  readonly reason: string;
}

/**
 * A destination of events. Implement it to add one.
 *
 * Writes are idempotent: an event that is written twice is stored once, and an older state never
 * replaces a newer one. A failed batch, even one that was partly written, is written again.
 */
export interface CollectorSink extends AsyncDisposable {
  /** Used in messages and as the name of the sink's subdirectory: `sqlite`. */
  readonly name: string;
  /**
   * Stores a batch, together with the position reached if the sink can store it. Resolves when the
   * batch would survive a crash of this process, with the events that are rejected permanently. A
   * rejected promise means: try again later.
   */
  write(
    batch: readonly CollectedEvent[],
    position: Position | undefined,
  ): Promise<readonly Rejection[]>;
  /** Stores a gap. */
  recordGap(gap: Gap): Promise<void>;
  /** The position stored with the data. Only for sinks that store it. */
  position?(): Promise<Position | undefined>;
  /** Called regularly: removes old or excess data. */
  maintain?(nowMs: number): Promise<void>;
}
