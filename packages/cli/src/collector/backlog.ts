import { WorkQueue } from 'client-ts/workqueue';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import type { CollectedEvent } from './collected-event.ts';
import type { Passage } from './progress.ts';

/** An event that waits for its writer. */
export interface Waiting {
  readonly event: CollectedEvent;
  /** Set if it comes straight from the source. */
  readonly passage?: Passage;
  /** Called when it is written, or has become pointless. */
  readonly settle: () => void;
}

/**
 * The work queue between the source and the writers of one sink. Of an event that changes while it
 * waits only the newest state is written, and never two writers have states of one event at a time.
 */
export class Backlog {
  readonly #queue = new WorkQueue<Waiting>({ keyOf: ({ event }) => event.uid });
  /** What waits, without what writers have. */
  readonly #waiting = new Map<string, Waiting>();

  /** How many events wait. */
  get size(): number {
    return this.#waiting.size;
  }

  add(item: Waiting): void {
    const { uid } = item.event;
    const older = this.#waiting.get(uid);
    if (older !== undefined) {
      if (isOlder(item.event, older.event)) {
        item.settle();
        return;
      }
      older.settle();
    }
    this.#waiting.set(uid, item);
    this.#queue.add(item);
  }

  /** Waits for an event and takes it with up to `max` in all; empty after {@link Backlog.close}. */
  async take(max: number): Promise<Waiting[]> {
    const batch: Waiting[] = [];
    do {
      const next = await this.#queue.get();
      if (next.done === true) break;
      this.#waiting.delete(next.value.event.uid);
      batch.push(next.value);
    } while (batch.length < max && this.#queue.len > 0);
    return batch;
  }

  /** The batch is written. */
  finish(batch: readonly Waiting[]): void {
    for (const item of batch) {
      item.settle();
      this.#queue.done(item);
    }
  }

  /** Nothing more comes; what waits is still handed out. */
  close(): void {
    this.#queue.shutDown();
  }
}

function isOlder(left: CollectedEvent, right: CollectedEvent): boolean {
  if (!isResourceVersion(left.resourceVersion) || !isResourceVersion(right.resourceVersion)) {
    return false;
  }
  return compareResourceVersions(left.resourceVersion, right.resourceVersion) < 0;
}
