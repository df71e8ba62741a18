import { type Gap, isAtMost, isOlder, type LogEntry } from './history.ts';

/** The events of one watch, from its start version. */
export interface WireRun {
  readonly from: string;
  /** Versions of events and bookmarks, in order. */
  readonly events: readonly { readonly version: string; readonly isBookmark: boolean }[];
}

/** A list or a streamed initial state, and what caused it. */
export interface Relist extends Gap {
  readonly cause: string;
}

/** The requests of an informer and what it received. */
export interface WireHistory {
  readonly relists: readonly Relist[];
  readonly runs: readonly WireRun[];
  /** Watches that did not start where the last one, or the list, ended. */
  readonly problems: readonly string[];
}

/**
 * Returns what the watches should have delivered and did not, and what they should not have
 * delivered. A watch delivers the writes after its start version, in order, once, without gaps up
 * to its last event or bookmark.
 */
export function compareWithLog(
  log: readonly LogEntry[],
  runs: readonly WireRun[],
): { readonly missed: Set<string>; readonly problems: string[] } {
  const versions = log.map(({ state }) => state.version);
  const known = new Set(versions);
  const missed = new Set<string>();
  const problems: string[] = [];
  for (const { from, events } of runs) {
    let next = firstAfter(versions, from);
    let last = from;
    for (const { version, isBookmark } of events) {
      if (isOlder(version, last) || (version === last && !isBookmark)) {
        problems.push(`a watch went from ${last} to ${version}`);
      }
      if (!isBookmark && !known.has(version)) problems.push(`nothing happened at ${version}`);
      for (; next < versions.length; next += 1) {
        const expected = versions[next] as string;
        if (!isAtMost(expected, version)) break;
        if (isBookmark || expected !== version) missed.add(expected);
      }
      last = version;
    }
  }
  return { missed, problems };
}

/**
 * Returns unnecessary lists: a watch that ended, a connection that broke and a busy server say
 * nothing about the version, so they are no reason to relist.
 */
export function needlessRelists({ relists }: Pick<WireHistory, 'relists'>): string[] {
  return relists
    .filter(({ cause }) =>
      /^(?:429|TRANSPORT_CONNECTION_\w+|end|TRANSPORT_TIMEOUT|TRANSPORT_UNREACHABLE|REST_WATCH_OVERDUE)$/.test(
        cause,
      ),
    )
    .map(({ cause, upTo }) => `the list at ${upTo} was made because of ${cause}`);
}

function firstAfter(versions: readonly string[], version: string): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAtMost(versions[middle] as string, version)) low = middle + 1;
    else high = middle;
  }
  return low;
}
