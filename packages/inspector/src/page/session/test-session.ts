import type { ObservedRecord, ObservedSnapshot, SessionHeader } from 'client-ts/observe';

import { SessionLog, type SessionLogOptions } from './session-log.ts';

/** A record without what {@link sessionOf} fills in. */
type Draft = ObservedRecord extends infer R
  ? R extends ObservedRecord
    ? Omit<R, 'at' | 'seq'> & { readonly at?: number }
    : never
  : never;

/** When the sessions of these tests start. */
export const START = 1_700_000_000_000;

/** A program with one informer, `pods`, and one controller, `site`. */
export const SNAPSHOT: ObservedSnapshot = {
  at: START,
  seq: 0,
  informers: [
    {
      informer: 'pods',
      resource: 'pods',
      server: '127.0.0.1:6443',
      state: 'live',
      resourceVersion: '100',
      behind: 0,
      lag: 0,
      lastEventAt: 0,
      objects: 10,
      bytes: 10_000,
      indices: ['namespace'],
      events: { added: 10, updated: 0, deleted: 0 },
      relists: 1,
      watchRestarts: 0,
      eventsPerSecond: 0,
      handlers: [{ name: 'controller site on pods', pending: 0, highWater: 3 }],
      isSearchable: true,
    },
  ],
  queues: [],
  controllers: [
    {
      controller: 'site',
      informers: ['pods'],
      workers: 2,
      active: [],
      reconciles: 5,
      errors: 1,
      duration: { count: 0, sum: 0, buckets: [] },
    },
  ],
  connections: [],
  elections: [],
  totals: {
    requests: 0,
    failedRequests: 0,
    openRequests: 0,
    recordedEvents: 0,
    guardWarnings: 0,
    unrecorded: 0,
  },
};

/** The state of a queue in which nothing waits. */
export const QUEUE_STATE = {
  type: 'queue.state',
  queue: 'site',
  depth: 0,
  waiting: 0,
  busy: 0,
  oldestMs: 0,
  adds: 0,
  retries: 0,
  latency: { count: 0, sum: 0, buckets: [] },
  work: { count: 0, sum: 0, buckets: [] },
  failing: [],
} as const;

/** A session of these records, one second apart unless they say `at`, in milliseconds from the start. */
export function sessionOf(drafts: readonly Draft[], options?: SessionLogOptions): SessionLog {
  const header: SessionHeader = {
    clientTs: 'session',
    version: 1,
    program: 'test',
    startedAt: START,
    snapshot: SNAPSHOT,
  };
  const log = new SessionLog(header, options);
  for (const [index, draft] of drafts.entries()) {
    const at = START + (draft.at ?? (index + 1) * 1000);
    log.push({ ...draft, at, seq: index + 1 });
  }
  return log;
}

/** A reconcile of a key that starts at a time, writes once, and ends. */
export function reconcileOf(
  id: number,
  at: number,
  end: Partial<Extract<Draft, { type: 'reconcile.end' }>> = {},
): readonly Draft[] {
  const common = { id, controller: 'site', key: 'default/web', attempt: 1 } as const;
  const trigger = {
    kind: 'change',
    informer: 'pods',
    handler: 'controller site on pods',
    event: 'update',
    key: 'default/web-0',
    resourceVersion: '101',
  } as const;
  const request = {
    id: id * 10,
    verb: 'patch',
    resource: 'sites.example.com',
    namespace: 'default',
    name: 'web',
    reconcile: id,
  } as const;
  return [
    { type: 'queue.add', at, queue: 'site', key: 'default/web', trigger },
    { type: 'reconcile.start', at: at + 1, ...common, trigger, queuedMs: 1 },
    { type: 'request.start', at: at + 2, ...request },
    {
      type: 'request.end',
      at: at + 12,
      ...request,
      code: 200,
      latencyMs: 10,
      retries: 0,
      throttledMs: 0,
      connection: 'h2 #1',
    },
    {
      type: 'reconcile.end',
      at: at + 20,
      ...common,
      trigger,
      result: 'success',
      durationMs: 19,
      requests: [id * 10],
      ...end,
    },
  ];
}
