import { type ConfigMap, configMaps } from 'client-ts/api/core/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  type Reconcile,
  type ReconcileError,
  runController,
  setControllerReference,
  terminal,
} from 'client-ts/controller';
import { type Cached, SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import { isAlreadyExists, isControlledBy } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

/**
 * A minimal controller: each ConfigMap with the label `mirror` gets a copy that it owns and keeps
 * in sync. Data with the key `nonsense` is a terminal error.
 */
export class Mirror implements AsyncDisposable {
  readonly errors: ReconcileError[] = [];
  /** Keys in the order in which they were reconciled. */
  readonly looks: string[] = [];
  readonly #client: Clientset;
  readonly #stop = new AbortController();
  readonly #originals;
  readonly #copies;
  readonly ended: Promise<void>;

  constructor(client: Clientset, namespace: string) {
    this.#client = client;
    const factory = new SharedInformerFactory(client, { namespace });
    this.#originals = factory.coreV1.configMaps({ labelSelector: 'mirror' });
    this.#copies = factory.coreV1.configMaps({ labelSelector: 'copy' });
    const queue = new RateLimitingQueue<string>();
    this.#originals.informer.addEventHandler(enqueueRequestForObject(queue));
    this.#copies.informer.addEventHandler(
      enqueueRequestForOwner(queue, configMaps, { onlyControllerOwner: true }),
    );
    this.ended = runController({
      informers: [this.#originals.informer, this.#copies.informer],
      queue,
      workers: 2,
      signal: this.#stop.signal,
      onError: (error) => this.errors.push(error),
      reconcile: this.#reconcile,
    });
    this.ended.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }

  readonly #reconcile: Reconcile<string> = async (key, { signal }) => {
    this.looks.push(key);
    const { namespace } = splitMetaNamespaceKey(key);
    const original = this.#originals.informer.indexer.getByKey(key);
    if (original === undefined) return;
    if (original.data?.['nonsense'] !== undefined) throw terminal(new Error('that is nonsense'));
    const maps = this.#client.coreV1.configMaps(namespace);
    const wanted = copyOf(original);
    const there = this.#copies.informer.indexer.getByKey(`${key}-copy`);
    if (there === undefined) {
      await maps.create(wanted, { signal }).catch(unlessThere);
      return;
    }
    if (!isControlledBy(there, original)) throw new Error(`${key}-copy is not ours`);
    if (JSON.stringify(there.data) === JSON.stringify(wanted.data)) return;
    const { resourceVersion } = there.metadata;
    const metadata = { ...wanted.metadata, resourceVersion };
    await maps.update({ ...wanted, metadata }, { signal });
  };
}

function copyOf(original: Cached<ConfigMap>): ConfigMap & { metadata: object } {
  const metadata = { name: `${original.metadata.name}-copy`, labels: { copy: 'yes' } };
  return setControllerReference(original, { metadata, data: { ...original.data } }, configMaps);
}

function unlessThere(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
