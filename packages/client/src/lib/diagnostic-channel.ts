import { type Channel, channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Messages of one type on `node:diagnostics_channel`. Copies of this package share the channels, by
 * name. Check `hasSubscribers` before a message is created, so that nothing is paid without one.
 */
export class DiagnosticChannel<M extends object> {
  readonly name: string;
  readonly #channel: Channel;
  readonly #arounds: Set<Around<M>>;

  constructor(name: string) {
    this.name = name;
    this.#channel = channel(name);
    this.#arounds = sharedState(`around ${name}`, () => new Set());
  }

  get hasSubscribers(): boolean {
    return this.#channel.hasSubscribers;
  }

  publish(message: M): void {
    this.#channel.publish(message);
  }

  /** Publishes the message and calls `work` in the async context that subscribers have bound to it. */
  run<R>(message: M, work: () => R): R {
    let run = work;
    for (const { around } of this.#arounds) {
      const inner = run;
      run = () => around(message, inner);
    }
    return this.#channel.hasSubscribers ? this.#channel.runStores(message, run) : run();
  }

  /**
   * Calls the function around the work of {@link DiagnosticChannel.run}, after the message was
   * published, until it is disposed. It must call the work once and return its result.
   */
  around(around: Around<M>['around']): Disposable {
    const entry = { around };
    this.#arounds.add(entry);
    return { [Symbol.dispose]: () => void this.#arounds.delete(entry) };
  }

  /** Calls the listener with each message until it is disposed. */
  subscribe(listener: (message: M) => void): Disposable {
    const listen = (message: unknown): void => listener(message as M);
    subscribe(this.name, listen);
    return { [Symbol.dispose]: () => void unsubscribe(this.name, listen) };
  }
}

interface Around<M> {
  readonly around: <R>(message: M, work: () => R) => R;
}

/** A listener of a {@link SampledChannel}, and how many messages it takes until its next refill. */
interface Taker<M> {
  left: number;
  readonly listener: (message: M) => void;
}

/** The listeners of a {@link SampledChannel}; `wanting` is the number of those that take a message now. */
interface Sampling<M> {
  takers: readonly Taker<M>[];
  wanting: number;
}

/** A subscription to a {@link SampledChannel}. */
export interface SampledSubscription extends Disposable {
  /** Asks for up to `limit` messages from now on. Default: as many as it took first. */
  refill(limit?: number): void;
}

/**
 * A {@link DiagnosticChannel} for places that are passed very often. A subscriber says how many
 * messages it takes, and asks for more at its own pace: what it costs is bounded, however much
 * happens. Subscribers of `node:diagnostics_channel` get every message. Call
 * {@link SampledChannel.publish} only if {@link SampledChannel.isWanted} is true.
 */
export class SampledChannel<M extends object> extends DiagnosticChannel<M> {
  readonly #sampling: Sampling<M>;

  constructor(name: string) {
    super(name);
    this.#sampling = sharedState(`sampling ${name}`, () => ({ takers: [], wanting: 0 }));
  }

  get isWanted(): boolean {
    return this.#sampling.wanting > 0 || this.hasSubscribers;
  }

  override publish(message: M): void {
    this.#deliver(message);
    if (this.hasSubscribers) super.publish(message);
  }

  override run<R>(message: M, work: () => R): R {
    this.#deliver(message);
    return super.run(message, work);
  }

  /** Calls the listener with every message until it is disposed. */
  override subscribe(listener: (message: M) => void): Disposable {
    return this.sample(Infinity, listener);
  }

  /**
   * Calls the listener with up to `limit` messages, and with as many after each refill. It is called
   * directly: to subscribe to a channel of Node changes its class, and compiled code is thrown away.
   */
  sample(limit: number, listener: (message: M) => void): SampledSubscription {
    const sampling = this.#sampling;
    const taker: Taker<M> = { left: 0, listener };
    sampling.takers = [...sampling.takers, taker];
    const refill = (more = limit): void => {
      if (!sampling.takers.includes(taker)) return;
      sampling.wanting += Number(more > 0) - Number(taker.left > 0);
      taker.left = more;
    };
    refill();
    return {
      refill,
      [Symbol.dispose]: () => {
        refill(0);
        sampling.takers = sampling.takers.filter((each) => each !== taker);
      },
    };
  }

  #deliver(message: M): void {
    const sampling = this.#sampling;
    if (sampling.wanting === 0) return;
    for (const taker of sampling.takers) {
      if (taker.left <= 0) continue;
      taker.left -= 1;
      if (taker.left <= 0) sampling.wanting -= 1;
      try {
        taker.listener(message);
      } catch (error) {
        // As Node does: what is observed must not fail because of an observer.
        process.nextTick(() => {
          throw error;
        });
      }
    }
  }
}

/** Returns state that all copies of this package in the process share. */
export function sharedState<T>(name: string, create: () => T): T {
  const key = Symbol.for(`client-ts.${name}`);
  const known = Reflect.get(globalThis, key) as T | undefined;
  if (known !== undefined) return known;
  const created = create();
  Object.defineProperty(globalThis, key, { value: created });
  return created;
}

/**
 * What the running code does is because of, if anything wants to know: set around synchronous calls,
 * for example by an informer while it calls a handler, and read by the queue that the handler fills.
 */
const causes = sharedState<{ users: number; current: Cause }>('causes', () => ({
  users: 0,
  current: undefined,
}));

/** A function creates the cause when it is read. */
type Cause = object | undefined | (() => object | undefined);

/** True while causes are tracked. */
export function areCausesWanted(): boolean {
  return causes.users > 0;
}

/** Tracks causes until it is disposed. */
export function trackCauses(): Disposable {
  causes.users += 1;
  let isOver = false;
  return {
    [Symbol.dispose]: () => {
      if (!isOver) causes.users -= 1;
      isOver = true;
    },
  };
}

/** Returns the cause of the running code; undefined if there is none or it is not tracked. */
export function currentCause(): object | undefined {
  const { current } = causes;
  if (typeof current !== 'function') return current;
  const created = (current as () => object | undefined)();
  causes.current = created;
  return created;
}

/**
 * Calls a function because of `cause`. What it does after its first `await` has no cause. Most causes
 * are never read: on a path that is passed very often, give a function that creates it.
 */
export function withCause<R>(cause: Cause, work: () => R): R {
  const outer = causes.current;
  causes.current = cause;
  try {
    return work();
  } finally {
    causes.current = outer;
  }
}
