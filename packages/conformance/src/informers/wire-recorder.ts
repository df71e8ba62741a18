import type {
  CachedObject,
  ListAnswer,
  ListedEvent,
  ListedEvents,
  ListerWatcher,
  ListRequest,
  WatchRequest,
} from 'client-ts/cache';
import { ClientError } from 'client-ts/internal';
import { apiErrorOf, errorFromObject } from 'client-ts/meta';

import { isOlder } from './history.ts';
import type { Relist, WireHistory, WireRun } from './wire-history.ts';

interface OpenRun extends WireRun {
  readonly events: { readonly version: string; readonly isBookmark: boolean }[];
}

/** Records the requests between an informer and its server without changing them. */
export class WireRecorder<T extends CachedObject> implements ListerWatcher<T> {
  readonly supportsWatchList: boolean;
  readonly #source: ListerWatcher<T>;
  #relists: Relist[] = [];
  #runs: OpenRun[] = [];
  #problems: string[] = [];
  /** The version that the informer has reached. */
  #position = '';
  /** The cause of the next list; undefined while one is in progress. */
  #cause: string | undefined = 'start';
  /** The cause of the list in progress. */
  #reason = 'start';
  /** The informer has accepted a list, because it watches from there. */
  #hasWatched = false;
  /** Consecutive watches without events. */
  #emptyWatches = 0;

  constructor(source: ListerWatcher<T>) {
    this.#source = source;
    this.supportsWatchList = source.supportsWatchList ?? true;
  }

  /** Returns the history and starts a new one. */
  take(): WireHistory {
    const history = { relists: this.#relists, runs: this.#runs, problems: this.#problems };
    this.#relists = [];
    this.#runs = [{ from: this.#position, events: [] }];
    this.#problems = [];
    return history;
  }

  /** The informer was stopped, with its store at `position`. */
  stopped(position: string): void {
    this.#position = position;
    this.#cause = 'stop';
  }

  async list(request: ListRequest): Promise<ListAnswer<T>> {
    // The reflector lists a single object only to learn whether the server has its version.
    if (request.limit === 1) return await this.#source.list(request);
    this.#beginRelist();
    if (this.#hasWatched && request.resourceVersion === '0') {
      this.#problems.push(
        'a list was read from the watch cache, which may be older than the last seen version',
      );
    }
    const answer = await this.#source.list(request);
    const { continue: next = '', resourceVersion = '' } = answer.metadata ?? {};
    if (next === '') this.#endRelist(resourceVersion);
    return answer;
  }

  async watch(request: WatchRequest): Promise<ListedEvents<T>> {
    const isInitial = request.sendInitialEvents === true;
    if (isInitial) this.#beginRelist();
    else this.#resume(request.resourceVersion ?? '');
    try {
      return this.#follow(await this.#source.watch(request), isInitial);
    } catch (error) {
      this.#failed(codeOf(error));
      throw error;
    }
  }

  #follow(events: ListedEvents<T>, isInitial: boolean): ListedEvents<T> {
    let isStreaming = isInitial;
    let count = 0;
    let error: string | undefined;
    return new ObservedEvents<T>(events, {
      onEvent: (event) => {
        if (event.type === 'ERROR') error = codeOf(errorFromObject(event.object));
        else if (isStreaming) isStreaming = !this.#endsStream(event);
        else this.#take(event);
        count += 1;
      },
      onEnd: (cause) => {
        this.#emptyWatches = count === 0 ? this.#emptyWatches + 1 : 0;
        const isRefused = cause === 'end' && this.#emptyWatches > 1;
        this.#failed(error ?? (isRefused ? 'empty watches' : cause));
      },
    });
  }

  #beginRelist(): void {
    this.#reason = this.#cause ?? this.#reason;
    this.#cause = undefined;
  }

  #endRelist(version: string): void {
    if (isOlder(version, this.#position)) {
      this.#problems.push(`a list was at ${version}, after ${this.#position}`);
    }
    this.#relists.push({ after: this.#position, upTo: version, cause: this.#reason });
    this.#position = version;
    this.#cause = 'list';
  }

  #resume(version: string): void {
    if (version !== this.#position) {
      this.#problems.push(`a watch began at ${version}, though ${this.#position} was reached`);
    }
    this.#runs.push({ from: version, events: [] });
    this.#hasWatched = true;
  }

  /** While a list is in progress, failures belong to it. */
  #failed(cause: string): void {
    if (this.#cause !== undefined) this.#cause = cause;
  }

  #endsStream({ type, object }: Exclude<ListedEvent<T>, { type: 'ERROR' }>): boolean {
    const { annotations, resourceVersion = '' } = object.metadata ?? {};
    const isEnd = type === 'BOOKMARK' && annotations?.['k8s.io/initial-events-end'] === 'true';
    if (isEnd) {
      this.#endRelist(resourceVersion);
      this.#runs.push({ from: resourceVersion, events: [] });
    }
    return isEnd;
  }

  #take({ type, object }: Exclude<ListedEvent<T>, { type: 'ERROR' }>): void {
    const version = object.metadata?.resourceVersion ?? '';
    this.#runs.at(-1)?.events.push({ version, isBookmark: type === 'BOOKMARK' });
    this.#position = version;
  }
}

interface Observer<T> {
  readonly onEvent: (event: ListedEvent<T>) => void;
  /** `end`, `left`, or the error. */
  readonly onEnd: (cause: string) => void;
}

/** Passes on events, one by one or in batches, and observes them. */
class ObservedEvents<T> implements AsyncIterableIterator<ListedEvent<T>> {
  readonly #events: AsyncIterator<ListedEvent<T>> & { ready?(): ListedEvent<T> | undefined };
  readonly #observer: Observer<T>;
  #isOver = false;

  constructor(events: ListedEvents<T>, observer: Observer<T>) {
    this.#events = events[Symbol.asyncIterator]();
    this.#observer = observer;
  }

  async next(): Promise<IteratorResult<ListedEvent<T>>> {
    try {
      const result = await this.#events.next();
      if (result.done === true) this.#end('end');
      else this.#observer.onEvent(result.value);
      return result;
    } catch (error) {
      this.#end(codeOf(error));
      throw error;
    }
  }

  ready(): ListedEvent<T> | undefined {
    const event = this.#events.ready?.();
    if (event !== undefined) this.#observer.onEvent(event);
    return event;
  }

  async return(): Promise<IteratorResult<ListedEvent<T>>> {
    this.#end('left');
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(cause: string): void {
    if (!this.#isOver) this.#observer.onEnd(cause);
    this.#isOver = true;
  }
}

/** Returns the HTTP status of an error, or its code. */
function codeOf(error: unknown): string {
  const code = apiErrorOf(error)?.status.code;
  if (code !== undefined) return String(code);
  return error instanceof ClientError ? error.code : 'unknown';
}
