import type { Pod } from 'client-ts/api/core/v1';
import { ListWatch, podNodeNameIndexFunc, SharedIndexInformer } from 'client-ts/cache';
import type { Clock } from 'client-ts/internal';
import type { DeepReadonly } from 'client-ts/meta';
import { Clientset } from 'client-ts/kubernetes';
import type { Config } from 'client-ts/transport';

import type { NodeCount } from './bars.ts';

type CachedPod = DeepReadonly<Pod>;

/** Which pods are counted. */
export interface MonitorOptions {
  /** The empty string is everywhere. */
  readonly namespace: string;
  readonly labelSelector: string | undefined;
  readonly clock: Clock;
  /** Told of connections that were lost and of servers that could not be reached. */
  readonly onTrouble: (error: unknown) => void;
}

/** Pods that have ended are never sent: they use nothing of their node any more. */
const running = 'status.phase!=Succeeded,status.phase!=Failed';

const indexers = {
  /** Pods that wait for a node are found under the empty string. */
  nodeName: (pod: CachedPod): readonly string[] =>
    (pod.spec?.nodeName ?? '') === '' ? [''] : podNodeNameIndexFunc(pod),
};

/**
 * Counts the running and pending pods of each node, out of an index that one watch keeps up to
 * date: to count is to read memory, however often it is done.
 */
export class Monitor implements AsyncDisposable {
  readonly #client: Clientset;
  readonly #informer: SharedIndexInformer<CachedPod, typeof indexers>;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(config: Config, options: MonitorOptions) {
    const { namespace, labelSelector, clock, onTrouble } = options;
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
        if (this.#informer.hasSynced) onTrouble(error);
      },
    });
  }

  /** Resolves when all pods are known; rejects if the server cannot be reached or refuses. */
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

  /** The counts as they are now, in no particular order. Asks nobody. */
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
