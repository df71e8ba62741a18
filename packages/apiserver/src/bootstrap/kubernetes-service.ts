import { isIPv6 } from 'node:net';

import type { Endpoints, Service } from 'client-ts/api/core/v1';
import type { EndpointSlice } from 'client-ts/api/discovery/v1';
import { jsonEqual } from 'client-ts/internal';
import type { DeepReadonly } from 'client-ts/meta';

import { OwnWrites } from '../controllers/own-writes.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';

/** Where clients reach this server. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const NAME = 'kubernetes';
const NAMESPACE = 'default';
const DEFAULT_PORT = 6443;

/** Creates the Service `kubernetes`, with the first address of the service range. */
export function createKubernetesService(cluster: Cluster): void {
  new OwnWrites(cluster, 'kube-apiserver').create({
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: NAME,
      namespace: NAMESPACE,
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.1',
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: DEFAULT_PORT }],
    },
  });
}

/**
 * Lets the Service `kubernetes` lead to this server: sets its target port, and writes its Endpoints
 * and EndpointSlice. The address may be a loopback address, which clients cannot write.
 */
export function publishAddress(cluster: Cluster, { address, port }: ServerAddress): void {
  const writes = new OwnWrites(cluster, 'kube-apiserver');
  const reference = { apiVersion: 'v1', kind: 'Service', metadata: metadata() };
  const service = writes.find(reference) as DeepReadonly<Service> | undefined;
  if (service?.spec?.ports?.[0]?.targetPort !== port) {
    writes.update(reference, (copy) => setTargetPort(copy as unknown as Service, port), 'main');
  }
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  place<Endpoints>(writes, {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { ...metadata(), labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  place<EndpointSlice>(writes, {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { ...metadata(), labels: { 'kubernetes.io/service-name': NAME } },
    addressType: isIPv6(address) ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}

function metadata(): { readonly name: string; readonly namespace: string } {
  return { name: NAME, namespace: NAMESPACE };
}

function setTargetPort({ spec }: Service, port: number): void {
  for (const each of spec?.ports ?? []) each.targetPort = port;
}

/** Replaces an object of an earlier run that leads elsewhere. */
function place<T extends Endpoints | EndpointSlice>(writes: OwnWrites, wanted: T): void {
  const object = wanted as unknown as ApiObject;
  const stored = writes.find(object);
  if (stored !== undefined && isSame(stored as unknown as DeepReadonly<T>, wanted)) return;
  if (stored !== undefined) writes.delete(object);
  writes.place(object);
}

function isSame(
  { metadata: _, ...stored }: DeepReadonly<Endpoints | EndpointSlice>,
  { metadata: __, ...wanted }: Endpoints | EndpointSlice,
): boolean {
  return jsonEqual(stored, wanted);
}
