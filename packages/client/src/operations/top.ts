import { nodeMetrics, type PodMetrics, podMetrics } from '../api/metrics/v1beta1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { isNotFound, isServiceUnavailable } from '../meta/error-guards.ts';
import { parseQuantity } from '../meta/quantity.ts';
import type { Quantity } from '../meta/types.ts';
import type { SelectorOptions } from '../rest/options.ts';
import { OperationsError } from './operations-error.ts';

/** CPU in cores and memory in bytes. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

/** What a container, pod or node uses. */
export interface NamedUsage extends Usage {
  readonly name: string;
}

/** What a pod uses: the sum of its containers. */
export interface PodUsage extends NamedUsage {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly containers: readonly NamedUsage[];
}

/** What a node uses, and what it has for pods. */
export interface NodeUsage extends NamedUsage {
  /** Undefined if the node has metrics, but no longer exists. */
  readonly allocatable: Usage | undefined;
}

/** Options of {@link topNodes}. */
export interface TopOptions extends Pick<SelectorOptions, 'fieldSelector' | 'labelSelector'> {
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link topPods}. */
export interface TopPodsOptions extends TopOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/**
 * Returns what pods use now, by namespace and name. Rejects with `OPERATIONS_METRICS_UNAVAILABLE` if
 * the server has no metrics. Pods that have just started are missing.
 */
export async function topPods(
  client: Clientset,
  { namespace, ...options }: TopPodsOptions = {},
): Promise<PodUsage[]> {
  const resource =
    namespace === undefined ? client.resource(podMetrics) : client.resource(podMetrics, namespace);
  const { items } = await available(() => resource.list(options));
  return items.map(podUsage);
}

/** Returns what nodes use now. Rejects as {@link topPods}. */
export async function topNodes(client: Clientset, options: TopOptions = {}): Promise<NodeUsage[]> {
  const { items } = await available(() => client.resource(nodeMetrics).list(options));
  const { signal } = options;
  const nodes = await client.coreV1.nodes().listAll({ signal }).toList();
  const allocatable = new Map(
    nodes.items.map(({ metadata, status }) => [metadata.name, usageOf(status?.allocatable)]),
  );
  return items.map(({ metadata: { name }, usage }) => ({
    name,
    ...usageOf(usage),
    allocatable: allocatable.get(name),
  }));
}

function podUsage({ metadata = {}, containers }: PodMetrics): PodUsage {
  const { name = '', namespace = '', labels = {} } = metadata;
  const each = containers.map((container) => ({
    name: container.name,
    ...usageOf(container.usage),
  }));
  const sum = (pick: (usage: Usage) => number): number =>
    each.reduce((total, usage) => total + pick(usage), 0);
  return {
    name,
    namespace,
    labels,
    cpu: sum(({ cpu }) => cpu),
    memory: sum(({ memory }) => memory),
    containers: each,
  };
}

function usageOf(amounts: Readonly<Record<string, Quantity>> = {}): Usage {
  const { cpu = '0', memory = '0' } = amounts;
  return { cpu: numberOf(cpu), memory: numberOf(memory) };
}

function numberOf(quantity: Quantity): number {
  return parseQuantity(quantity).toNumber();
}

async function available<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error) && !isServiceUnavailable(error)) throw error;
    const message = 'the server has no metrics of metrics.k8s.io/v1beta1';
    throw new OperationsError('OPERATIONS_METRICS_UNAVAILABLE', message, { cause: error });
  }
}
