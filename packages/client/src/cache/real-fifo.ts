import { RingBuffer } from '../lib/ring-buffer.ts';
import { type AcceptedList, type Delta, DeltaQueue, type QueueDelta } from './delta-queue.ts';

/**
 * A queue of changes in exactly the order in which they happened. A list, a resync and a bookmark are
 * one delta each, so the consumer can replace its store in one step, and finds out itself what was
 * deleted. Nothing is merged, dropped or reordered. Each pop returns one delta.
 */
export class RealFIFO<T extends object> extends DeltaQueue<T, QueueDelta<T>> {
  readonly #items = new RingBuffer<QueueDelta<T>>();
  /** An item that was put back; it is the next. */
  #returned: readonly QueueDelta<T>[] | undefined;

  /** The number of deltas in the queue. */
  get size(): number {
    return this.#items.size + (this.#returned === undefined ? 0 : 1);
  }

  resync(): void {
    this.checkOpen();
    this.#items.push({ type: 'SyncAll' });
    this.arrived();
  }

  bookmark(resourceVersion: string): void {
    this.checkOpen();
    this.#items.push({ type: 'Bookmark', resourceVersion });
    this.arrived();
  }

  /** The whole list is one delta. */
  protected pushList(list: AcceptedList<T>, resourceVersion: string): void {
    this.#items.push({ type: 'ReplacedAll', ...list, resourceVersion });
    this.populate(1);
  }

  protected push(delta: Delta<T>): void {
    this.#items.push(delta);
  }

  /** Every deletion keeps its place in the order, known or not. */
  protected isKnown(_key: string): boolean {
    return true;
  }

  protected shift(): readonly QueueDelta<T>[] | undefined {
    const returned = this.#returned;
    if (returned !== undefined) {
      this.#returned = undefined;
      return returned;
    }
    const delta = this.#items.shift();
    return delta === undefined ? undefined : [delta];
  }

  protected unshift(item: readonly QueueDelta<T>[]): void {
    this.#returned = item;
  }

  protected initialCountOf([delta]: readonly QueueDelta<T>[]): number {
    return delta?.type === 'ReplacedAll' ? 1 : 0;
  }
}
