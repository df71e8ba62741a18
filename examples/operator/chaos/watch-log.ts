import type { Clientset } from 'client-ts';
import type { Lease } from 'client-ts/api/coordination/v1';
import type { Pod } from 'client-ts/api/core/v1';
import { compareResourceVersions, type KubernetesObject } from 'client-ts/meta';
import { type CanList, type CanWatch, type Stored } from 'client-ts/rest';
import { retryWatch } from 'client-ts/wait';

import { type WebSet, webSets } from '../web-set.ts';

type Change<Kind extends string, T extends KubernetesObject> = {
  readonly kind: Kind;
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly object: Stored<T>;
};

/** A change on the server. */
export type LoggedChange = Change<'Lease', Lease> | Change<'Pod', Pod> | Change<'WebSet', WebSet>;

/**
 * Records all changes of pods, WebSets and Leases of a namespace. Each kind has its own watch; the
 * resource versions come from one store, so they put all changes into one order.
 */
export class WatchLog implements AsyncDisposable {
  readonly #changes: LoggedChange[] = [];
  readonly #stop = new AbortController();
  #following: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /** Starts; existing objects count as added. */
  static async start(client: Clientset, namespace: string): Promise<WatchLog> {
    const log = new WatchLog();
    const following = [
      await log.#follow('Lease', client.coordinationV1.leases(namespace)),
      await log.#follow('WebSet', client.resource(webSets, namespace)),
      await log.#follow('Pod', client.coreV1.pods(namespace)),
    ];
    log.#following = Promise.all(following.map(({ ended }) => ended));
    return log;
  }

  /** Returns all changes so far in the order of the server. Throws if some are missing. */
  get changes(): readonly LoggedChange[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#changes.toSorted((left, right) =>
      compareResourceVersions(
        left.object.metadata.resourceVersion,
        right.object.metadata.resourceVersion,
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow<Kind extends LoggedChange['kind'], T extends KubernetesObject>(
    kind: Kind,
    client: CanList<T> & CanWatch<T>,
  ): Promise<{ readonly ended: Promise<void> }> {
    const add = (type: LoggedChange['type'], object: Stored<T>): void => {
      this.#changes.push({ kind, type, object } as unknown as LoggedChange);
    };
    const { items, metadata } = await client.list();
    for (const item of items) add('ADDED', item);
    const { resourceVersion } = metadata;
    const events = retryWatch(client, { resourceVersion, signal: this.#stop.signal });
    const read = async (): Promise<void> => {
      for await (const { type, object } of events) add(type, object);
    };
    return { ended: read().catch((error: unknown) => void (this.#failure ??= { error })) };
  }
}
