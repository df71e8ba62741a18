import type { APIService } from 'client-ts/api/apiregistration/v1';
import { getKey } from 'client-ts/internal';
import type { GroupVersion } from 'client-ts/meta';

import { DirtySet } from '../controllers/dirty-set.ts';
import { OwnWrites } from '../controllers/own-writes.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';
import type { StoredObject } from '../store/store.ts';

const GROUP = 'apiregistration.k8s.io';
const PREFIX = `/${GROUP}/apiservices/`;
/** `onstart` for built-in group-versions, `true` for those of CRDs. */
const AUTO_MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** The priority of each built-in group, then of its versions, as Kubernetes has assigned them. */
const PRIORITIES: Readonly<Record<string, readonly [number, Readonly<Record<string, number>>]>> = {
  '': [18_000, { v1: 1 }],
  apps: [17_800, { v1: 15 }],
  'events.k8s.io': [17_750, { v1: 15 }],
  'authentication.k8s.io': [17_700, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'authorization.k8s.io': [17_600, { v1: 15 }],
  autoscaling: [17_500, { v2: 30, v1: 15 }],
  batch: [17_400, { v1: 15 }],
  'certificates.k8s.io': [17_300, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'networking.k8s.io': [17_200, { v1: 15, v1beta1: 9 }],
  policy: [17_100, { v1: 15 }],
  'rbac.authorization.k8s.io': [17_000, { v1: 15 }],
  'storage.k8s.io': [16_800, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'apiextensions.k8s.io': [16_700, { v1: 15 }],
  'admissionregistration.k8s.io': [16_700, { v1: 15, v1beta1: 12, v1alpha1: 9 }],
  'scheduling.k8s.io': [16_600, { v1: 15, v1alpha2: 2 }],
  'coordination.k8s.io': [16_500, { v1: 15, v1beta1: 13, v1alpha2: 12 }],
  'node.k8s.io': [16_300, { v1: 15 }],
  'resource.k8s.io': [16_200, { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 }],
  'discovery.k8s.io': [16_200, { v1: 15 }],
  'flowcontrol.apiserver.k8s.io': [16_100, { v1: 21 }],
  'internal.apiserver.k8s.io': [16_000, { v1alpha1: 9 }],
  'storagemigration.k8s.io': [15_800, { v1beta1: 9 }],
};

/** Creates the APIServices of the built-in group-versions. */
export function createApiServices(cluster: Cluster): void {
  const writes = new OwnWrites(cluster, 'kube-apiserver');
  for (const groupVersion of cluster.catalog.groupVersions()) {
    const service = localService(cluster, groupVersion);
    if (service !== undefined) writes.create(service);
  }
}

/**
 * Keeps an APIService for every group-version that this server serves itself: creates those of new
 * CRDs, restores what was changed or deleted, and deletes those whose last CRD is gone.
 */
export class ApiServiceRegistration implements Disposable {
  readonly #cluster: Cluster;
  readonly #writes: OwnWrites;
  readonly #dirty: DirtySet;
  readonly #subscriptions: readonly Disposable[];

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#writes = new OwnWrites(cluster, 'kube-apiserver');
    const process = (): void => this.#synchronize();
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    const check = (): void => this.#dirty.add('all');
    this.#subscriptions = [
      cluster.store.subscribe(PREFIX, check),
      cluster.catalog.subscribe(check),
    ];
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #synchronize(): void {
    const wanted = new Map<string, ApiObject>();
    for (const groupVersion of this.#cluster.catalog.groupVersions()) {
      const service = localService(this.#cluster, groupVersion);
      if (service !== undefined) wanted.set(service.metadata.name ?? '', service);
    }
    for (const { value } of this.#cluster.store.range({ prefix: PREFIX })) {
      const name = value.metadata?.name ?? '';
      const service = wanted.get(name);
      wanted.delete(name);
      if (service !== undefined) this.#restore(service, value);
      else if (value.metadata?.labels?.[AUTO_MANAGED] !== undefined) {
        this.#writes.delete({ ...reference, metadata: { name } });
      }
    }
    for (const service of wanted.values()) this.#writes.create(service);
  }

  /** An APIService without the label belongs to its author, who may serve the group elsewhere. */
  #restore(service: ApiObject, stored: StoredObject): void {
    const label = stored.metadata?.labels?.[AUTO_MANAGED];
    // Those of built-in versions are written at the start only; then they may be changed.
    if (label !== 'true') return;
    this.#writes.update(service, (copy) => (copy['spec'] = service['spec']), 'main');
  }
}

const reference = { apiVersion: `${GROUP}/v1`, kind: 'APIService' };

/** Returns the APIService of a group-version; undefined for the group of APIServices itself. */
function localService(
  { catalog }: Cluster,
  { group, version }: GroupVersion,
): ApiObject | undefined {
  if (group === GROUP) return undefined;
  const [groupPriorityMinimum, versions] = getKey(PRIORITIES, group) ?? [1000, {}];
  const isCustom = catalog.isCustomGroup(group);
  const spec: APIService['spec'] = {
    ...(group !== '' && { group }),
    version,
    groupPriorityMinimum,
    versionPriority: isCustom ? 100 : (getKey(versions, version) ?? 1),
  };
  return {
    ...reference,
    metadata: {
      name: `${version}.${group}`,
      labels: { [AUTO_MANAGED]: isCustom ? 'true' : 'onstart' },
    },
    spec,
  };
}
