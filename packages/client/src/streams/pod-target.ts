import { daemonSets, deployments, replicaSets, statefulSets } from '../api/apps/v1.ts';
import { jobs } from '../api/batch/v1.ts';
import { type Pod, type PodList, pods, type Service, services } from '../api/core/v1.ts';
import { labelMatcherFromSet, labelSelectorAsSelector } from '../meta/labels.ts';
import type { GroupVersionResource } from '../meta/resource.ts';
import type { KubernetesObject, LabelSelector } from '../meta/types.ts';
import type { SendOptions } from '../rest/request.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import type { PodReference } from './exec.ts';
import { compareForExec, compareForLogs } from './pod-order.ts';
import { StreamsError } from './streams-error.ts';

/** The kinds that have pods. */
export type ForwardKind =
  | 'DaemonSet'
  | 'Deployment'
  | 'Job'
  | 'Pod'
  | 'ReplicaSet'
  | 'Service'
  | 'StatefulSet';

const RESOURCES: Readonly<Record<ForwardKind, GroupVersionResource>> = {
  DaemonSet: daemonSets,
  Deployment: deployments,
  Job: jobs,
  Pod: pods,
  ReplicaSet: replicaSets,
  Service: services,
  StatefulSet: statefulSets,
};

/** What a connection can be forwarded to: a pod, or one of the pods behind something else. */
export interface ForwardTarget extends PodReference {
  /** Default `Pod`. */
  readonly kind?: ForwardKind | undefined;
}

/** The pod that a target stands for now. */
export interface ResolvedTarget {
  readonly pod: Pod;
  /** The Service, whose ports are not those of the pod. */
  readonly service: Service | undefined;
}

/**
 * Returns the pod of a target: for anything but a pod a running one that its selector selects, the
 * one that kubectl would choose: ready, for the longest time, with the fewest restarts. Rejects with
 * `STREAMS_NO_POD` if there is none.
 */
export async function resolveTarget(
  rest: RESTClient,
  target: ForwardTarget,
  options: SendOptions,
): Promise<ResolvedTarget> {
  const { kind = 'Pod', namespace, name } = target;
  const read = <T extends object>(resource: GroupVersionResource): Promise<T> =>
    rest.get().resource(resource).namespace(namespace).name(name).into<T>(options);
  if (kind === 'Pod') return { pod: await read<Pod>(pods), service: undefined };
  const object = await read<KubernetesObject & HasSelector>(RESOURCES[kind]);
  const items = await podsOf(rest, namespace, selectorOf(object, target), options);
  const running = items.filter((pod) => pod.status?.phase === 'Running' && !isDeleted(pod));
  const [pod] = running.toSorted(compareForExec);
  if (pod === undefined) throw noPod(target, `none of its ${items.length} pods is running`);
  return { pod, service: kind === 'Service' ? (object as Service) : undefined };
}

/**
 * Returns the pods of a target, first the one whose logs kubectl prints: it need not run. Rejects with
 * `STREAMS_NO_POD` if there is none.
 */
export async function podsForLogs(
  rest: RESTClient,
  target: ForwardTarget,
  options: SendOptions = {},
): Promise<Pod[]> {
  const { kind = 'Pod', namespace, name } = target;
  if (kind === 'Pod') {
    const request = rest.get().resource(pods).namespace(namespace).name(name);
    return [await request.into<Pod>(options)];
  }
  const items = await podsOf(rest, namespace, await podSelectorOf(rest, target, options), options);
  if (items.length === 0) throw noPod(target, 'it has none');
  return items.toSorted(compareForLogs);
}

/** Returns the label selector of the pods of a Service or workload. */
export async function podSelectorOf(
  rest: RESTClient,
  target: ForwardTarget,
  options: SendOptions = {},
): Promise<string> {
  const { kind = 'Pod', namespace, name } = target;
  if (kind === 'Pod') throw new StreamsError('STREAMS_OPTIONS', 'a pod has no selector of pods');
  const request = rest.get().resource(RESOURCES[kind]).namespace(namespace).name(name);
  return selectorOf(await request.into<KubernetesObject & HasSelector>(options), target);
}

async function podsOf(
  rest: RESTClient,
  namespace: string,
  labelSelector: string,
  options: SendOptions,
): Promise<readonly Pod[]> {
  const list = rest.get().resource(pods).namespace(namespace).params({ labelSelector });
  return (await list.into<PodList>(options)).items;
}

/**
 * Returns the pod that a target stands for: itself, or of anything else a running one, ready if
 * possible. Rejects with `STREAMS_NO_POD` if there is none.
 */
export async function resolvePod(
  rest: RESTClient,
  target: ForwardTarget,
  options: SendOptions = {},
): Promise<Pod> {
  return (await resolveTarget(rest, target, options)).pod;
}

/** Returns the number of a port of the pod: by number, or by the name of a container's port. */
export function resolvePort({ pod, service }: ResolvedTarget, port: number | string): number {
  const target = service === undefined ? port : servicePort(service, port);
  if (typeof target === 'number') return target;
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const found = containers
    .flatMap((container) => container.ports ?? [])
    .find(({ name }) => name === target);
  if (found === undefined) {
    const message = `the pod ${pod.metadata?.name} has no port ${JSON.stringify(target)}`;
    throw new StreamsError('STREAMS_OPTIONS', message);
  }
  return found.containerPort;
}

function servicePort(service: Service, port: number | string): number | string {
  const { ports = [], clusterIP } = service.spec ?? {};
  const found = ports.find((one) => one.port === port || one.name === port);
  if (found === undefined) {
    const message = `the Service ${service.metadata?.name} has no port ${JSON.stringify(port)}`;
    throw new StreamsError('STREAMS_OPTIONS', message);
  }
  // Clients of a headless Service connect to the pods themselves.
  if (clusterIP === 'None') return found.port;
  const { targetPort = found.port } = found;
  return targetPort === 0 || targetPort === '' ? found.port : targetPort;
}

interface HasSelector {
  readonly spec?: { readonly selector?: LabelSelector | Readonly<Record<string, string>> };
}

function selectorOf({ spec }: HasSelector, target: ForwardTarget): string {
  const selector = spec?.selector;
  const matcher =
    target.kind === 'Service'
      ? labelMatcherFromSet(selector as Readonly<Record<string, string>> | undefined)
      : labelSelectorAsSelector(selector);
  if (matcher.isEmpty || !matcher.selectable) throw noPod(target, 'it has no selector');
  return String(matcher);
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function noPod({ kind = 'Pod', namespace, name }: ForwardTarget, why: string): StreamsError {
  const message = `the ${kind} ${namespace}/${name} has no pod to connect to: ${why}`;
  return new StreamsError('STREAMS_NO_POD', message);
}
