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
import { Chance } from './chance.ts';
import type { FakeKubelet } from './kubelet/fake-kubelet.ts';
import { garbageCollector } from './garbage-collector.ts';
import { kubelets } from './kubelets.ts';
import { runUsers } from './users.ts';
import { replicaSetController } from './replica-set-controller.ts';
import { scheduler } from './scheduler.ts';
import { refuseForeignNodes, setUp } from './set-up.ts';
import { ClusterCache, type Recorders, type SimulatedController, type Cluster } from './cluster.ts';

/** Options of a {@link Simulation}. */
export interface SimulationOptions {
  readonly client: Clientset;
  /** The namespace of the deployments; created if it does not exist. Default `shop`. */
  readonly namespace?: string | undefined;
  /** The number of nodes. Default 5. */
  readonly nodes?: number | undefined;
  /** The number of deployments at the start. Default 6. */
  readonly deployments?: number | undefined;
  /** The speed: 2 is twice as fast. Default 1. */
  readonly rate?: number | undefined;
  /** The random seed: the same seed makes the same decisions. Default 1. */
  readonly seed?: number | undefined;
  /** Whether simulated users scale, roll out, delete and drain. Default true. */
  readonly users?: boolean | undefined;
  /**
   * Runs the containers of the pods, so that their logs can be read and commands run in them. Give
   * the same to the API server. Default: nothing runs in the pods.
   */
  readonly kubelet?: FakeKubelet | undefined;
  /** Called with errors of attempts, which are retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The defaults of {@link SimulationOptions}. */
export const simulationDefaults = {
  namespace: 'shop',
  nodes: 5,
  deployments: 6,
  rate: 1,
  seed: 1,
} as const;

/** Keys that a controller reconciles concurrently. */
const workers = 4;

/**
 * A small cluster on an API server that has none: controllers for deployments and replica sets, a
 * scheduler, kubelets, and users who change things. Each is an ordinary controller with informers,
 * a work queue and events, and works on any API server without a control plane.
 *
 * ```ts
 * const simulation = new Simulation({ client, nodes: 5, seed: 42 });
 * await simulation.run({ signal });
 * ```
 */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #controllers: SimulatedController[] = [];

  constructor(options: SimulationOptions) {
    this.#options = options;
  }

  /** The number of keys in the queues of the controllers. */
  get queueDepth(): number {
    return this.#controllers.reduce((sum, { queue }) => sum + queue.len, 0);
  }

  /**
   * Runs until the signal aborts; resolves when the controllers have stopped and their events are
   * written. Created objects stay. Rejects with `SIMULATOR_FOREIGN_NODES` on a server with other
   * nodes, where a control plane manages pods already.
   */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { client, clock = systemClock, onError = () => undefined } = this.#options;
    const {
      namespace = simulationDefaults.namespace,
      nodes = simulationDefaults.nodes,
      deployments = simulationDefaults.deployments,
      rate = simulationDefaults.rate,
      seed = simulationDefaults.seed,
    } = this.#options;
    const chance = new Chance(seed);
    await using recording = new EventRecording(client, clock, onError);
    const { recorders } = recording;
    try {
      await refuseForeignNodes(client, signal);
      await setUp({ client, namespace, chance, nodes, deployments, recorders, signal });
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    await using factory = new SharedInformerFactory(client, { clock });
    const cluster: Cluster = {
      client,
      namespace,
      clock,
      chance,
      cache: new ClusterCache(factory, namespace),
      recorders,
      kubelet: this.#options.kubelet,
      scaled: (milliseconds) => milliseconds / rate,
    };
    this.#controllers.push(
      deploymentController(cluster),
      replicaSetController(cluster),
      scheduler(cluster),
      kubelets(cluster),
      garbageCollector(cluster),
    );
    factory.start();
    const { deployments: sets, nodes: machines, pods, replicaSets } = cluster.cache;
    const informers = [sets, machines, pods, replicaSets].map(({ informer }) => informer);
    await Promise.all([
      ...this.#controllers.map(({ queue, reconcile }) =>
        runController({ informers, queue, reconcile, workers, signal, clock, onError }),
      ),
      ...(this.#options.users === false ? [] : [runUsers(cluster, signal, onError)]),
    ]);
  }
}

/** Records the events of the simulation, each with the API that its real counterpart uses. */
class EventRecording implements AsyncDisposable {
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
