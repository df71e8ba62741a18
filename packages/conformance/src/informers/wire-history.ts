import { type Gap, isAtMost, isOlder, type LogEntry } from './history.ts';

/** What one watch brought, from the version that it was opened at. */
export interface WireRun {
  readonly from: string;
  /** Versions of events and bookmarks, in order. */
  readonly events: readonly { readonly version: string; readonly isBookmark: boolean }[];
}

/** A list, or the first state as a stream, and what had happened before that made it necessary. */
export interface Relist extends Gap {
  readonly cause: string;
}

/** What an informer asked a server for, and what came. */
export interface WireHistory {
  readonly relists: readonly Relist[];
  readonly runs: readonly WireRun[];
  /** Watches that were not opened where the last one, or the list, ended. */
  readonly problems: readonly string[];
}

/**
 * What the watches should have brought and did not, and what they brought that they should not have.
 * A watch brings what the server did after the version that it was opened at, in order, once, without
 * an omission up to its last event or bookmark.
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
 * Lists that nobody needed: a watch that ended, a connection that broke and a server that was busy
 * say nothing about the version, and are no reason to read everything anew.
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
