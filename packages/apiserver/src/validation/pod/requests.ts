// Upstream: staging/src/k8s.io/component-helpers/resource/helpers.go
import type * as core from 'client-ts/api/core/v1';
import { getKey, setKey } from 'client-ts/internal';
import { parseQuantity, type Quantity } from 'client-ts/meta';
import type { Loose } from '../loose.ts';
import { effectiveTotals } from './resources.ts';
import { addQuantities, isSupportedPodLevelResource, maxQuantity } from '../resources.ts';

type Pod = Loose<core.Pod>;
type Container = Loose<core.Container>;
type ContainerStatus = Loose<core.ContainerStatus>;
type List = Readonly<Record<string, Quantity>>;
type Part = 'limits' | 'requests';

/** Returns what a pod requests: its containers or the pod as a whole, and its overhead. */
export function podRequests(pod: Pod): List {
  const requests = totalsOf(pod, 'requests');
  for (const [name, amount] of Object.entries(pod.spec?.overhead ?? {})) {
    const before = getKey(requests, name);
    setKey(requests, name, before === undefined ? amount : addQuantities(before, amount));
  }
  return requests;
}

/** Returns the limits of a pod; the overhead raises those that are not zero. */
export function podLimits(pod: Pod): List {
  const limits = totalsOf(pod, 'limits');
  for (const [name, amount] of Object.entries(pod.spec?.overhead ?? {})) {
    const before = getKey(limits, name);
    if (before === undefined || parseQuantity(before).isZero) continue;
    setKey(limits, name, addQuantities(before, amount));
  }
  return limits;
}

/** Returns true if requests or limits are set for the pod as a whole. */
export function hasPodLevelResources({ spec }: Pod): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return Object.keys({ ...requests, ...limits }).some(isSupportedPodLevelResource);
}

function totalsOf(pod: Pod, part: Part): Record<string, Quantity> {
  const { spec = {} } = pod;
  const { containers = [], initContainers = [] } = spec;
  const resized = (container: Container): Container => resizedContainer(pod, container, part);
  const totals = effectiveTotals(
    {
      containers: containers.map(resized),
      initContainers: initContainers.map((one) =>
        one.restartPolicy === 'Always' ? resized(one) : one,
      ),
    },
    part,
  );
  for (const [name, amount] of Object.entries(spec.resources?.[part] ?? {})) {
    if (isSupportedPodLevelResource(name)) setKey(totals, name, amount);
  }
  return totals;
}

/** Returns a container with what it holds until a running resize is done. */
function resizedContainer(pod: Pod, container: Container, part: Part): Container {
  const status = statusOf(pod, container.name ?? '');
  if (status?.resources === undefined) return container;
  const wanted = isResizeInfeasible(pod) ? {} : (container.resources?.[part] ?? {});
  const allocated = part === 'requests' ? (status.allocatedResources ?? {}) : {};
  const amounts = maxOfEach([wanted, status.resources[part] ?? {}, allocated]);
  return { ...container, resources: { ...container.resources, [part]: amounts } };
}

function statusOf({ status = {} }: Pod, name: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  return [...initContainerStatuses, ...containerStatuses].findLast((one) => one.name === name);
}

function isResizeInfeasible({ status }: Pod): boolean {
  const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending');
  return pending?.reason === 'Infeasible';
}

function maxOfEach(lists: readonly List[]): List {
  const most: Record<string, Quantity> = {};
  for (const [name, amount] of lists.flatMap((list) => Object.entries(list))) {
    const before = getKey(most, name);
    setKey(most, name, before === undefined ? amount : maxQuantity(before, amount));
  }
  return most;
}
