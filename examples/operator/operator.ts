import type { Config } from 'client-ts';
import { type Pod, pods } from 'client-ts/api/core/v1';
import {
  cached,
  type Consistency,
  type ControllerContext,
  ControllerError,
  Manager,
  type ManagerLeaderElection,
  requeueAfter,
} from 'client-ts/controller';
import type { Cached } from 'client-ts/informers';
import {
  getControllerOf,
  isBeingDeleted,
  isConflict,
  isControlledBy,
  isNotFound,
} from 'client-ts/meta';
import type { Clock } from 'client-ts/wait';

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

/** Options of {@link addWebSetController}. */
export interface WebSetControllerOptions {
  /** The namespace of its WebSets. */
  readonly namespace: string;
  /** Unique per process. */
  readonly identity: string;
  /** Gets a line for each pod that is created or deleted, and for failures. */
  readonly log: (line: string) => void;
}

/** Options of {@link runOperator}. */
export interface OperatorOptions extends WebSetControllerOptions {
  readonly config: Config;
  readonly leaseDurationMs: number;
  readonly signal: AbortSignal;
  /** What the caches show after a write of the operator. Default `overlay`. */
  readonly consistency?: Consistency | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Takes part in the election and reconciles WebSets while it leads. Resolves when it is stopped or
 * has lost leadership; then the process should exit and be restarted.
 */
export async function runOperator(options: OperatorOptions): Promise<'lost' | 'stopped'> {
  const { config, namespace, identity, leaseDurationMs, signal, log, consistency, clock } = options;
  await using manager = new Manager(config, {
    clock,
    cache: { defaults: { consistency } },
    logger: { debug: () => undefined, info: log, warn: log, error: log },
    leaderElection: { ...electionOf(namespace, leaseDurationMs), identity },
  });
  addWebSetController(manager, { namespace, identity, log });
  try {
    await manager.run({ signal });
    return 'stopped';
  } catch (error) {
    if (error instanceof ControllerError && error.code === 'CONTROLLER_LEADERSHIP_LOST')
      return 'lost';
    throw error;
  }
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
export function addWebSetController(
  manager: Manager,
  { namespace, identity, log }: WebSetControllerOptions,
): void {
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
    fieldManager: `web-set-operator-${identity}`,
    finalizer: FINALIZER,
    reconcile: async (webSet, context) => {
      const existing = context.cache.list(ownPods, { index: ['owner', webSet.metadata.uid] });
      await new WebSetPods(webSet, context, log).reconcile(existing);
    },
    finalize: async (webSet, context) =>
      (await new WebSetPods(webSet, context, log).remove()) ? undefined : requeueAfter(1000),
  });
}

/**
 * One reconcile of one WebSet. It is idempotent: interrupted at any point it repeats a write that the
 * server rejects or that changes nothing.
 */
class WebSetPods {
  readonly #webSet: Cached<WebSet>;
  readonly #context: ControllerContext<WebSet>;
  readonly #log: (line: string) => void;

  constructor(
    webSet: Cached<WebSet>,
    context: ControllerContext<WebSet>,
    log: (line: string) => void,
  ) {
    this.#webSet = webSet;
    this.#context = context;
    this.#log = log;
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
    await this.#context.create(pods, podFor(this.#webSet, ordinal));
    this.#record('SuccessfulCreate', `created pod ${podName(this.#webSet, ordinal)}`);
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
    this.#log(`${reason} ${this.#context.key}: ${message}`);
  }
}
