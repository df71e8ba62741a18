import { runController } from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import { type Clock, systemClock } from 'client-ts/internal';

import { Chance } from './chance.ts';
import type { FakeKubelet } from './kubelet/fake-kubelet.ts';
import { garbageCollector } from './garbage-collector.ts';
import { livePods } from './pod-lifecycle.ts';
import { runUsers } from './users.ts';
import { refuseForeignNodes, setUp } from './set-up.ts';
import { ClusterCache, simulatedLabel, type SimulatedController, type Cluster } from './cluster.ts';
import { EventRecording } from './event-recording.ts';
import { workers, workloadControllers } from './workload-controllers.ts';

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

/**
 * A small cluster on an API server that has none: the controllers of {@link WorkloadControllers}, a
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
    await using recording = new EventRecording({ client, clock, onError, isWritten: true });
    const { recorders } = recording;
    try {
      await refuseForeignNodes(client, signal);
      await setUp({ client, namespace, chance, nodes, deployments, recorders, signal });
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    await using factory = new SharedInformerFactory(client, { clock });
    const scaled = (milliseconds: number): number => milliseconds / rate;
    const nodeSelector = `${simulatedLabel}=true`;
    const cluster: Cluster = {
      client,
      clock,
      chance,
      cache: new ClusterCache(factory, { namespace, nodeSelector }),
      recorders,
      kubelet: this.#options.kubelet,
      behaviour: livePods(chance, scaled),
      scaled,
    };
    this.#controllers.push(...workloadControllers(cluster), garbageCollector(cluster));
    factory.start();
    const { informers } = cluster.cache;
    await Promise.all([
      ...this.#controllers.map(({ queue, reconcile }) =>
        runController({ informers, queue, reconcile, workers, signal, clock, onError }),
      ),
      ...(this.#options.users === false
        ? []
        : [runUsers({ ...cluster, namespace }, signal, onError)]),
    ]);
  }
}
