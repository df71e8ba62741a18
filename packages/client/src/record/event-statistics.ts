/** What became of the events so far. A broadcaster with several watchers adds them up. */
export interface EventStatistics {
  /** Events that recorders have made. */
  readonly recorded: number;
  /** Created or patched on the server. */
  readonly written: number;
  /** Left out by the correlator, because there were too many of them; or counted in a series. */
  readonly condensed: number;
  /** Refused by the server. */
  readonly refused: number;
  /** Given up after the last try, or because the broadcaster was shut down. */
  readonly abandoned: number;
  /** Not taken, because too many were waiting or the broadcaster was shut down. */
  readonly dropped: number;
  /** Waiting to be handled. */
  readonly pending: number;
}

/** The same while it is counted. */
export type EventCounters = {
  -readonly [Name in Exclude<keyof EventStatistics, 'pending'>]: number;
};

/** All zero. */
export function newEventCounters(): EventCounters {
  return { recorded: 0, written: 0, condensed: 0, refused: 0, abandoned: 0, dropped: 0 };
}
