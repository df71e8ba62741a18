import type { QueueAddRecord, WatchEventRecord } from 'client-ts/observe';

import type { SessionLog } from './session-log.ts';

/** What the records of a session say about an object. */
export interface ObjectHistory {
  /** Its changes, the newest first. */
  readonly changes: readonly WatchEventRecord[];
  /** The keys that they triggered, the newest first. */
  readonly triggered: readonly QueueAddRecord[];
}

/** Returns the changes of an object before a position, and the keys that handlers enqueued for them. */
export function objectHistory(
  log: SessionLog,
  position: number,
  informer: string,
  key: string,
): ObjectHistory {
  const changes: WatchEventRecord[] = [];
  const triggered: QueueAddRecord[] = [];
  for (const record of log.slice(log.start, position)) {
    if (record.type === 'watch.event') {
      if (record.key === key && record.informer === informer) changes.push(record);
    } else if (record.type === 'queue.add' && record.trigger.kind === 'change') {
      const { trigger } = record;
      if (trigger.key === key && trigger.informer === informer) {
        triggered.push(record);
      }
    }
  }
  return { changes: changes.toReversed(), triggered: triggered.toReversed() };
}
