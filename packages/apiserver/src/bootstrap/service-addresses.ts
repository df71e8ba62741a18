import type { Service } from 'client-ts/api/core/v1';
import type { IPAddress } from 'client-ts/api/networking/v1';
import { type DeepReadonly, formatTime } from 'client-ts/meta';

import { OwnWrites } from '../controllers/own-writes.ts';
import { DirtySet } from '../controllers/dirty-set.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';
import type { StoredObject, StoreEvent } from '../store/store.ts';
import { parseIP } from '../validation/ip.ts';

const API_VERSION = 'networking.k8s.io/v1';
const SERVICES = '//services/';
const ADDRESSES = '/networking.k8s.io/ipaddresses/';
const FAMILY = 'ipaddress.kubernetes.io/ip-family';
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';

/** Creates the ServiceCIDR of the range that cluster IPs are allocated from. */
export function createServiceCidr(cluster: Cluster): void {
  const range: ApiObject = {
    kind: 'ServiceCIDR',
    apiVersion: API_VERSION,
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [...cluster.allocators.serviceCIDRs] },
  };
  const writes = new OwnWrites(cluster, 'kube-apiserver');
  if (writes.find(range) !== undefined) return;
  writes.create(range);
  new OwnWrites(cluster, 'kubernetes-service-cidr-controller').apply(
    {
      kind: 'ServiceCIDR',
      apiVersion: API_VERSION,
      metadata: { name: 'kubernetes' },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            lastTransitionTime: formatTime(cluster.clock.now()),
            message: 'Kubernetes default Service CIDR is ready',
          },
        ],
      },
    },
    'status',
  );
}

/**
 * Keeps an IPAddress for every cluster IP. It exists as soon as the write of its Service is
 * answered, and comes back if it is deleted before the Service.
 */
export class ServiceAddresses implements Disposable {
  readonly #cluster: Cluster;
  readonly #writes: OwnWrites;
  readonly #dirty: DirtySet;
  readonly #subscriptions: readonly Disposable[];

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#writes = new OwnWrites(cluster, 'kube-apiserver');
    const process = (key: string): void => this.#repair(key);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    this.#subscriptions = [
      cluster.store.subscribe(SERVICES, (event) => this.#follow(event)),
      cluster.store.subscribe(ADDRESSES, (event) => {
        if (event.entry === undefined) this.#dirty.add(serviceKeyOf(event.previous.value));
      }),
    ];
    for (const { value } of cluster.store.range({ prefix: SERVICES })) this.#createFor(value);
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow({ entry, previous }: StoreEvent): void {
    const kept = new Set(addressesOf(entry?.value));
    for (const address of addressesOf(previous?.value)) {
      if (!kept.has(address)) this.#writes.delete(ipAddress(address));
    }
    if (entry !== undefined) this.#createFor(entry.value);
  }

  #createFor(service: StoredObject): void {
    const { namespace = '', name = '' } = service.metadata ?? {};
    for (const address of addressesOf(service)) {
      this.#writes.create(ipAddress(address, { namespace, name }));
    }
  }

  #repair(key: string): void {
    const service = this.#cluster.store.get(key);
    if (service !== undefined) this.#createFor(service.value);
  }
}

function addressesOf(service: StoredObject | undefined): readonly string[] {
  const { clusterIPs = [] } = (service as DeepReadonly<Service> | undefined)?.spec ?? {};
  return clusterIPs.filter((address) => address !== 'None' && address !== '');
}

const NONE = { namespace: '', name: '' };

function serviceKeyOf(address: StoredObject): string {
  const { namespace = '', name } = (address as DeepReadonly<IPAddress>).spec?.parentRef ?? NONE;
  return `${SERVICES}${namespace}/${name}`;
}

function ipAddress(
  address: string,
  service: { readonly namespace: string; readonly name: string } = { namespace: '', name: '' },
): ApiObject {
  return {
    kind: 'IPAddress',
    apiVersion: API_VERSION,
    metadata: {
      name: address,
      labels: { [FAMILY]: parseIP(address)?.family ?? 'IPv4', [MANAGED_BY]: ALLOCATOR },
    },
    spec: { parentRef: { resource: 'services', ...service } },
  };
}
