import { setTimeout as sleep } from 'node:timers/promises';
import type { InspectorPage } from '@client-ts/inspector';
import { Clientset, type Config } from 'client-ts';
import { type Pod, pods } from 'client-ts/api/core/v1';
import {
  cached,
  type Consistency,
  type ControllerContext,
  ControllerError,
  Manager,
  type ManagerLeaderElection,
  requeueAfter,
  setControllerReference,
} from 'client-ts/controller';
import type { Cached } from 'client-ts/informers';
import {
  getControllerOf,
  isAlreadyExists,
  isBeingDeleted,
  isConflict,
  isControlledBy,
  isNotFound,
} from 'client-ts/meta';
import { type Clock, systemClock } from 'client-ts/wait';

import {
  isReady,
  ordinalOf,
  podFor,
  podName,
  TEMPLATE_LABEL,
  templateHash,
  WEB_SET_LABEL,
} from './pods.ts';
import { type WebSet, webSets } from './web-set.ts';

export const FINALIZER = 'apps.example.com/pods';

/**
 * A rule that is broken. `unfenced`: pods are created with a client that does not ask for the lease.
 * `detached`: work continues after its reconcile has returned.
 */
export type Sabotage = (typeof SABOTAGES)[number];

/** The names of all. */
export const SABOTAGES = ['unfenced', 'detached'] as const;

/** Options of {@link addWebSetController}. */
export interface WebSetControllerOptions {
  /** The namespace of its WebSets. */
  readonly namespace: string;
  /** Unique per process. */
  readonly identity: string;
  /** Gets a line for each pod that is created or deleted, and for failures. */
  readonly log: (line: string) => void;
  /** The times of reconciles and creations in the log. Default: they are not logged. */
  readonly clock?: Clock | undefined;
  /** The time after each creation, as if it were slow. Default 0. */
  readonly stepMs?: number | undefined;
  /** For tests of the tests: breaks a rule on purpose. */
  readonly sabotage?: Sabotage | undefined;
  /** For `sabotage: 'unfenced'`. */
  readonly unfenced?: Clientset | undefined;
}

/** Options of {@link runOperator}. */
export interface OperatorOptions extends Omit<WebSetControllerOptions, 'unfenced'> {
  readonly config: Config;
  readonly leaseDurationMs: number;
  /** Shares the WebSets with other replicas in so many shards. Default: one replica leads. */
  readonly shards?: number | undefined;
  readonly signal: AbortSignal;
  /** What the caches show after a write of the operator. Default `overlay`. */
  readonly consistency?: Consistency | undefined;
  /** Serves the inspector, and logs its address. Default false. */
  readonly isInspected?: boolean | undefined;
  /** Logs the times of reconciles and creations, for an audit. Default false. */
  readonly isTraced?: boolean | undefined;
}

/**
 * Takes part in the election and reconciles WebSets while it leads. Resolves when it is stopped or
 * has lost leadership; then the process should exit and be restarted.
 */
export async function runOperator(options: OperatorOptions): Promise<'lost' | 'stopped'> {
  const { config, namespace, identity, shards, sabotage, signal, log, consistency } = options;
  const { clock = systemClock, leaseDurationMs, stepMs, isTraced = false } = options;
  const election = { ...electionOf(namespace, leaseDurationMs), identity };
  await using manager = new Manager(config, {
    clock,
    cache: { defaults: { consistency } },
    logger: { debug: () => undefined, info: log, warn: log, error: log },
    ...(shards === undefined
      ? { leaderElection: election }
      : { sharding: { ...election, shards } }),
  });
  await using unfenced = sabotage === 'unfenced' ? new Clientset(config) : undefined;
  const traced = { clock: isTraced ? clock : undefined };
  addWebSetController(manager, { namespace, identity, log, stepMs, sabotage, unfenced, ...traced });
  await using page = options.isInspected === true ? await inspectManager(manager) : undefined;
  if (page !== undefined) log(`inspector: ${page.url}`);
  try {
    await manager.run({ signal });
    return 'stopped';
  } catch (error) {
    if (error instanceof ControllerError && error.code === 'CONTROLLER_LEADERSHIP_LOST')
      return 'lost';
    throw error;
  }
}

/** Loads the package only if it is needed: deployments go without it. */
async function inspectManager(manager: Manager): Promise<InspectorPage> {
  const { inspect } = await import('@client-ts/inspector');
  return await inspect({ manager, program: 'web-set-operator' });
}

/** Returns how the replicas of the operator elect the one that reconciles. */
export function electionOf(namespace: string, leaseDurationMs: number): ManagerLeaderElection {
  return {
    name: 'web-set-operator',
    namespace,
    leaseDurationMs,
    renewDeadlineMs: (leaseDurationMs * 2) / 3,
    retryPeriodMs: (leaseDurationMs * 2) / 15,
  };
}

/** Adds the controller of WebSets to a manager. */
export function addWebSetController(manager: Manager, options: WebSetControllerOptions): void {
  const { namespace, identity, log, clock, stepMs = 0, sabotage, unfenced } = options;
  const trace = (line: string, at?: number): void => {
    if (clock !== undefined) log(`${line} ${at ?? clock.now()}`);
  };
  const now = (): number => clock?.now() ?? 0;
  const fieldManager = `web-set-operator-${identity}`;
  const podsOptions: PodsOptions = { log, unfenced, fieldManager, stepMs, now, trace };
  const ownPods = cached(pods, {
    namespace,
    labelSelector: WEB_SET_LABEL,
    index: { owner: (pod) => [getControllerOf(pod)?.uid ?? ''] },
  });
  manager.controller('web-set-operator', {
    for: { resource: webSets, namespace },
    owns: [ownPods],
    concurrency: 4,
    timeoutMs: 30_000,
    fieldManager,
    finalizer: FINALIZER,
    reconcile: async (webSet, context) => {
      const work = async (): Promise<void> => {
        trace(`begin ${context.key}`);
        const existing = context.cache.list(ownPods, { index: ['owner', webSet.metadata.uid] });
        await new WebSetPods(webSet, context, podsOptions).reconcile(existing);
      };
      const working = work().finally(() => trace(`end ${context.key}`));
      if (sabotage === 'detached') void working.catch(() => undefined);
      else await working;
    },
    finalize: async (webSet, context) =>
      (await new WebSetPods(webSet, context, podsOptions).remove())
        ? undefined
        : requeueAfter(1000),
  });
}

interface PodsOptions {
  readonly log: (line: string) => void;
  readonly unfenced: Clientset | undefined;
  readonly fieldManager: string;
  readonly stepMs: number;
  readonly now: () => number;
  readonly trace: (line: string, at?: number) => void;
}

/**
 * One reconcile of one WebSet. It is idempotent: interrupted at any point it repeats a write that the
 * server rejects or that changes nothing.
 */
class WebSetPods {
  readonly #webSet: Cached<WebSet>;
  readonly #context: ControllerContext<WebSet>;
  readonly #options: PodsOptions;

  constructor(webSet: Cached<WebSet>, context: ControllerContext<WebSet>, options: PodsOptions) {
    this.#webSet = webSet;
    this.#context = context;
    this.#options = options;
  }

  async reconcile(existing: readonly Cached<Pod>[]): Promise<void> {
    const wanted = this.#webSet.spec.replicas ?? 1;
    const surplus = existing.filter((pod) => (ordinalOf(pod) ?? Infinity) >= wanted);
    const there = new Set(existing.map(({ metadata }) => metadata.name));
    const missing = Array.from({ length: wanted }, (_, ordinal) => ordinal).filter(
      (ordinal) => !there.has(podName(this.#webSet, ordinal)),
    );
    for (const pod of surplus) await this.#delete(pod, 'scaled down');
    for (const ordinal of missing) await this.#create(ordinal);
    if (surplus.length === 0 && missing.length === 0) await this.#replaceOne(existing);
    const current = templateHash(this.#webSet);
    const alive = existing.filter((pod) => !isBeingDeleted(pod));
    await this.#context.status({
      replicas: alive.length,
      updatedReplicas: alive.filter(({ metadata }) => metadata.labels?.[TEMPLATE_LABEL] === current)
        .length,
      readyReplicas: alive.filter(isReady).length,
    });
  }

  /** Deletes all pods; returns true when none is left. Asks the server, because an earlier leader may have created some. */
  async remove(): Promise<boolean> {
    const { name, namespace = '' } = this.#webSet.metadata;
    const { client, signal } = this.#context;
    const labelSelector = `${WEB_SET_LABEL}=${name}`;
    const { items } = await client.coreV1.pods(namespace).list({ labelSelector, signal });
    const own = items.filter((pod) => isControlledBy(pod, this.#webSet));
    for (const pod of own) await this.#delete(pod, 'its WebSet is deleted');
    return own.length === 0;
  }

  /** Replaces one pod with an old template; the next one when its successor is ready. */
  async #replaceOne(existing: readonly Cached<Pod>[]): Promise<void> {
    const current = templateHash(this.#webSet);
    const outdated = existing.filter(
      ({ metadata }) => metadata.labels?.[TEMPLATE_LABEL] !== current,
    );
    const broken = outdated.find((pod) => !isReady(pod));
    const next = broken ?? (existing.every(isReady) ? outdated[0] : undefined);
    if (next !== undefined) await this.#delete(next, 'its template has changed');
  }

  async #create(ordinal: number): Promise<void> {
    const pod = podFor(this.#webSet, ordinal);
    const { unfenced, stepMs, now, trace } = this.#options;
    const at = now();
    const sent = (): void => trace(`sent ${this.#context.key}`, at);
    try {
      if (unfenced === undefined) await this.#context.create(pods, pod);
      else await this.#createUnfenced(unfenced, pod);
    } catch (error) {
      if (isAlreadyExists(error)) sent();
      throw error;
    }
    sent();
    this.#record('SuccessfulCreate', `created pod ${podName(this.#webSet, ordinal)}`);
    if (stepMs > 0) await sleep(stepMs);
  }

  async #createUnfenced(client: Clientset, pod: Pod): Promise<void> {
    const { namespace = '' } = this.#webSet.metadata;
    const owned = setControllerReference(this.#webSet, pod, webSets);
    const { fieldManager } = this.#options;
    await client.coreV1.pods(namespace).create(owned, { fieldManager });
  }

  async #delete(pod: Cached<Pod>, why: string): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    if (isBeingDeleted(pod)) return;
    const { client, signal } = this.#context;
    try {
      // Deletes this pod, not a successor with the same name.
      await client.coreV1.pods(namespace).delete(name, { preconditions: { uid }, signal });
      this.#record('SuccessfulDelete', `deleted pod ${name}: ${why}`);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #record(reason: string, message: string): void {
    this.#context.event('Normal', reason, message);
    this.#options.log(`${reason} ${this.#context.key}: ${message}`);
  }
}
