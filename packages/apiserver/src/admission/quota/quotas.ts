// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/admission.go
// Upstream: pkg/controller/resourcequota/resource_quota_controller.go
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual, type ScheduledCall } from 'client-ts/internal';
import type { GroupResource, KubernetesObject } from 'client-ts/meta';
import { type Cluster, readAccess } from '../../registry/cluster.ts';
import type { Registry } from '../../registry/registry.ts';
import { type StatusWriter, updateStatus } from '../../registry/update-status.ts';
import type { Schema } from '../../schema/schema.ts';
import type { StoreEvent } from '../../store/store.ts';
import type { Loose } from '../../validation/loose.ts';
import { type Amounts, equalAmounts, maskAmounts, parseAmounts, writeAmounts } from './amounts.ts';
import { type Charge, checkQuotas } from './check-quotas.ts';
import type { QuotaRequest, UsageContext } from './evaluator.ts';
import { evaluatorFor } from './evaluators.ts';
import { endOfUsage } from './pods.ts';
import { UsageTracker } from './usage-tracker.ts';

type Quota = Loose<core.ResourceQuota>;

const KIND = { group: '', version: 'v1', kind: 'ResourceQuota' };
const PODS = '//pods/';
const DEVICE_CLASSES = '/resource.k8s.io/deviceclasses/';

/** Options of {@link Quotas}. */
export interface QuotasOptions {
  /**
   * Whether the server keeps the status of quotas itself, as a quota controller that takes no time.
   * Otherwise it only adds what a request uses, and a quota controller does the rest.
   */
  readonly counts: boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Enforces ResourceQuotas, and counts what their namespaces use. A write that exceeds a quota is
 * refused in the same turn in which it would be stored, so parallel requests cannot exceed it
 * together.
 */
export class Quotas implements Disposable {
  readonly #cluster: Cluster;
  readonly #options: QuotasOptions;
  readonly #registry: Registry;
  /** The quotas of each namespace that has one, by key. */
  readonly #trackers = new Map<string, Map<string, UsageTracker>>();
  readonly #dirty = new Set<string>();
  /** Deletions of pods that stop to count when they are overdue. */
  readonly #deadlines = new Map<string, ScheduledCall>();
  readonly #subscriptions: readonly Disposable[];

  constructor(cluster: Cluster, options: QuotasOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#registry = cluster.catalog.registry('', 'resourcequotas') as Registry;
    this.#subscriptions = [
      cluster.store.subscribe('/', (event) => this.#follow(event)),
      cluster.catalog.subscribe(() => this.#trackAll()),
    ];
    this.#trackAll();
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    for (const deadline of this.#deadlines.values()) deadline.cancel();
    this.#dirty.clear();
  }

  /**
   * Throws a 403 if a write exceeds a quota. Otherwise returns what to call in the same turn, after
   * the write.
   */
  check(
    resource: GroupResource,
    namespace: string,
    request: Omit<QuotaRequest, 'object'> & { readonly object: KubernetesObject | undefined },
  ): () => void {
    const { object } = request;
    if (object === undefined || !this.#trackers.has(namespace)) return nothing;
    const evaluator = evaluatorFor(resource);
    if (evaluator === undefined) return nothing;
    this.#settle();
    const quotas = this.#cluster.store
      .range({ prefix: this.#registry.prefix(namespace) })
      .map(({ value }) => value as Quota);
    const context = this.#context();
    const charges = checkQuotas(quotas, { ...request, object, resource, evaluator, context });
    return this.#options.counts ? nothing : (): void => this.#charge(charges);
  }

  #charge(charges: readonly Charge[]): void {
    for (const { quota, used } of charges) {
      const { namespace = '', name = '' } = quota.metadata ?? {};
      this.#writeStatus('kube-apiserver', namespace, name, {
        ...quota.status,
        used: writeAmounts(used),
      });
    }
  }

  #follow({ entry, previous }: StoreEvent): void {
    const { key, value } = entry ?? previous;
    if (key.startsWith(this.#registry.prefix())) {
      const spec = entry && ((entry.value as Quota).spec ?? {});
      const isSame =
        previous !== undefined && jsonEqual((previous.value as Quota).spec ?? {}, spec);
      if (!isSame) this.#followQuota(key, value.metadata?.namespace ?? '', spec);
      // A status that was written by hand does not last.
      else if (this.#options.counts) this.#markDirty(key);
    }
    if (!this.#options.counts) return;
    if (key.startsWith(DEVICE_CLASSES)) this.#trackAll();
    const { namespace = '' } = value.metadata ?? {};
    if (this.#trackers.has(namespace)) this.#count(key, namespace);
  }

  /** Counts for a quota that is new or has changed; without a spec it is deleted. */
  #followQuota(key: string, namespace: string, spec: Quota['spec']): void {
    if (spec !== undefined) {
      this.#track(key, namespace, spec);
      return;
    }
    const others = this.#trackers.get(namespace);
    others?.delete(key);
    if (others?.size === 0) this.#trackers.delete(namespace);
  }

  /** Kinds and device classes determine what quotas can measure. */
  #trackAll(): void {
    for (const { key, value } of this.#cluster.store.range({ prefix: this.#registry.prefix() })) {
      this.#track(key, value.metadata?.namespace ?? '', (value as Quota).spec ?? {});
    }
  }

  #track(key: string, namespace: string, spec: NonNullable<Quota['spec']>): void {
    const tracker = new UsageTracker(spec);
    const siblings = this.#trackers.get(namespace) ?? new Map<string, UsageTracker>();
    this.#trackers.set(namespace, siblings.set(key, tracker));
    if (!this.#options.counts) return;
    tracker.countAll(this.#cluster, namespace, this.#context());
    for (const pod of this.#cluster.store.range({ prefix: `${PODS}${namespace}/` })) {
      this.#followDeadline(pod.key, namespace);
    }
    this.#markDirty(key);
  }

  #count(key: string, namespace: string): void {
    const [, group = '', resource = ''] = key.split('/');
    const evaluator = evaluatorFor({ group, resource });
    if (evaluator === undefined) return;
    const object = this.#cluster.store.get(key)?.value as KubernetesObject | undefined;
    const context = this.#context();
    for (const [quota, tracker] of this.#trackers.get(namespace) ?? []) {
      if (tracker.count(key, evaluator, object, context)) this.#markDirty(quota);
    }
    if (key.startsWith(PODS)) this.#followDeadline(key, namespace);
  }

  #followDeadline(key: string, namespace: string): void {
    this.#deadlines.get(key)?.cancel();
    this.#deadlines.delete(key);
    const { clock, store } = this.#cluster;
    const pod = store.get(key)?.value as Loose<core.Pod> | undefined;
    const wait = (pod === undefined ? Infinity : endOfUsage(pod)) - clock.now();
    if (wait <= 0 || wait === Infinity) return;
    const recount = (): void => {
      this.#deadlines.delete(key);
      if (this.#trackers.has(namespace)) this.#count(key, namespace);
    };
    this.#deadlines.set(key, clock.schedule(wait, recount, { background: true }));
  }

  /**
   * The status is written after the current write, whose listeners must see it first, but before the
   * response to it, and before the next check.
   */
  #markDirty(key: string): void {
    if (this.#dirty.size === 0) queueMicrotask(() => this.#settle());
    this.#dirty.add(key);
  }

  #settle(): void {
    for (const key of this.#dirty) {
      this.#dirty.delete(key);
      try {
        this.#report(key);
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }

  #report(key: string): void {
    const quota = this.#cluster.store.get(key)?.value as Quota | undefined;
    const { namespace = '', name = '' } = quota?.metadata ?? {};
    const totals = this.#trackers.get(namespace)?.get(key)?.totals;
    if (quota === undefined || totals === undefined) return;
    const { spec = {}, status = {} } = quota;
    const hard = spec.hard ?? {};
    const before = parseAmounts(status.used);
    const used: Amounts = new Map([
      ...maskAmounts(before, (one) => Object.hasOwn(hard, one)),
      ...totals,
    ]);
    if (jsonEqual(status.hard, hard) && status.used !== undefined && equalAmounts(used, before)) {
      return;
    }
    this.#writeStatus('kube-controller-manager', namespace, name, {
      hard: { ...hard },
      used: writeAmounts(used),
    });
  }

  #writeStatus(
    manager: string,
    namespace: string,
    name: string,
    status: NonNullable<Quota['status']>,
  ): void {
    const writer: StatusWriter = {
      registry: this.#registry,
      schema: this.#cluster.catalog.model.schemaFor(KIND) as Schema,
      apiVersion: 'v1',
      manager,
      namespace,
    };
    updateStatus(this.#cluster, writer, name, (quota) => {
      quota['status'] = status;
    });
  }

  #context(): UsageContext {
    return { nowMs: this.#cluster.clock.now(), ...readAccess(this.#cluster) };
  }
}

function nothing(): void {}
