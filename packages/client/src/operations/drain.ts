import type { Pod } from '../api/core/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { guardCallback } from '../lib/callback.ts';
import { sleep } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { mapConcurrent } from '../lib/map-concurrent.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { hasStatusCause, isNotFound, isTooManyRequests } from '../meta/error-guards.ts';
import { escapeFieldValue } from '../meta/fields.ts';
import { getControllerOf } from '../meta/object.ts';
import type { Stored } from '../rest/object-types.ts';
import { deleted } from '../wait/conditions.ts';
import { waitFor } from '../wait/wait-for.ts';
import { OperationsError } from './operations-error.ts';
import type { OperationOptions } from './rollout.ts';

/** Marks a node so that no new pods are scheduled on it. Pods that run stay. */
export async function cordon(
  client: Clientset,
  node: string,
  options: OperationOptions = {},
): Promise<void> {
  await setUnschedulable(client, node, true, options);
}

/** Lets new pods be scheduled on a node again. */
export async function uncordon(
  client: Clientset,
  node: string,
  options: OperationOptions = {},
): Promise<void> {
  await setUnschedulable(client, node, false, options);
}

async function setUnschedulable(
  client: Clientset,
  node: string,
  unschedulable: boolean,
  options: OperationOptions,
): Promise<void> {
  const body = { spec: { unschedulable: unschedulable ? true : null } };
  await client.coreV1.nodes().patch(node, body, { type: 'merge', ...options });
}

/** What happens during {@link drain}. */
export interface DrainEvent {
  /** `blocked`: a disruption budget does not allow it now; it is tried again. */
  readonly type: 'blocked' | 'evicted' | 'evicting' | 'skipped';
  readonly pod: Stored<Pod>;
  /** Why a pod is skipped or blocked. */
  readonly reason?: string | undefined;
}

/** Options of {@link drain}. */
export interface DrainOptions {
  /** Leave pods of DaemonSets where they are. Default false: they are a refusal. */
  readonly ignoreDaemonSets?: boolean | undefined;
  /** Evict pods that no controller replaces. Default false: they are a refusal. */
  readonly force?: boolean | undefined;
  /** Evict pods whose data in `emptyDir` volumes is lost. Default false: they are a refusal. */
  readonly deleteEmptyDirData?: boolean | undefined;
  /** Only pods with these labels. */
  readonly podSelector?: string | undefined;
  /** Default: that of each pod. */
  readonly gracePeriodSeconds?: number | undefined;
  /** The server answers as if, and nothing changes. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Default: no timeout. */
  readonly timeoutMs?: number | undefined;
  /** How long to wait after a disruption budget has refused. Default 5 seconds, as in kubectl. */
  readonly retryMs?: number | undefined;
  readonly onEvent?: ((event: DrainEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cordons a node and evicts its pods, as `kubectl drain` does; resolves when they are gone.
 * Evictions respect disruption budgets: one that allows no disruption is tried again until the
 * timeout (`OPERATIONS_TIMEOUT`). Pods of the node itself (static pods) stay.
 *
 * Rejects with `OPERATIONS_DRAIN_REFUSED`, before any eviction, if a pod would come back
 * immediately (of a DaemonSet), is not replaced, or loses data, unless the options allow it.
 */
export async function drain(
  client: Clientset,
  node: string,
  options: DrainOptions = {},
): Promise<void> {
  checkNumbers(options, { timeoutMs: 'duration', retryMs: 'duration' });
  const { dryRun, signal, timeoutMs, podSelector } = options;
  await cordon(client, node, { dryRun, signal });
  const { items } = await client.coreV1
    .pods()
    .listAll({
      fieldSelector: `spec.nodeName=${escapeFieldValue(node)}`,
      labelSelector: podSelector,
      signal,
    })
    .toList();
  const onEvent = guardCallback('onEvent', options.onEvent, client.logger);
  const verdicts = items.map((pod) => ({ pod, ...verdictOn(pod, options) }));
  const refused = verdicts.filter(({ refusal }) => refusal !== undefined);
  if (refused.length > 0) throw refusalOf(node, refused);
  for (const { pod, stays } of verdicts) {
    if (stays !== undefined) onEvent({ type: 'skipped', pod, reason: stays });
  }
  const evicted = verdicts.flatMap(({ pod, stays }) => (stays === undefined ? [pod] : []));
  using limited = withDeadline(signal, {
    clock: client.rest.clock,
    timeoutMs,
    reason: () =>
      new OperationsError('OPERATIONS_TIMEOUT', `"${node}" was not drained within ${timeoutMs} ms`),
  });
  await mapConcurrent(evicted, { limit: 50, signal: limited.signal }, (pod, whileDraining) =>
    evict(client, pod, { ...options, onEvent, signal: whileDraining }),
  );
}

interface Verdict {
  /** Why the pod stays. */
  readonly stays?: string | undefined;
  /** Why the drain is refused. */
  readonly refusal?: string | undefined;
}

function verdictOn(pod: Stored<Pod>, options: DrainOptions): Verdict {
  const { force = false, ignoreDaemonSets = false, deleteEmptyDirData = false } = options;
  const { annotations = {} } = pod.metadata;
  if ('kubernetes.io/config.mirror' in annotations) return { stays: 'it is a static pod' };
  const controller = getControllerOf(pod);
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  if (controller?.kind === 'DaemonSet' && !isOver) {
    return ignoreDaemonSets
      ? { stays: `it belongs to the DaemonSet "${controller.name}"` }
      : { refusal: 'DaemonSet-managed pods (use ignoreDaemonSets)' };
  }
  if (isOver) return {};
  const hasLocalData = pod.spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined) ?? false;
  if (hasLocalData && !deleteEmptyDirData) {
    return { refusal: 'pods with local storage (use deleteEmptyDirData)' };
  }
  if (controller === undefined && !force) {
    return { refusal: 'pods that no controller replaces (use force)' };
  }
  return {};
}

function refusalOf(
  node: string,
  refused: readonly ({ readonly pod: Stored<Pod> } & Verdict)[],
): OperationsError {
  const reasons = new Map<string, string[]>();
  for (const { pod, refusal = '' } of refused) {
    const { namespace = '', name } = pod.metadata;
    reasons.set(refusal, [...(reasons.get(refusal) ?? []), `${namespace}/${name}`]);
  }
  const listed = [...reasons].map(([reason, pods]) => `${reason}: ${pods.join(', ')}`).join('; ');
  const message = `node "${node}" is cordoned but has ${listed}`;
  return new OperationsError('OPERATIONS_DRAIN_REFUSED', message);
}

async function evict(
  client: Clientset,
  pod: Stored<Pod>,
  options: DrainOptions & { readonly onEvent: (event: DrainEvent) => void },
): Promise<void> {
  const { dryRun = false, gracePeriodSeconds, retryMs = 5000, onEvent, signal } = options;
  const { name, namespace = '', uid } = pod.metadata;
  const pods = client.coreV1.pods(namespace);
  onEvent({ type: 'evicting', pod });
  for (;;) {
    try {
      await pods.evict(name, { dryRun, gracePeriodSeconds, preconditions: { uid }, signal });
      break;
    } catch (error) {
      if (isNotFound(error)) break;
      const isEnding = hasStatusCause(error, 'NamespaceTerminating');
      if (!isTooManyRequests(error) && !isEnding) throw error;
      onEvent({ type: 'blocked', pod, reason: (error as Error).message });
      await sleep(client.rest.clock, retryMs, { signal });
    }
  }
  if (dryRun) return;
  await waitFor(pods, name, deleted(uid), { signal });
  onEvent({ type: 'evicted', pod });
}
