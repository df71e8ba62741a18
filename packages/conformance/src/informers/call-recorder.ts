import {
  type CachedObject,
  DeletedFinalStateUnknown,
  type EventHandlerOptions,
  type EventHandlerRegistration,
  type Indexers,
  metaNamespaceKeyFunc,
  type ResourceEventHandler,
  type SharedIndexInformer,
} from 'client-ts/cache';

import {
  type HandlerCall,
  type History,
  type HistoryStart,
  type ObjectState,
  stateOf,
} from './history.ts';

/** A call without the state of the store. */
type CallWithoutStore = HandlerCall extends infer C
  ? C extends HandlerCall
    ? Omit<C, 'stored'>
    : never
  : never;

/** How a recorder is attached. */
export interface CallRecorderOptions extends EventHandlerOptions {
  /** What the handler does after it has recorded a call: nothing, wait, or throw. */
  readonly behaviour?: () => Promise<void> | void;
}

/** A handler that records its calls, with the state of the store during each. */
export class CallRecorder<T extends CachedObject> implements ResourceEventHandler<T> {
  readonly registration: EventHandlerRegistration;
  readonly #store: { getByKey(key: string): T | undefined };
  readonly #behaviour: () => Promise<void> | void;
  readonly #hasResyncs: boolean;
  #start: HistoryStart;
  #calls: HandlerCall[] = [];
  #ended = 0;
  #syncedAfter: number | undefined;
  #isFollowingSync = false;

  /**
   * Registers a handler with an informer; nothing happens between the snapshot and the
   * registration.
   */
  constructor(
    informer: SharedIndexInformer<T, Indexers<T>>,
    { behaviour = () => undefined, ...options }: CallRecorderOptions = {},
  ) {
    this.#store = informer.indexer;
    this.#behaviour = behaviour;
    this.#hasResyncs = (options.resyncPeriodMs ?? 0) > 0;
    const held = new Map<string, ObjectState>();
    for (const object of informer.indexer.values()) {
      held.set(metaNamespaceKeyFunc(object), stateOf(object));
    }
    this.#start = { held, isReplayed: true, upTo: informer.lastSyncResourceVersion };
    this.registration = informer.addEventHandler(this, options);
    this.#followSync();
  }

  /** Its part of a history. */
  get history(): Pick<History, 'calls' | 'hasResyncs' | 'isWhole' | 'start' | 'syncedAfter'> {
    // After a restart it may sync without another call.
    if (this.registration.hasSynced) this.#syncedAfter ??= this.#ended;
    return {
      calls: this.#calls,
      start: this.#start,
      hasResyncs: this.#hasResyncs,
      isWhole: !this.registration.isRemoved,
      syncedAfter: this.#syncedAfter,
    };
  }

  /** Clears the calls and continues from the current cache, which has been delivered. */
  continueFrom(held: ReadonlyMap<string, ObjectState>, upTo: string): void {
    this.#start = { held, isReplayed: false, upTo };
    this.#calls = [];
    this.#ended = 0;
    if (this.#syncedAfter !== undefined) this.#syncedAfter = 0;
  }

  onAdd(object: T, isInInitialList: boolean): Promise<void> | void {
    return this.#write({
      type: 'add',
      key: metaNamespaceKeyFunc(object),
      state: stateOf(object),
      isInInitialList,
    });
  }

  onUpdate(oldObject: T, newObject: T): Promise<void> | void {
    const states = { before: stateOf(oldObject), state: stateOf(newObject) };
    return this.#write({ type: 'update', key: metaNamespaceKeyFunc(newObject), ...states });
  }

  onDelete(object: DeletedFinalStateUnknown<T> | T): Promise<void> | void {
    if (!(object instanceof DeletedFinalStateUnknown)) {
      return this.#write({
        type: 'delete',
        key: metaNamespaceKeyFunc(object),
        state: stateOf(object),
      });
    }
    const { key, object: last } = object;
    const state = last === undefined ? undefined : stateOf(last);
    return this.#write({ type: 'tombstone', key, state });
  }

  #followSync(): void {
    this.#isFollowingSync = true;
    this.registration.synced.then(
      () => (this.#syncedAfter ??= this.#ended),
      // A stop ends the wait; the next call shows that the informer may be running again.
      () => (this.#isFollowingSync = false),
    );
  }

  #write(call: CallWithoutStore): Promise<void> | void {
    if (!this.#isFollowingSync) this.#followSync();
    const stored = this.#store.getByKey(call.key)?.metadata?.resourceVersion;
    this.#calls.push({ ...call, stored });
    const end = (): void => void (this.#ended += 1);
    let behaving: Promise<void> | void;
    try {
      behaving = this.#behaviour();
    } catch (error) {
      end();
      throw error;
    }
    if (behaving === undefined) return end();
    return behaving.finally(end);
  }
}
