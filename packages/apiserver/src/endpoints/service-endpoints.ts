import type { Endpoints, Pod, Service, ServicePort } from 'client-ts/api/core/v1';
import type { EndpointSlice } from 'client-ts/api/discovery/v1';
import { getKey } from 'client-ts/internal';
import { newNotFound, newServiceUnavailable } from 'client-ts/meta';

import type { StoredObject } from '../store/store.ts';
import type { Core } from './exchange.ts';

/** The service of a proxy request. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  /** The number or the name of a port of the service; empty for the port without a name. */
  readonly port: string;
  /** The name as in the request, for messages. */
  readonly id: string;
}

/** A pod of a service, and its port. */
export interface ServiceEndpoint {
  readonly pod: Pod;
  readonly port: number;
}

/** The label of an EndpointSlice with the name of its service. */
const SERVICE_NAME = 'kubernetes.io/service-name';

/**
 * Returns a ready pod behind a service: from its Endpoints, as a real server; otherwise from its
 * EndpointSlices; otherwise, because no controller writes them, one that its selector selects. Only
 * pods are endpoints: a proxy must not lead elsewhere. Throws the errors of a real server.
 */
export function endpointOf(
  core: Core,
  { namespace, name, port, id }: ServiceName,
): ServiceEndpoint {
  const service = find(core, '', 'services', namespace, name) as Service | undefined;
  const ports = service?.spec?.ports ?? [];
  const isNumber = /^\d+$/.test(port);
  const wanted = ports.find((one) =>
    isNumber ? one.port === Number(port) : (one.name ?? '') === port,
  );
  const endpoints = find(core, '', 'endpoints', namespace, name) as Endpoints | undefined;
  if (service === undefined && (isNumber || endpoints === undefined)) {
    throw newNotFound({ group: '', resource: 'services' }, name);
  }
  if (wanted === undefined && isNumber) {
    throw newServiceUnavailable(`no service port ${Number(port)} found for service "${name}"`);
  }
  const portName = isNumber ? (wanted?.name ?? '') : port;
  const pods = list(core, '', 'pods', namespace) as Pod[];
  const slices = (
    list(core, 'discovery.k8s.io', 'endpointslices', namespace) as EndpointSlice[]
  ).filter(({ metadata }) => getKey(metadata?.labels ?? {}, SERVICE_NAME) === name);
  const found =
    endpoints !== undefined
      ? subsetEndpoints(endpoints, pods, portName)
      : slices.length > 0
        ? sliceEndpoints(slices, pods, portName)
        : selectedEndpoints(service, pods, wanted);
  const endpoint = found[Math.floor(core.random.next() * found.length)];
  if (endpoint !== undefined) return endpoint;
  const isEmpty =
    endpoints === undefined ? wanted !== undefined : (endpoints.subsets ?? []).length === 0;
  throw newServiceUnavailable(`no endpoints available for service "${isEmpty ? name : id}"`);
}

function find(
  core: Core,
  group: string,
  resource: string,
  namespace: string,
  name: string,
): StoredObject | undefined {
  return core.catalog.registry(group, resource)?.find(namespace, name)?.value;
}

function list(core: Core, group: string, resource: string, namespace: string): StoredObject[] {
  const registry = core.catalog.registry(group, resource);
  if (registry === undefined) return [];
  return core.store.range({ prefix: registry.prefix(namespace) }).map(({ value }) => value);
}

function named(pods: readonly Pod[], target: { readonly name?: string } | undefined): Pod[] {
  return pods.filter(({ metadata }) => metadata?.name === target?.name);
}

function subsetEndpoints(
  { subsets = [] }: Endpoints,
  pods: readonly Pod[],
  portName: string,
): ServiceEndpoint[] {
  return subsets.flatMap(({ ports = [], addresses = [] }) => {
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    if (port === undefined) return [];
    return addresses
      .flatMap(({ targetRef }) => named(pods, targetRef))
      .map((pod) => ({ pod, port }));
  });
}

function sliceEndpoints(
  slices: readonly EndpointSlice[],
  pods: readonly Pod[],
  portName: string,
): ServiceEndpoint[] {
  return slices.flatMap(({ ports, endpoints }) => {
    const port = ports?.find(({ name = '' }) => name === portName)?.port;
    if (port === undefined) return [];
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ targetRef }) => named(pods, targetRef))
      .map((pod) => ({ pod, port }));
  });
}

function selectedEndpoints(
  service: Service | undefined,
  pods: readonly Pod[],
  wanted: ServicePort | undefined,
): ServiceEndpoint[] {
  const selector = Object.entries(service?.spec?.selector ?? {});
  if (selector.length === 0 || wanted === undefined) return [];
  return pods
    .filter(isReady)
    .filter(({ metadata }) =>
      selector.every(([label, value]) => getKey(metadata?.labels ?? {}, label) === value),
    )
    .flatMap((pod) => {
      const port = targetPort(pod, wanted);
      return port === undefined ? [] : [{ pod, port }];
    });
}

function isReady({ metadata, status }: Pod): boolean {
  const isGoing = metadata?.deletionTimestamp !== undefined;
  return (
    !isGoing &&
    (status?.conditions ?? []).some((one) => one.type === 'Ready' && one.status === 'True')
  );
}

/** Returns the port of a pod that a service leads to, which may be the name of one. */
function targetPort(
  { spec }: Pod,
  { port, targetPort: target = port }: ServicePort,
): number | undefined {
  if (typeof target === 'number') return target;
  return (spec?.containers ?? [])
    .flatMap(({ ports = [] }) => ports)
    .find(({ name }) => name === target)?.containerPort;
}
