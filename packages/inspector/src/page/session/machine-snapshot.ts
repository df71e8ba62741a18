import type { ObservedHistogram, ObservedSnapshot } from 'client-ts/observe';

import { type InformerView, type Machine, versionsBehind } from './machine.ts';

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
 * Adds what does not change with time: what an informer is for, whether it can be searched, how many
 * workers a controller has. So it is also known of states before the first snapshot that has it.
 */
export function completeMachine(machine: Machine, snapshot: ObservedSnapshot): void {
  for (const { informer, resource, server, indices, isSearchable } of snapshot.informers) {
    const view = machine.informers.get(informer);
    if (view !== undefined) Object.assign(view, { resource, server, indices, isSearchable });
  }
  for (const { controller, informers, workers } of snapshot.controllers) {
    const view = machine.controllers.get(controller);
    if (view !== undefined) Object.assign(view, { informers, workers });
  }
}
