import type { ObservedRecord } from 'client-ts/observe';

import { feedKey, isFailure, isWrite, writeKey } from './machine.ts';
import type { SessionLog } from './session-log.ts';

/** Counts of what happened in a span of time. */
export interface Rates {
  readonly spanMs: number;
  /** Changes by informer. */
  readonly changes: Map<string, number>;
  /** Keys added to queues by handlers, by `feedKey`. */
  readonly feeds: Map<string, number>;
  /** Keys added by queue, for whatever reason. */
  readonly adds: Map<string, number>;
  /** Ended reconciles by controller. */
  readonly reconciles: Map<string, number>;
  readonly failures: Map<string, number>;
  /** Ended requests that change something, by `writeKey`; the controller is empty if it is not known. */
  readonly writes: Map<string, number>;
  readonly failedWrites: Map<string, number>;
  requests: number;
  failedRequests: number;
  readonly throttled: { count: number; ms: number };
}

/** Counts what happened in the `spanMs` before `at`. */
export function ratesOf(log: SessionLog, position: number, at: number, spanMs: number): Rates {
  const rates: Rates = {
    spanMs,
    changes: new Map(),
    feeds: new Map(),
    adds: new Map(),
    reconciles: new Map(),
    failures: new Map(),
    writes: new Map(),
    failedWrites: new Map(),
    requests: 0,
    failedRequests: 0,
    throttled: { count: 0, ms: 0 },
  };
  for (const record of log.slice(log.positionAt(at - spanMs), position)) {
    count(rates, record, log);
  }
  return rates;
}

/** A count as a rate per second. */
export function perSecond(rates: Rates, counts: ReadonlyMap<string, number>, key: string): number {
  return ((counts.get(key) ?? 0) * 1000) / rates.spanMs;
}

function count(rates: Rates, record: ObservedRecord, log: SessionLog): void {
  if (record.type === 'informer.events') {
    const changes = record.added + record.updated + record.deleted;
    add(rates.changes, record.informer, changes);
  } else if (record.type === 'queue.add') {
    const weight = record.sampled ?? 1;
    const queue = record.queue;
    add(rates.adds, queue, weight);
    if (record.trigger.kind === 'change') {
      const { informer, handler } = record.trigger;
      add(rates.feeds, feedKey(informer, handler, queue), weight);
    }
  } else if (record.type === 'reconcile.end') {
    const controller = record.controller;
    add(rates.reconciles, controller, 1);
    if (isFailure(record.result)) add(rates.failures, controller, 1);
  } else if (isAnswered(record)) {
    const hasFailed = record.code === 0 || record.code >= 400;
    rates.requests += 1;
    if (hasFailed) rates.failedRequests += 1;
    if (record.throttledMs > 0) rates.throttled.count += 1;
    rates.throttled.ms += record.throttledMs;
    if (!isWrite(record.verb)) return;
    const id = record.reconcile === undefined ? '' : String(record.reconcile);
    const key = writeKey(log.controllerOf(id) ?? '', record.resource);
    add(rates.writes, key, 1);
    if (hasFailed) add(rates.failedWrites, key, 1);
  }
}

/** True for the record with which a request is counted: the head of a stream, the end of any other. */
export function isAnswered(
  record: ObservedRecord,
): record is Extract<ObservedRecord, { readonly latencyMs: number }> {
  if (record.type === 'request.head') return true;
  return record.type === 'request.end' && record.openMs === undefined;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
