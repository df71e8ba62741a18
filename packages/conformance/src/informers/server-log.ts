import { type CachedObject, metaNamespaceKeyFunc } from 'client-ts/cache';
import { abortable, type Clock, Deferred, systemClock } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';
import { type CanList, type CanWatch } from 'client-ts/rest';
import { retryWatch } from 'client-ts/wait';

import { isOlder, type LogEntry, stateOf } from './history.ts';

/**
 * The writes of a server to one resource, from the start of the log. It is read by an undisturbed
 * watch, which fails if it could have missed something.
 */
export class ServerLog implements AsyncDisposable {
  /** In the order of the server; first the state when the log started. */
  readonly entries: LogEntry[];
  #version: string;
  #arrival = new Deferred();
  #failure: Error | undefined;
  readonly #stop = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  private constructor(objects: readonly CachedObject[], version: string) {
    this.entries = objects
      .map((object) => entryOf('put', object))
      .toSorted(({ state: left }, { state: right }) =>
        isOlder(left.version, right.version) ? -1 : 1,
      );
    this.#version = version;
  }

  static async start<T extends KubernetesObject>(
    resource: CanList<T> & CanWatch<T>,
    clock: Clock = systemClock,
  ): Promise<ServerLog> {
    const { items, metadata } = await resource.list();
    const log = new ServerLog(items, metadata.resourceVersion);
    log.#reading = log.#read(resource, clock);
    return log;
  }

  /** The version that the log has reached. */
  get version(): string {
    return this.#version;
  }

  /** Resolves when the log has reached a version, which must be that of an entry. */
  async reached(
    version: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    while (isOlder(this.#version, version)) {
      if (this.#failure !== undefined) throw this.#failure;
      await abortable(this.#arrival.promise, signal);
    }
  }

  /** Returns the entries and clears the log. */
  take(): LogEntry[] {
    return this.entries.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }

  async #read<T extends KubernetesObject>(resource: CanWatch<T>, clock: Clock): Promise<void> {
    const { signal } = this.#stop;
    try {
      const events = retryWatch(resource, { resourceVersion: this.#version, signal, clock });
      for await (const { type, object } of events) this.#take(type, object);
    } catch (error) {
      if (!signal.aborted)
        this.#failure = new Error('the watch of the server log broke off', { cause: error });
    }
    this.#wake();
  }

  #take(type: string, object: CachedObject): void {
    const entry = entryOf(type === 'DELETED' ? 'delete' : 'put', object);
    this.entries.push(entry);
    this.#version = entry.state.version;
    this.#wake();
  }

  #wake(): void {
    this.#arrival.resolve();
    this.#arrival = new Deferred();
  }
}

function entryOf(type: LogEntry['type'], object: CachedObject): LogEntry {
  return { type, key: metaNamespaceKeyFunc(object), state: stateOf(object) };
}
