import { runController } from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import { type Clock, systemClock } from 'client-ts/internal';
import {
  coreV1Sink,
  EventBroadcaster,
  type EventRecorder,
  EventsV1Broadcaster,
  eventsV1Sink,
} from 'client-ts/record';

import { deploymentController } from './deployment-controller.ts';
import { Fate } from './fate.ts';
import { garbageCollector } from './garbage-collector.ts';
import { kubelets } from './kubelets.ts';
import { livePeople } from './people.ts';
import { replicaSetController } from './replica-set-controller.ts';
import { scheduler } from './scheduler.ts';
import { setUp } from './set-up.ts';
import { ClusterCache, type Recorders, type SimulatedController, type World } from './world.ts';

/** How a {@link Simulation} goes. */
export interface SimulationOptions {
  readonly client: Clientset;
  /** Where the deployments are. Default `shop`. */
  readonly namespace?: string;
  /** Default 5. */
  readonly nodes?: number;
  /** Default 6. */
  readonly deployments?: number;
  /** How fast everything happens: 2 is twice as fast. Default 1. */
  readonly rate?: number;
  /** The same seed takes the same course. Default 1. */
  readonly seed?: number;
  /** False for a cluster in which nobody changes anything. Default true. */
  readonly people?: boolean;
  /** Hears of attempts that failed; they are made again. Default: nobody does. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** What a {@link Simulation} does unless told otherwise. */
export const simulationDefaults = {
  namespace: 'shop',
  nodes: 5,
  deployments: 6,
  rate: 1,
  seed: 1,
} as const;

/** How many keys one controller works on at the same time. */
const workers = 4;

/**
 * A small cluster on an API server that has none: controllers for deployments and replica sets, a
 * scheduler, kubelets, and people who change things. Each is a controller of the ordinary kind, with
 * informers, a work queue and events, and works on any API server without a control plane of its own.
 */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #controllers: SimulatedController[] = [];

  constructor(options: SimulationOptions) {
    this.#options = { ...simulationDefaults, ...options };
  }

  /** How many keys wait in the queues of the controllers. */
  get queueDepth(): number {
    return this.#controllers.reduce((sum, { queue }) => sum + queue.len, 0);
  }

  /**
   * Runs until the signal aborts, and resolves when everything has come to rest and the last events
   * are written. A stop is no error. What was made stays.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { client, clock = systemClock, onError = () => undefined } = this.#options;
    const { namespace, nodes, deployments, rate, seed } = {
      ...simulationDefaults,
      ...this.#options,
    };
    const fate = new Fate(seed);
    await using telling = new Telling(client, clock, onError);
    const { recorders } = telling;
    try {
      await setUp({ client, namespace, fate, nodes, deployments, recorders, signal });
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    await using factory = new SharedInformerFactory(client, { clock });
    const world: World = {
      client,
      namespace,
      clock,
      fate,
      cache: new ClusterCache(factory, namespace),
      recorders,
      scaled: (milliseconds) => milliseconds / rate,
    };
    this.#controllers.push(
      deploymentController(world),
      replicaSetController(world),
      scheduler(world),
      kubelets(world),
      garbageCollector(world),
    );
    factory.start();
    const { deployments: sets, nodes: machines, pods, replicaSets } = world.cache;
    const informers = [sets, machines, pods, replicaSets].map(({ informer }) => informer);
    await Promise.all([
      ...this.#controllers.map(({ queue, reconcile }) =>
        runController({ informers, queue, reconcile, workers, signal, clock, onError }),
      ),
      ...(this.#options.people === false ? [] : [livePeople(world, signal, onError)]),
    ]);
  }
}

/** The events of the simulation, each written as its real counterpart writes it. */
class Telling implements AsyncDisposable {
  readonly recorders: Recorders;
  readonly #legacy: EventBroadcaster;
  readonly #current: EventsV1Broadcaster;

  constructor(client: Clientset, clock: Clock, onError: (error: unknown) => void) {
    this.#legacy = new EventBroadcaster({ clock, onError });
    this.#current = new EventsV1Broadcaster({ clock, onError });
    this.#legacy.startRecordingToSink(coreV1Sink(client));
    this.#current.startRecordingToSink(eventsV1Sink(client));
    const known = new Map<string, EventRecorder>();
    this.recorders = {
      of: (component, host) => {
        const name = `${component} ${host}`;
        const source = { component, ...(host !== undefined && { host }) };
        const recorder = known.get(name) ?? this.#legacy.newRecorder(source);
        known.set(name, recorder);
        return recorder;
      },
      scheduler: this.#current.newRecorder({ reportingController: 'default-scheduler' }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#legacy.shutdown(), this.#current.shutdown()]);
  }
}
