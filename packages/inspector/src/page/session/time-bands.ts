import type { ObservedRecord } from 'client-ts/observe';

import { isFailure } from './machine.ts';
import { isAnswered } from './rates.ts';
import type { SessionLog } from './session-log.ts';

/** One row of the time line. */
export type BandName = 'changes' | 'keys' | 'reconciles' | 'requests';

/** Counts per column of the time line. */
export interface Band {
  readonly name: BandName;
  readonly total: readonly number[];
  /** How many of the total are errors. */
  readonly failed: readonly number[];
}

/** Something on the time line that a person may look for. */
export interface Mark {
  readonly at: number;
  readonly position: number;
  readonly kind: 'election' | 'error' | 'note' | 'relist' | 'warning';
  readonly text: string;
}

/** What the time line shows: everything on one scale. */
export interface TimeBands {
  readonly from: number;
  readonly to: number;
  readonly bands: readonly Band[];
  /** The sum of the depths of all queues, at the end of each column. */
  readonly depth: readonly number[];
  readonly marks: readonly Mark[];
}

/** Counts the records between two times into columns. */
export function bandsOf(log: SessionLog, from: number, to: number, columns: number): TimeBands {
  const names: readonly BandName[] = ['changes', 'keys', 'reconciles', 'requests'];
  const empty = (): number[] => new Array<number>(columns).fill(0);
  const bands = names.map((name) => ({ name, total: empty(), failed: empty() }));
  const byName = new Map(bands.map((band) => [band.name, band]));
  const depth = new Array<number>(columns).fill(Number.NaN);
  const queues = new Map<string, number>();
  const marks: Mark[] = [];
  const start = log.positionAt(from);
  for (const [index, record] of log.slice(start, log.positionAt(to)).entries()) {
    const share = (record.at - from) / Math.max(1, to - from);
    const column = Math.min(columns - 1, Math.max(0, Math.floor(share * columns)));
    const counted = countOf(record);
    if (counted !== undefined) {
      const band = byName.get(counted.name);
      if (band !== undefined) {
        band.total[column] = (band.total[column] ?? 0) + counted.count;
        if (counted.hasFailed) band.failed[column] = (band.failed[column] ?? 0) + counted.count;
      }
    }
    if (record.type === 'queue.state') {
      queues.set(record.queue, record.depth);
      depth[column] = [...queues.values()].reduce((sum, value) => sum + value, 0);
    }
    const mark = markOf(record);
    if (mark !== undefined) marks.push({ ...mark, at: record.at, position: start + index + 1 });
  }
  return { from, to, bands, depth: carriedForward(depth), marks };
}

function countOf(
  record: ObservedRecord,
): { readonly name: BandName; readonly count: number; readonly hasFailed: boolean } | undefined {
  switch (record.type) {
    case 'informer.events':
      return {
        name: 'changes',
        count: record.added + record.updated + record.deleted,
        hasFailed: false,
      };
    case 'queue.add':
      return {
        name: 'keys',
        count: record.sampled ?? 1,
        hasFailed: record.trigger.kind === 'retry',
      };
    case 'reconcile.end':
      return { name: 'reconciles', count: 1, hasFailed: isFailure(record.result) };
    case 'request.end':
    case 'request.head':
      return isAnswered(record)
        ? { name: 'requests', count: 1, hasFailed: record.code === 0 || record.code >= 400 }
        : undefined;
    case 'election':
    case 'event.recorded':
    case 'guard.warning':
    case 'handler.slow':
    case 'informer.relist':
    case 'informer.state':
    case 'note':
    case 'queue.state':
    case 'reconcile.start':
    case 'request.start':
    case 'watch.event':
      return undefined;
    default:
      return undefined;
  }
}

function markOf(record: ObservedRecord): Pick<Mark, 'kind' | 'text'> | undefined {
  if (record.type === 'guard.warning') return { kind: 'warning', text: record.message };
  if (record.type === 'note') {
    const kind = record.severity === 'error' ? 'error' : 'note';
    return { kind, text: `${record.subject}: ${record.text}` };
  }
  if (record.type === 'election') {
    return record.what === 'renewed'
      ? undefined
      : { kind: 'election', text: `${record.lease}: ${record.what}` };
  }
  if (record.type === 'informer.relist' && record.how !== 'watch') {
    return { kind: 'relist', text: `${record.informer}: ${record.reason}` };
  }
  if (record.type === 'informer.state' && record.reason !== undefined) {
    return { kind: 'error', text: `${record.informer} is ${record.state}: ${record.reason}` };
  }
  return undefined;
}

/** A depth holds until the next one is known. */
function carriedForward(values: readonly number[]): number[] {
  let last = 0;
  return values.map((value) => {
    if (!Number.isNaN(value)) last = value;
    return last;
  });
}
