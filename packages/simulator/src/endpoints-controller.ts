import type { Endpoints, ServicePort } from 'client-ts/api/core/v1';
import { services } from 'client-ts/api/core/v1';
import type { EndpointSlice } from 'client-ts/api/discovery/v1';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestsFromMapFunc,
  setControllerReference,
} from 'client-ts/controller';
import { getKey } from 'client-ts/internal';
import { type DeepReadonly, isBeingDeleted } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { hash } from './chance.ts';
import {
  type CachedPod,
  type CachedService,
  type Cluster,
  isReady,
  type SimulatedController,
} from './cluster.ts';

const manager = 'endpointslice-controller';

/** In metrics, diagnostics and messages. */
const NAME = 'endpoints';

/** Maintains the EndpointSlice and the Endpoints of services that select pods. */
export function endpointsController(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  cache.services.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.pods.informer.addEventHandler(
    enqueueRequestsFromMapFunc(queue, (pod) =>
      cache.services.lister
        .namespace(pod.metadata.namespace ?? '')
        .list()
        .filter((service) => selects(service, pod))
        .map(metaNamespaceKeyFunc),
    ),
    { name: NAME },
  );

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const service = cache.services.lister.namespace(namespace).find(name);
      if (service === undefined || isBeingDeleted(service)) return;
      if (service.spec?.selector === undefined || service.spec.type === 'ExternalName') return;
      const pods = cache.pods.lister
        .namespace(namespace)
        .list()
        .filter((pod) => selects(service, pod) && pod.status?.podIP !== undefined)
        .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
        .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
      const options = { fieldManager: manager, force: true, signal };
      const slice = setControllerReference(service, sliceOf(service, pods), services);
      await client.discoveryV1.endpointSlices(namespace).apply(slice, options);
      const endpoints = setControllerReference(service, endpointsOf(service, pods), services);
      await client.coreV1.endpoints(namespace).apply(endpoints, options);
    },
  };
}

/** The name depends on the uid of the service, so that a new service gets a new slice. */
function sliceOf(
  service: CachedService,
  pods: readonly CachedPod[],
): EndpointSlice & { metadata: { name: string } } {
  const { name, uid } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${name}-${hash(uid).toString(36)}`,
      labels: {
        'kubernetes.io/service-name': name,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
    },
    addressType: 'IPv4',
    ports: portsOf(service, pods).map(({ name: portName, protocol, port }) => ({
      name: portName ?? '',
      protocol,
      port,
    })),
    endpoints: pods.map((pod) => {
      const ready = isReady(pod);
      const { nodeName } = pod.spec ?? {};
      return {
        addresses: [pod.status?.podIP ?? ''],
        conditions: {
          ready: ready && !isBeingDeleted(pod),
          serving: ready,
          terminating: isBeingDeleted(pod),
        },
        targetRef: referenceTo(pod),
        ...(nodeName !== undefined && { nodeName }),
      };
    }),
  };
}

function endpointsOf(
  service: CachedService,
  pods: readonly CachedPod[],
): Endpoints & { metadata: { name: string } } {
  const ports = portsOf(service, pods);
  const addresses = (wanted: boolean) =>
    pods
      .filter((pod) => !isBeingDeleted(pod) && isReady(pod) === wanted)
      .map((pod) => ({
        ip: pod.status?.podIP ?? '',
        targetRef: referenceTo(pod),
        ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
      }));
  const [ready, notReady] = [addresses(true), addresses(false)];
  const subset = {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ...(ports.length > 0 && { ports }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: service.metadata.name },
    ...(ready.length + notReady.length > 0 && { subsets: [subset] }),
  };
}

function referenceTo({ metadata: { name, namespace = '', uid } }: CachedPod) {
  return { kind: 'Pod', namespace, name, uid };
}

interface EndpointPort {
  readonly name?: string;
  readonly protocol: string;
  readonly port: number;
}

function portsOf({ spec }: CachedService, pods: readonly CachedPod[]): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = targetOf(port, pods);
    const { name, protocol = 'TCP' } = port;
    return number === undefined
      ? []
      : [{ ...(name !== undefined && { name }), protocol, port: number }];
  });
}

/** A named port is the one of the first pod that has it. */
function targetOf(
  { targetPort, port }: DeepReadonly<ServicePort>,
  pods: readonly CachedPod[],
): number | undefined {
  if (targetPort === undefined) return port;
  if (typeof targetPort === 'number') return targetPort;
  const all = pods.flatMap(({ spec }) =>
    (spec?.containers ?? []).flatMap(({ ports = [] }) => ports),
  );
  return all.find(({ name }) => name === targetPort)?.containerPort;
}

function selects({ spec }: CachedService, { metadata }: CachedPod): boolean {
  const selector = Object.entries(spec?.selector ?? {});
  return (
    selector.length > 0 &&
    selector.every(([key, value]) => getKey(metadata.labels ?? {}, key) === value)
  );
}
