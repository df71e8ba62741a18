import type { ReconcileEndRecord } from 'client-ts/observe';

import type { ReconcileRow, RequestRow, SessionLog } from './session-log.ts';

/** A reconcile of a key and the requests that it made. */
export interface KeyAttempt {
  readonly row: ReconcileRow;
  readonly requests: readonly RequestRow[];
}

/**
 * The reconciles of a key that had started at `at`, the newest first. One that had not ended yet is shown
 * without its end. `older` are reconciles whose other records are no longer kept.
 */
export function keyHistory(
  log: SessionLog,
  at: number,
  { controller, key }: { readonly controller: string; readonly key: string },
  older: readonly ReconcileEndRecord[] = [],
): readonly KeyAttempt[] {
  const own = log.reconciles.filter(
    (row) => row.controller === controller && row.key === key && row.startAt <= at,
  );
  const ids = new Set(own.map(({ id }) => id));
  const requests = new Map<string, RequestRow[]>();
  for (const request of log.requests) {
    if (request.reconcile === undefined || !ids.has(request.reconcile)) continue;
    if (request.startAt > at) continue;
    const list = requests.get(request.reconcile);
    if (list === undefined) requests.set(request.reconcile, [request]);
    else list.push(request);
  }
  const kept = older
    .filter((record) => !ids.has(String(record.id)) && record.at <= at)
    .map((record) => ({ row: rowOf(record), requests: [] }));
  return [
    ...own.map((row) => ({
      row: (row.endAt ?? 0) > at ? unfinished(row) : row,
      requests: requests.get(row.id) ?? [],
    })),
    ...kept,
  ].toSorted((left, right) => right.row.startAt - left.row.startAt);
}

function unfinished(row: ReconcileRow): ReconcileRow {
  return {
    ...row,
    endAt: undefined,
    result: undefined,
    error: undefined,
    errorCode: undefined,
    requeueAfterMs: undefined,
  };
}

function rowOf(record: ReconcileEndRecord): ReconcileRow {
  return {
    id: String(record.id),
    controller: record.controller,
    key: record.key,
    attempt: record.attempt,
    trigger: record.trigger,
    queuedMs: undefined,
    startAt: record.at - record.durationMs,
    endAt: record.at,
    result: record.result,
    error: record.error,
    errorCode: record.errorCode,
    requeueAfterMs: record.requeueAfterMs,
  };
}
