import type { ElectionRecord } from 'client-ts/observe';

import type { SessionLog } from './session-log.ts';

/** A time in which one process led, or none. */
export interface Reign {
  readonly from: number;
  readonly to: number;
  /** Empty if there was no leader. */
  readonly leader: string;
  /** True if this program led. */
  readonly isOwn: boolean;
}

/** What is known of a lease. */
export interface LeaseHistory {
  readonly reigns: readonly Reign[];
  readonly records: readonly ElectionRecord[];
}

/** Who led when, by lease, until `at`. */
export function reignsOf(
  log: SessionLog,
  position: number,
  at: number,
): ReadonlyMap<string, LeaseHistory> {
  const leases = new Map<string, ElectionRecord[]>();
  const add = (record: ElectionRecord): void => {
    const lease = record.lease;
    const records = leases.get(lease);
    if (records === undefined) leases.set(lease, [record]);
    else records.push(record);
  };
  for (const record of log.header.snapshot.elections) add(record);
  for (const record of log.slice(log.start, position)) if (record.type === 'election') add(record);
  return new Map(
    Array.from(leases, ([lease, records]) => [lease, { records, reigns: join(records, at) }]),
  );
}

function join(records: readonly ElectionRecord[], at: number): readonly Reign[] {
  const reigns: Reign[] = [];
  for (const record of records) {
    const isOver = record.what === 'lost' || record.what === 'released';
    const leader = isOver && record.leader === record.identity ? '' : record.leader;
    const last = reigns.at(-1);
    if (last !== undefined && last.leader === leader) continue;
    if (last !== undefined) reigns[reigns.length - 1] = { ...last, to: record.at };
    reigns.push({ from: record.at, to: at, leader, isOwn: leader === record.identity });
  }
  return reigns;
}
