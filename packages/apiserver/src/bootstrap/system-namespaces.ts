import { DirtySet } from '../controllers/dirty-set.ts';
import { OwnWrites } from '../controllers/own-writes.ts';
import type { Cluster } from '../registry/cluster.ts';

const PREFIX = '//namespaces/';

/** The namespaces of every cluster. */
const SYSTEM_NAMESPACES: readonly string[] = [
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
];

/** Creates the namespaces of the system that do not exist. */
export function createSystemNamespaces(cluster: Cluster): void {
  const writes = new OwnWrites(cluster, 'kube-apiserver');
  for (const name of SYSTEM_NAMESPACES) {
    writes.create({
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    });
  }
}

/** Creates a namespace of the system again after it was deleted. */
export class SystemNamespaces implements Disposable {
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    const process = (): void => createSystemNamespaces(cluster);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    this.#subscription = cluster.store.subscribe(PREFIX, ({ entry, previous }) => {
      const name = previous?.value.metadata?.name ?? '';
      if (entry === undefined && SYSTEM_NAMESPACES.includes(name)) this.#dirty.add(name);
    });
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }
}
