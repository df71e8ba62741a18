import assert from 'node:assert/strict';
import { recordingLogger } from '../lib/test-logger.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { CacheError } from './cache-error.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorFailure, ReflectorOptions } from './reflector.ts';
import type { TestObject } from './test-objects.ts';
import { byKey, TestSource } from './test-source.ts';

/** A reflector on a test server, without jitter: back-offs are 800 ms, 1.6 s, 3.2 s, … */
export class TestReflector {
  readonly clock: VirtualClock = new VirtualClock();
  readonly source: TestSource = new TestSource();
  readonly log: ReturnType<typeof recordingLogger> = recordingLogger();
  readonly store: Indexer<TestObject> = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc });
  readonly reported: ReflectorFailure[] = [];
  readonly problems: CacheError[] = [];
  readonly statuses: string[] = [];
  readonly stop: AbortController = new AbortController();
  readonly reflector: Reflector<TestObject>;

  constructor(options: Partial<ReflectorOptions<TestObject>> = {}) {
    this.reflector = new Reflector<TestObject>({
      listerWatcher: this.source,
      store: this.store,
      clock: this.clock,
      logger: this.log,
      random: { next: () => 0 },
      onWatchError: (failure) => this.reported.push(failure),
      onError: (problem) => this.problems.push(problem),
      onStateChange: ({ state }) => this.statuses.push(state),
      ...options,
    });
  }

  /** Resolves when nothing is left to do at the current time. */
  readonly settle = async (): Promise<void> => {
    await quiescence();
  };

  readonly run = async (): Promise<{ readonly end: () => Promise<void> }> => {
    const running = this.reflector.run({ signal: this.stop.signal });
    await this.settle();
    return {
      end: async () => {
        this.stop.abort();
        await running;
      },
    };
  };

  /** Asserts that the store has the objects of the server. */
  readonly assertEqual = (): void => {
    assert.deepEqual(byKey(this.store.list()), byKey(this.source.objects()));
  };
}
