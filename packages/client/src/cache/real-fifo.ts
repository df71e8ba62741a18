import { checkNumber } from '../lib/option-error.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import type { Delta, QueueDelta } from './delta.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import type { ProcessFunc, Queue } from './queue.ts';
import { QueueCore } from './queue-core.ts';
import type { RunOptions } from './reflector-options.ts';
import { DeletedFinalStateUnknown } from './tombstone.ts';

/** How a {@link RealFIFO} is made. */
export interface RealFIFOOptions<T extends object> extends IntakeOptions<T> {
  /** How many deltas may be handed out together; 1000 unless told otherwise. */
  readonly batchSize?: number | undefined;
}

const defaultBatchSize = 1000;

/**
 * A queue of what happened, in exactly the order in which it happened. A list, a resync and a
 * bookmark are one delta each, so the consumer can put a whole list into its store in one step and
 * works out itself what is gone.
 *
 * Guarantees: nothing is merged, dropped or overtaken. A batch has each key at most once, so that
 * all its objects can be written before anybody is told of the first; `ReplacedAll`, `SyncAll` and
 * `Bookmark` come alone.
 */
export class RealFIFO<T extends object> implements Queue<T, readonly QueueDelta<T>[]> {
  readonly #intake: Intake<T>;
  readonly #batchSize: number;
  readonly #items = new RingBuffer<QueueDelta<T>>();
  readonly #core = new QueueCore(this);
  /** A batch that was put back. It is the next to be taken. */
  #returned: readonly QueueDelta<T>[] | undefined;

  constructor({ batchSize = defaultBatchSize, ...intake }: RealFIFOOptions<T>) {
    checkNumber('batchSize', batchSize, 'count');
    this.#intake = new Intake(intake);
    this.#batchSize = batchSize;
  }

  /** How many deltas wait. */
  get size(): number {
    return this.#items.size + (this.#returned?.length ?? 0);
  }

  get isClosed(): boolean {
    return this.#core.isClosed;
  }

  get hasSynced(): boolean {
    return this.#core.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#core.synced;
  }

  add(object: T): void {
    this.#write('Added', object);
  }

  update(object: T): void {
    this.#write('Updated', object);
  }

  delete(object: DeletedFinalStateUnknown<T> | T): void {
    this.#core.checkOpen();
    const isTombstone = object instanceof DeletedFinalStateUnknown;
    const key = isTombstone ? object.key : this.#intake.keyOf(object);
    const deleted = isTombstone ? object : this.#intake.deleted(key, object);
    this.#core.populate(0);
    this.#push({ type: 'Deleted', key, object: deleted });
  }

  /**
   * Queues the whole list as one delta. If a key or a transformation fails, that object is left out,
   * or, without `onRefused`, nothing is queued.
   */
  replace(objects: readonly T[], resourceVersion: string): void {
    this.#core.checkOpen();
    this.#push({ type: 'ReplacedAll', ...this.#intake.list(objects), resourceVersion });
    this.#core.populate(1);
  }

  resync(): void {
    this.#core.checkOpen();
    this.#push({ type: 'SyncAll' });
  }

  bookmark(resourceVersion: string): void {
    this.#core.checkOpen();
    this.#push({ type: 'Bookmark', resourceVersion });
  }

  /** Hands out a batch of deltas, or one of those that come alone. */
  take(process: ProcessFunc<readonly QueueDelta<T>[]>): Promise<void> | undefined {
    this.#core.checkFree();
    const batch = this.#returned ?? this.#nextBatch();
    this.#returned = undefined;
    if (batch === undefined) return undefined;
    return this.#core.process(process, batch, {
      initialCount: batch[0]?.type === 'ReplacedAll' ? 1 : 0,
      requeue: () => {
        this.#returned = batch;
        this.#core.arrived();
      },
    });
  }

  pop(process: ProcessFunc<readonly QueueDelta<T>[]>, options?: RunOptions): Promise<void> {
    return this.#core.pop(() => this.take(process), options);
  }

  ready(options?: RunOptions): Promise<boolean> {
    return this.#core.ready(options);
  }

  below(limit: number, options?: RunOptions): Promise<void> {
    return this.#core.below(limit, options);
  }

  close(): void {
    this.#core.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #write(type: 'Added' | 'Updated', object: T): void {
    this.#core.checkOpen();
    const key = this.#intake.keyOf(object);
    const transformed = this.#intake.transformed(object);
    this.#core.populate(0);
    this.#push({ type, key, object: transformed });
  }

  #push(delta: QueueDelta<T>): void {
    this.#items.push(delta);
    this.#core.arrived();
  }

  #nextBatch(): readonly QueueDelta<T>[] | undefined {
    const first = this.#items.shift();
    if (first === undefined) return undefined;
    const batch = [first];
    if (!isDelta(first) || this.#batchSize === 1) return batch;
    const keys = new Set([first.key]);
    while (batch.length < this.#batchSize) {
      const next = this.#items.peek();
      if (next === undefined || !isDelta(next) || keys.has(next.key)) break;
      keys.add(next.key);
      batch.push(next);
      this.#items.shift();
    }
    return batch;
  }
}

function isDelta<T extends object>(delta: QueueDelta<T>): delta is Delta<T> {
  return 'key' in delta;
}
