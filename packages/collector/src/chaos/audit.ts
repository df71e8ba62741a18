import type { CollectedEvent } from '../collected-event.ts';
import type { Gap } from '../collector-sink.ts';
import type { LoggedEvent } from './event-load.ts';

/** The content of a sink after the run. */
export interface SinkContent {
  readonly name: string;
  readonly events: ReadonlyMap<string, Pick<CollectedEvent, 'count'>>;
  readonly gaps: readonly Gap[];
  /** The uids of events in corrupted parts of files. */
  readonly damaged: ReadonlySet<string>;
}

/** The comparison of a sink with the log of the server. */
export interface Audit {
  readonly sink: string;
  /** Events with their last count. */
  readonly right: number;
  /** Missing or outdated events that are covered by a gap. */
  readonly inGaps: number;
  readonly gaps: readonly Gap[];
  /** Violations, one line each. */
  readonly faults: readonly string[];
}

/**
 * Compares a sink with the log of the server. A missing event must be covered by a gap at the time
 * the server stored it. A gap with a count covers that many events, and one without a beginning
 * only corrupted events.
 */
export function audit(
  { name, events, gaps, damaged }: SinkContent,
  log: ReadonlyMap<string, LoggedEvent>,
): Audit {
  const faults: string[] = [];
  // Gaps that end first are used first, so that none is wasted that a later event needs.
  const ordered = gaps.toSorted((left, right) => Date.parse(left.to) - Date.parse(right.to));
  const accounts = ordered.map((gap) => ({ gap, left: gap.dropped ?? Infinity }));
  let [right, inGaps] = [0, 0];
  for (const [uid, { count, atMs }] of log) {
    if (events.get(uid)?.count === count) {
      right += 1;
      continue;
    }
    const account = accounts.find(
      ({ gap, left }) =>
        left > 0 && covers(gap, atMs) && (gap.from !== undefined || damaged.has(uid)),
    );
    if (account === undefined) {
      const has = events.get(uid)?.count ?? 'nothing';
      faults.push(`${uid} at ${new Date(atMs).toISOString()}: count ${count}, the sink has ${has}`);
      continue;
    }
    account.left -= 1;
    inGaps += 1;
  }
  for (const uid of events.keys()) {
    if (!log.has(uid)) faults.push(`${uid} is in the sink, and was never on the server`);
  }
  return { sink: name, right, inGaps, gaps, faults };
}

function covers({ from, to }: Gap, atMs: number): boolean {
  return (from === undefined ? 0 : Date.parse(from)) <= atMs && atMs <= Date.parse(to);
}
