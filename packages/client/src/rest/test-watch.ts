import type { KubernetesObject } from '../meta/types.ts';
import type { EventsOf } from './client-methods.ts';
import type { ResourceList, Stored } from './object-types.ts';
import type { ListOptions, WatchOptions } from './options.ts';
import { PagedList } from './pager.ts';
import { Stream } from './stream.ts';
import type { AnyWatchEvent } from './watch.ts';

/** The script of one watch: events, then an end, an error, or nothing until it is stopped. */
export interface WatchScript {
  readonly events?: readonly AnyWatchEvent<Stored<KubernetesObject>>[] | undefined;
  readonly ending?: Error | 'end' | 'wait' | undefined;
}

/** An object with only the fields that these tests read. */
export function objectAt(version: number | string, more: object = {}): Stored<KubernetesObject> {
  const metadata = {
    name: 'web',
    uid: '1',
    resourceVersion: String(version),
    creationTimestamp: '',
  };
  return { kind: 'ConfigMap', metadata, ...more };
}

/** A list with at most one object. */
export function listAt(
  version: number,
  ...items: readonly Stored<KubernetesObject>[]
): ResourceList<Stored<KubernetesObject>> {
  const metadata = { resourceVersion: String(version) };
  return { apiVersion: 'v1', kind: 'ConfigMapList', metadata, items: [...items] };
}

/** Lists and watches from scripts, one for each request, and records the requests. */
export class ScriptedClient {
  readonly watches: WatchOptions[] = [];
  readonly lists: ListOptions[] = [];
  readonly #watchScripts: WatchScript[];
  readonly #listScripts: (Error | ResourceList<Stored<KubernetesObject>>)[];
  /** Watches that are open. */
  open = 0;

  constructor(
    watches: readonly WatchScript[],
    lists: readonly (Error | ResourceList<Stored<KubernetesObject>>)[] = [],
  ) {
    this.#watchScripts = [...watches];
    this.#listScripts = [...lists];
  }

  async list(options: ListOptions = {}): Promise<ResourceList<Stored<KubernetesObject>>> {
    options.signal?.throwIfAborted();
    this.lists.push(options);
    const script = this.#listScripts.shift();
    if (script === undefined || script instanceof Error) throw script ?? new Error('no more lists');
    return script;
  }

  listAll(): PagedList<Stored<KubernetesObject>> {
    return new PagedList((options) => this.list(options), {});
  }

  watch<const O extends WatchOptions>(options?: O): Stream<EventsOf<KubernetesObject, O>> {
    const asked: WatchOptions = options ?? {};
    this.watches.push(asked);
    const script = this.#watchScripts.shift() ?? {};
    const stream = new Stream((signal) => this.#run(script, signal), { signal: asked.signal });
    return stream as Stream<EventsOf<KubernetesObject, O>>;
  }

  async *#run(script: WatchScript, signal: AbortSignal): AsyncGenerator {
    const { events = [], ending = 'wait' } = script;
    this.open += 1;
    try {
      yield* events;
      if (ending === 'end') return;
      if (ending !== 'wait') throw ending;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      });
    } finally {
      this.open -= 1;
    }
  }
}
