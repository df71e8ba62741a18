import { Mailbox } from '../lib/mailbox.ts';
import { onAbort } from '../lib/signal.ts';
import { newResourceExpired } from '../meta/error-factories.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import type {
  ListAnswer,
  ListedEvent,
  ListedEvents,
  ListerWatcher,
  ListRequest,
  WatchRequest,
} from './list-watch.ts';
import { type TestObject, testObject } from './test-objects.ts';

/**
 * A server of one resource in a few lines: it keeps its history, lists in pages, watches from a
 * version and streams its state. Requests are recorded, and fail on demand.
 */
export class TestSource implements ListerWatcher<TestObject> {
  supportsWatchList = true;
  /** The requests, one line each: `list rv=0 limit=500`, `watch rv=5`, `stream rv=`. */
  readonly requests: string[] = [];
  /** Errors of the next requests, one each. */
  readonly listFailures: Error[] = [];
  readonly watchFailures: Error[] = [];
  /** Whether streams send the bookmark that ends the first state. */
  marksEnd = true;
  readonly #objects = new Map<string, TestObject>();
  readonly #history: { readonly version: number; readonly event: ListedEvent<TestObject> }[] = [];
  readonly #watches = new Set<Mailbox<ListedEvent<TestObject>>>();
  #version = 1;
  #compactedAt = 0;

  get version(): string {
    return String(this.#version);
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  write(key: string, labels?: Readonly<Record<string, string>>): TestObject {
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    const object = testObject(key, String(++this.#version), labels);
    this.#objects.set(key, object);
    this.#publish({ type, object });
    return object;
  }

  remove(key: string): void {
    const last = this.#objects.get(key);
    if (last === undefined) return;
    this.#objects.delete(key);
    const object = testObject(key, String(++this.#version), last.metadata?.labels);
    this.#publish({ type: 'DELETED', object });
  }

  /** The objects of the server, in any order. */
  objects(): TestObject[] {
    return [...this.#objects.values()];
  }

  /** Sends an event to every open watch. */
  send(event: ListedEvent<TestObject>): void {
    for (const watch of this.#watches) watch.offer(event);
  }

  bookmark(): void {
    this.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: this.version } } });
  }

  /** Ends every watch, normally or with an error. */
  endWatches(error?: Error): void {
    for (const watch of this.#watches) watch.close(error);
    this.#watches.clear();
  }

  /** Drops the history: no watch can start from an older version. */
  compact(): void {
    this.#compactedAt = this.#version;
  }

  async list(request: ListRequest): Promise<ListAnswer<TestObject>> {
    const { resourceVersion = '', limit, continue: next } = request;
    this.requests.push(
      `list rv=${resourceVersion}${limit === undefined ? '' : ` limit=${limit}`}${next === undefined ? '' : ' continued'}`,
    );
    const failure = this.listFailures.shift();
    if (failure !== undefined) throw failure;
    const from = Number(next ?? 0);
    const to = from + (limit ?? Infinity);
    const all = this.objects();
    return {
      items: all.slice(from, to),
      metadata: {
        resourceVersion: this.version,
        ...(to < all.length ? { continue: String(to) } : {}),
      },
    };
  }

  async watch(request: WatchRequest): Promise<ListedEvents<TestObject>> {
    const { resourceVersion = '', sendInitialEvents, signal } = request;
    this.requests.push(`${sendInitialEvents === true ? 'stream' : 'watch'} rv=${resourceVersion}`);
    const failure = this.watchFailures.shift();
    if (failure !== undefined) throw failure;
    const events = new Mailbox<ListedEvent<TestObject>>();
    if (sendInitialEvents === true) this.#sendState(events);
    else if (resourceVersion !== '' && Number(resourceVersion) < this.#compactedAt) {
      events.offer({ type: 'ERROR', object: newResourceExpired('too old').status });
    } else this.#sendHistory(events, Number(resourceVersion));
    this.#watches.add(events);
    onAbort(signal, () => {
      events[Symbol.dispose]();
      this.#watches.delete(events);
    });
    return events;
  }

  #sendState(events: Mailbox<ListedEvent<TestObject>>): void {
    for (const object of this.objects()) events.offer({ type: 'ADDED', object });
    if (!this.marksEnd) return;
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    events.offer({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: this.version, annotations } },
    });
  }

  #sendHistory(events: Mailbox<ListedEvent<TestObject>>, from: number): void {
    for (const { version, event } of this.#history) if (version > from) events.offer(event);
  }

  #publish(event: ListedEvent<TestObject>): void {
    this.#history.push({ version: this.#version, event });
    this.send(event);
  }
}

/** Returns objects by key. */
export function byKey(objects: Iterable<TestObject>): Map<string, TestObject> {
  return new Map(Array.from(objects, (object) => [metaNamespaceKeyFunc(object), object]));
}
