import assert from 'node:assert/strict';
import { recordingLogger } from '../lib/test-logger.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { CacheError } from './cache-error.ts';
import type { ResourceEventHandler } from './event-handler.ts';
import { SharedIndexInformer } from './shared-index-informer.ts';
import type { SharedIndexInformerOptions } from './shared-index-informer.ts';
import type { TestObject } from './test-objects.ts';
import { byKey, TestSource } from './test-source.ts';
import { DeletedFinalStateUnknown } from './store.ts';

/** A handler that records its calls: `+a@2 first`, `~a@2→3`, `-a@4`, `-a@3 missed`. */
export class RecordingHandler implements ResourceEventHandler<TestObject> {
  readonly calls: string[] = [];

  onAdd(object: TestObject, isInInitialList: boolean): void {
    this.calls.push(`+${describe(object)}${isInInitialList ? ' first' : ''}`);
  }

  onUpdate(oldObject: TestObject, newObject: TestObject): void {
    this.calls.push(`~${describe(oldObject)}→${newObject.metadata?.resourceVersion}`);
  }

  onDelete(object: DeletedFinalStateUnknown<TestObject> | TestObject): void {
    this.calls.push(
      object instanceof DeletedFinalStateUnknown
        ? `-${object.key}@${object.object?.metadata?.resourceVersion} missed`
        : `-${describe(object)}`,
    );
  }

  /** Returns the calls since the last `take`. */
  take(): string[] {
    return this.calls.splice(0);
  }
}

function describe({ metadata }: TestObject): string {
  const namespace = metadata?.namespace === undefined ? '' : `${metadata.namespace}/`;
  return `${namespace}${metadata?.name}@${metadata?.resourceVersion}`;
}

/** An informer on a test server, without jitter. */
export class TestInformer {
  readonly clock: VirtualClock = new VirtualClock();
  readonly source: TestSource = new TestSource();
  readonly log: ReturnType<typeof recordingLogger> = recordingLogger();
  readonly errors: CacheError[] = [];
  readonly informer: SharedIndexInformer<TestObject>;
  #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Partial<SharedIndexInformerOptions<TestObject>> = {}) {
    this.informer = new SharedIndexInformer<TestObject>({
      name: 'test',
      listerWatcher: this.source,
      clock: this.clock,
      logger: this.log,
      random: { next: () => 0 },
      onHandlerError: (error) => this.errors.push(error),
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  /** Resolves when nothing is left to do at the current time. */
  async settle(): Promise<void> {
    await quiescence();
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#running = this.informer.run({ signal: this.#stop.signal });
    await this.settle();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  record(): RecordingHandler {
    const handler = new RecordingHandler();
    this.informer.addEventHandler(handler);
    return handler;
  }

  /** Asserts that the cache has the objects of the server. */
  assertEqual(): void {
    assert.deepEqual(byKey(this.informer.indexer.list()), byKey(this.source.objects()));
  }

  /** Breaks the connection, so that only a list shows what happens in `meanwhile`. */
  async missing(meanwhile: () => void): Promise<void> {
    await this.clock.advance(2000);
    this.source.endWatches();
    meanwhile();
    this.source.compact();
    await this.settle();
    await this.clock.advance(60_000);
    await this.settle();
  }
}
