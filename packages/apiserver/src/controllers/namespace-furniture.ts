import { getKey, jsonEqual, setKey } from 'client-ts/internal';

import type { Cluster } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';
import type { StoredObject } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';
import { OwnWrites } from './own-writes.ts';

const NAMESPACES = '//namespaces/';

/** The object that belongs into every namespace. */
interface Furniture {
  /** The key prefix of its resource: `//serviceaccounts/`. */
  readonly prefix: string;
  readonly name: string;
  /** Returns a new one for a namespace. */
  readonly object: (namespace: string) => ApiObject;
  /** The fields that are restored when a client changes them. */
  readonly fixed?: readonly string[];
}

/**
 * Keeps one object in every active namespace: creates it with the namespace, and again when it is
 * deleted. The namespaces that exist at the start have it when the constructor returns.
 */
class NamespaceFurniture implements Disposable {
  readonly #cluster: Cluster;
  readonly #furniture: Furniture;
  readonly #writes: OwnWrites;
  readonly #dirty: DirtySet;
  readonly #subscriptions: readonly Disposable[];

  constructor(cluster: Cluster, furniture: Furniture, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#furniture = furniture;
    this.#writes = new OwnWrites(cluster, 'kube-controller-manager');
    const process = (namespace: string): void => this.#furnish(namespace);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    const { store } = cluster;
    for (const { value } of store.range({ prefix: NAMESPACES })) {
      this.#furnish(value.metadata?.name ?? '');
    }
    this.#subscriptions = [
      store.subscribe(NAMESPACES, ({ entry }) => {
        if (entry !== undefined) this.#dirty.add(entry.value.metadata?.name ?? '');
      }),
      store.subscribe(furniture.prefix, ({ entry, previous }) => {
        const { namespace = '', name } = (entry ?? previous).value.metadata ?? {};
        if (name === furniture.name) this.#dirty.add(namespace);
      }),
    ];
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #furnish(namespace: string): void {
    const { store } = this.#cluster;
    const { fixed = [], object, prefix, name } = this.#furniture;
    const home = store.get(NAMESPACES + namespace)?.value;
    if (home === undefined || home.metadata?.deletionTimestamp !== undefined) return;
    const stored: StoredObject | undefined = store.get(`${prefix}${namespace}/${name}`)?.value;
    const wanted = object(namespace);
    if (stored === undefined) return this.#writes.create(wanted);
    const current = stored as unknown as Readonly<Record<string, unknown>>;
    if (fixed.every((field) => jsonEqual(getKey(current, field), getKey(wanted, field)))) return;
    this.#writes.update(
      wanted,
      (copy) => {
        for (const field of fixed) setKey(copy, field, getKey(wanted, field));
      },
      'main',
    );
  }
}

/** Keeps the ServiceAccount `default` in every namespace. */
export function keepServiceAccounts(
  cluster: Cluster,
  onError: (error: unknown) => void,
): Disposable {
  const object = (namespace: string): ApiObject => ({
    kind: 'ServiceAccount',
    apiVersion: 'v1',
    metadata: { name: 'default', namespace },
  });
  return new NamespaceFurniture(
    cluster,
    { prefix: '//serviceaccounts/', name: 'default', object },
    onError,
  );
}

/** Keeps the ConfigMap with the CA of the server in every namespace. */
export function keepRootCertificates(
  cluster: Cluster,
  certificate: string,
  onError: (error: unknown) => void,
): Disposable {
  const name = 'kube-root-ca.crt';
  const object = (namespace: string): ApiObject => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace, annotations: { 'kubernetes.io/description': DESCRIPTION } },
    data: { 'ca.crt': certificate },
  });
  return new NamespaceFurniture(
    cluster,
    { prefix: '//configmaps/', name, object, fixed: ['data'] },
    onError,
  );
}

const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';
