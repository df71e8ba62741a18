import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

import type { StoreEvent } from '../store/store.ts';
import { memoryTransport } from '../transport/memory.ts';
import { Backend, type BackendOptions } from './backend.ts';

/** A write to a {@link MemoryApiServer}. */
export interface StoredWrite {
  /** The resourceVersion of the write. */
  readonly revision: number;
  readonly group: string;
  /** The plural: `pods`. */
  readonly resource: string;
  /** Empty for objects that are in no namespace. */
  readonly namespace: string;
  readonly name: string;
  /** The object after the write; undefined for a deletion. */
  readonly object: DeepReadonly<KubernetesObject> | undefined;
  /** The object before the write; undefined for a creation. */
  readonly previous: DeepReadonly<KubernetesObject> | undefined;
}

/**
 * The embedded server without sockets: it opens no port and makes no certificate, and everything it
 * does follows from its requests, its clock and its random source. `simulate` of `client-ts/testing`
 * runs on it.
 *
 * Its objects and writes can be read without a request, which neither takes time nor fails.
 */
export class MemoryApiServer implements Disposable {
  readonly #backend: Backend;

  constructor(options: BackendOptions = {}) {
    this.#backend = new Backend(options);
  }

  /** The resourceVersion of the newest write. */
  get revision(): number {
    return this.#backend.core.store.revision;
  }

  /** Returns a transport whose requests carry `token` (default: the administrator's). */
  transport(options: { readonly token?: string | undefined } = {}): Transport {
    const { handler, token } = this.#backend;
    return memoryTransport(handler, { token: options.token ?? token });
  }

  /** Calls `listener` synchronously with each write, in order. */
  onWrite(listener: (write: StoredWrite) => void): Disposable {
    return this.#backend.core.store.subscribe('/', (event) => listener(storedWrite(event)));
  }

  /** Returns all objects of a resource, in the order of their keys. They are frozen. */
  objects({
    group,
    resource,
  }: {
    readonly group: string;
    readonly resource: string;
  }): readonly DeepReadonly<KubernetesObject>[] {
    const entries = this.#backend.core.store.range({ prefix: `/${group}/${resource}/` });
    return entries.map(({ value }) => value);
  }

  /** Compacts all history: lists and watches from older versions fail with 410. */
  compact(): void {
    this.#backend.core.store.compact();
  }

  /** Cancels every timer of the server. */
  [Symbol.dispose](): void {
    this.#backend[Symbol.dispose]();
  }
}

function storedWrite({ revision, entry, previous }: StoreEvent): StoredWrite {
  const key = entry?.key ?? previous?.key ?? '';
  const [, group = '', resource = '', ...path] = key.split('/');
  const [name = '', namespace = ''] = path.toReversed();
  return {
    revision,
    group,
    resource,
    namespace,
    name,
    object: entry?.value,
    previous: previous?.value,
  };
}
