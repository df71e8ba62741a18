import type { RequestRow } from './session-log.ts';

/** Requests with something in common. */
export interface RequestGroup {
  readonly name: string;
  readonly count: number;
  readonly failed: number;
  readonly retries: number;
  readonly throttledMs: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** What requests are grouped by. */
export type GroupBy = 'code' | 'connection' | 'resource' | 'verb';

/** Groups the requests that were answered, the largest group first. */
export function groupRequests(rows: readonly RequestRow[], by: GroupBy): readonly RequestGroup[] {
  const groups = new Map<string, RequestRow[]>();
  for (const row of rows) {
    if (row.endAt === undefined && row.headAt === undefined) continue;
    const name = nameOf(row, by);
    const members = groups.get(name);
    if (members === undefined) groups.set(name, [row]);
    else members.push(row);
  }
  return Array.from(groups, ([name, members]) => groupOf(name, members)).toSorted(
    (left, right) => right.count - left.count,
  );
}

function nameOf(row: RequestRow, by: GroupBy): string {
  if (by === 'code') return row.code === 0 ? (row.errorCode ?? 'no response') : String(row.code);
  if (by === 'connection') return row.connection || 'none';
  return row[by];
}

function groupOf(name: string, rows: readonly RequestRow[]): RequestGroup {
  const times = rows.map((row) => answeredMs(row)).sort((a, b) => a - b);
  const quantile = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return {
    name,
    count: rows.length,
    failed: rows.filter(({ code }) => code === 0 || (code ?? 0) >= 400).length,
    retries: rows.reduce((sum, { retries }) => sum + (retries ?? 0), 0),
    throttledMs: rows.reduce((sum, { throttledMs }) => sum + (throttledMs ?? 0), 0),
    p50: quantile(0.5),
    p90: quantile(0.9),
    p99: quantile(0.99),
  };
}

/** Returns how long it took until a request was answered: for a stream, until its head. */
function answeredMs({ startAt, headAt, endAt }: RequestRow): number {
  return (headAt ?? endAt ?? startAt) - startAt;
}
