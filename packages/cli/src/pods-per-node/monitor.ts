import type { Pod } from 'client-ts/api/core/v1';
import { ListWatch, podNodeNameIndexFunc, SharedIndexInformer } from 'client-ts/cache';
import type { Clock } from 'client-ts/internal';
import type { DeepReadonly } from 'client-ts/meta';
import { Clientset } from 'client-ts/kubernetes';
import type { Config } from 'client-ts/transport';

import type { NodeCount } from './bars.ts';

type CachedPod = DeepReadonly<Pod>;

/** Options of a {@link PodMonitor}. */
export interface MonitorOptions {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string | undefined;
  readonly clock: Clock;
  /** Called with errors of the connection, which is retried. */
  readonly onError: (error: unknown) => void;
}

/** Completed pods are not requested. */
const running = 'status.phase!=Succeeded,status.phase!=Failed';

const indexers = {
  /** Pending pods are under the empty string. */
  nodeName: (pod: CachedPod): readonly string[] =>
    (pod.spec?.nodeName ?? '') === '' ? [''] : podNodeNameIndexFunc(pod),
};

/** Counts the active pods of each node, from an index that a watch keeps current. */
export class Monitor implements AsyncDisposable {
  readonly #client: Clientset;
  readonly #informer: SharedIndexInformer<CachedPod, typeof indexers>;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(config: Config, options: MonitorOptions) {
    const { namespace, labelSelector, clock, onError } = options;
    this.#client = new Clientset(config);
    const pods = this.#client.coreV1.pods(namespace);
    const selection = {
      fieldSelector: running,
      ...(labelSelector !== undefined && { labelSelector }),
    };
    this.#informer = new SharedIndexInformer<CachedPod, typeof indexers>({
      name: 'pods',
      listerWatcher: new ListWatch(pods, selection),
      indexers,
      clock,
      onWatchError: ({ error }) => {
        if (this.#informer.hasSynced) onError(error);
      },
    });
  }

  /** Resolves when the cache has synced; rejects if the server is unreachable or refuses. */
  async start(signal: AbortSignal): Promise<void> {
    this.#running = this.#informer.run({ signal: this.#stop.signal });
    for await (const state of this.#informer.stateChanges({ signal })) {
      if (state.state === 'live') return;
      if ('error' in state) throw state.error;
    }
    signal.throwIfAborted();
  }

  /** Calls back after every change, until disposed. */
  onChange(callback: () => void): void {
    this.#informer.addEventHandler({ onAdd: callback, onUpdate: callback, onDelete: callback });
  }

  /** The current counts, unsorted, from memory. */
  counts(): NodeCount[] {
    const { indexer } = this.#informer;
    return indexer
      .listIndexFuncValues('nodeName')
      .map((node) => ({ node, pods: indexer.countByIndex('nodeName', node) }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#client[Symbol.asyncDispose]();
  }
}
