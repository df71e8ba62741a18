import type { FaultHandle, Faults } from '@client-ts/apiserver';
import {
  type CachedObject,
  type Indexers,
  metaNamespaceIndexFunc,
  SharedIndexInformer,
} from 'client-ts/cache';
import { type Clock, type Random, sleep, systemClock } from 'client-ts/internal';
import { type CodecName, RESTClient } from 'client-ts/rest';
import { type Config, createTransport, type Transport } from 'client-ts/transport';

import { CallRecorder, type CallRecorderOptions } from '../informers/call-recorder.ts';
import type { LogEntry } from '../informers/history.ts';
import { informerProblems, statesIn } from '../informers/informer-problems.ts';
import { WireRecorder } from '../informers/wire-recorder.ts';
import type { SoakKind } from './kinds.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** What differs between informers. */
export interface SubjectSettings {
  readonly kind: SoakKind;
  readonly queue: 'delta' | 'in-order';
  readonly useWatchList: boolean;
  readonly protocol: 'auto' | 'http1';
  readonly codec: CodecName;
  readonly pageSize?: number;
}

/** The environment of a subject. */
export interface SubjectWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly namespace: string;
  readonly faults: Faults;
  readonly proxy: TcpProxy;
  /** Connects to the server through the proxy. */
  readonly config: Config;
  /** The user of the informer, for faults that match it. */
  readonly user: string;
}

const indexers: Indexers<CachedObject> = {
  namespace: metaNamespaceIndexFunc,
  color: ({ metadata }) => [metadata?.labels?.['color'] ?? 'none'],
  labels: ({ metadata }) => Object.values(metadata?.labels ?? {}),
};

/** Real durations, multiplied by the speed of the fast clock. */
const handshakeMs = 600_000;

/** One informer under test, with its handlers, connections and records. */
export class Subject implements AsyncDisposable {
  readonly name: string;
  readonly user: string;
  readonly kind: SoakKind;
  readonly proxy: TcpProxy;
  readonly informer: SharedIndexInformer<CachedObject, Indexers<CachedObject>>;
  readonly counts = { calls: 0, relists: 0, watches: 0, restarts: 0, handlers: 0 };
  readonly #settings: SubjectSettings;
  readonly #faults: Faults;
  readonly #transport: Transport;
  readonly #wire: WireRecorder<CachedObject>;
  readonly #problems: string[] = [];
  #handlers: CallRecorder<CachedObject>[] = [];
  #dropping: FaultHandle[] = [];
  #forced: FaultHandle | undefined;
  #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(settings: SubjectSettings, world: SubjectWorld) {
    const { kind, queue, useWatchList, protocol, codec, pageSize } = settings;
    const { clock, random } = world;
    const way = `${protocol === 'http1' ? 'HTTP/1.1' : 'HTTP/2'} ${codec}`;
    this.name = `${kind.gvr.resource} ${queue} ${useWatchList ? 'streamed' : 'listed'} ${way}`;
    this.user = world.user;
    this.kind = kind;
    this.proxy = world.proxy;
    this.#settings = settings;
    this.#faults = world.faults;
    const config = { ...world.config, protocol };
    const timing = { connectMs: handshakeMs, handshakeMs };
    this.#transport = createTransport(config, { clock, random, timing, env: {} });
    const rest = new RESTClient(config, { transport: this.#transport, clock, codec });
    this.#wire = new WireRecorder(kind.source(rest, world.namespace));
    this.informer = new SharedIndexInformer<CachedObject, Indexers<CachedObject>>({
      name: this.name,
      listerWatcher: this.#wire,
      indexers,
      queue,
      useWatchList,
      clock,
      random,
      ...(pageSize !== undefined && { pageSize }),
      onError: (error) => this.#problems.push(`${error.code}: ${error.message}`),
      onHandlerError: (error) => {
        if (error.code !== 'CACHE_HANDLER_FAILED') this.#problems.push(error.message);
      },
    });
  }

  start(): void {
    this.#stop = new AbortController();
    const running = this.informer.run({ signal: this.#stop.signal });
    this.#running = running;
    running.catch((error: unknown) => this.#problems.push(`the run failed: ${String(error)}`));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    const isOrdered = this.#settings.queue === 'in-order';
    this.#wire.stopped(isOrdered ? this.informer.indexer.resourceVersion : '');
  }

  async restart(): Promise<void> {
    await this.stop();
    this.counts.restarts += 1;
    this.start();
  }

  handle(options: CallRecorderOptions = {}): CallRecorder<CachedObject> {
    this.counts.handlers += 1;
    const recorder = new CallRecorder<CachedObject>(this.informer, options);
    this.#handlers.push(recorder);
    return recorder;
  }

  /** Records a fault that drops watch events, which only a relist can repair. */
  mayMiss(fault: FaultHandle): void {
    this.#dropping.push(fault);
  }

  /** Ends long-lasting faults, so that everything can settle. */
  mend(): void {
    // Events were dropped: the server reports an expired version once.
    if (this.#dropping.some(({ hits }) => hits > 0)) {
      this.#forced = this.#faults.add({
        match: { user: this.user, verb: 'watch' },
        fault: { kind: 'error-event', afterEvents: 0, code: 410 },
        count: 1,
      });
    }
    // A stalled connection would otherwise last until its timeout.
    this.proxy.cut();
  }

  /** Resolves when the store has reached `version` and all handlers have been called. */
  async settled(version: string, { signal }: { signal: AbortSignal }): Promise<void> {
    await this.informer.reached(version, { signal });
    while (!this.#isAtRest()) await sleep(systemClock, 10, { signal });
  }

  /** Returns the problems after settling; then a new round starts. */
  judge(log: readonly LogEntry[], objects: readonly CachedObject[], version: string): string[] {
    const wire = this.#wire.take();
    const { indexer } = this.informer;
    this.counts.relists += wire.relists.length;
    this.counts.watches += wire.runs.length;
    const mayMiss = this.#dropping.length > 0;
    const { queue } = this.#settings;
    const handlers = this.#handlers;
    const problems = [
      ...this.#problems.splice(0),
      ...informerProblems({ indexer, queue, handlers, wire, log, objects, mayMiss }),
    ].map((problem) => `${this.name}: ${problem}`);
    const held = statesIn(indexer);
    this.#handlers = handlers.filter(({ registration }) => !registration.isRemoved);
    for (const handler of handlers) {
      this.counts.calls += handler.history.calls.length;
      handler.continueFrom(held, version);
    }
    this.#dropping = [];
    this.#forced = undefined;
    return problems;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#transport[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }

  #isAtRest(): boolean {
    return (
      this.#forced?.hits !== 0 &&
      this.informer.state.state === 'live' &&
      this.#handlers.every(({ registration: { isRemoved, pending } }) => isRemoved || pending === 0)
    );
  }
}
