import type { ObservedHistogram, ObservedSnapshot } from 'client-ts/observe';

import {
  controllerOf,
  informerOf,
  type InformerView,
  type Machine,
  versionsBehind,
} from './machine.ts';

const NO_TIMES: ObservedHistogram = { count: 0, sum: 0, buckets: [] };

/** Returns the snapshot from which the records after `seq` continue: the reverse of `machineOf`. */
export function snapshotOf(machine: Machine, seq: number): ObservedSnapshot {
  const controllers = [...machine.controllers.values()];
  return {
    at: machine.at,
    seq,
    informers: Array.from(machine.informers.values(), (view) => describeInformer(machine, view)),
    queues: controllers.flatMap(({ queue }) => (queue === undefined ? [] : [queue])),
    controllers: controllers.map((view) => ({
      controller: view.id,
      informers: view.informers,
      workers: view.workers,
      active: [...view.keys.values()]
        .filter(({ phase }) => phase === 'active')
        .map(({ key }) => key),
      reconciles: view.reconciles,
      errors: view.errors,
      duration: view.duration ?? NO_TIMES,
    })),
    connections: Array.from(machine.connections, (connection) => ({
      connection,
      server: connection.split(' ').at(-1) ?? '',
      openedAt: machine.at,
    })),
    elections: [...machine.elections.values()],
    totals: {
      requests: machine.requests,
      failedRequests: machine.failedRequests,
      openRequests: machine.openRequests,
      recordedEvents: machine.recordedEvents,
      guardWarnings: controllers.reduce((sum, { warnings }) => sum + warnings.length, 0),
      unrecorded: machine.unrecorded,
    },
  };
}

function describeInformer(
  machine: Machine,
  view: InformerView,
): ObservedSnapshot['informers'][number] {
  const { id, added, updated, deleted, relistCount, relists: _, since, reason, ...rest } = view;
  return {
    ...rest,
    informer: id,
    ...(since === undefined ? {} : { since }),
    ...(reason === undefined ? {} : { reason }),
    behind: versionsBehind(machine, view),
    events: { added, updated, deleted },
    relists: relistCount,
    eventsPerSecond: 0,
  };
}

/**
 * Adds what only snapshots say: what an informer is for, whether it can be searched, how many workers a
 * controller has. Sizes and handlers change, so they are taken over for the newest state only.
 */
export function completeMachine(
  machine: Machine,
  snapshot: ObservedSnapshot,
  isNewest: boolean,
): void {
  if (isNewest) machine.unrecorded = snapshot.totals.unrecorded;
  for (const from of snapshot.informers) {
    const view = informerOf(machine, from.informer);
    view.resource = from.resource;
    view.server = from.server;
    view.indices = from.indices;
    view.isSearchable = from.isSearchable;
    if (!isNewest) continue;
    view.bytes = from.bytes;
    if (snapshot.at >= view.lastEventAt) view.handlers = from.handlers;
  }
  for (const from of snapshot.controllers) {
    const view = controllerOf(machine, from.controller);
    view.informers = from.informers;
    view.workers = from.workers;
    if (isNewest) view.duration = from.duration;
  }
}
