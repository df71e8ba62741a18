import { WorkQueue } from 'client-ts/workqueue';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import type { CollectedEvent } from './collected-event.ts';
import type { Passage } from './progress.ts';

/** A segment of the spool whose events are in memory. It stays on disk while anything holds it. */
export interface SegmentHold {
  /** Another waiting event needs it. */
  retain(): void;
  /** One of them does not need it any more. */
  release(): void;
}

/** An event that waits for its writer. */
export interface Waiting {
  readonly event: CollectedEvent;
  /** Set if it comes straight from the source: nothing but memory has it. */
  readonly passage?: Passage | undefined;
  /** The segments that have it, or an older state of it, each retained once. */
  readonly segments?: ReadonlySet<SegmentHold>;
}

/**
 * The work queue between the source and the writers of one sink. Of an event that changes while it
 * waits only the newest state is written, and never two writers have states of one event at a time.
 */
export class Backlog {
  readonly #queue = new WorkQueue<Waiting>({ keyFunc: ({ event }) => event.uid });
  /** What waits, without what writers have. */
  readonly #waiting = new Map<string, Waiting>();

  /** How many events wait. */
  get size(): number {
    return this.#waiting.size;
  }

  add(item: Waiting): void {
    const { uid } = item.event;
    const other = this.#waiting.get(uid);
    const merged = other === undefined ? item : merge(other, item);
    this.#waiting.set(uid, merged);
    this.#queue.add(merged);
  }

  /** Waits for an event and takes it with up to `max` in all; empty after {@link Backlog.close}. */
  async take(max: number): Promise<Waiting[]> {
    const batch: Waiting[] = [];
    do {
      const next = await this.#queue.get();
      if (next.done === true) break;
      const { uid } = next.value.event;
      batch.push(this.#waiting.get(uid) ?? next.value);
      this.#waiting.delete(uid);
    } while (batch.length < max && this.#queue.len > 0);
    return batch;
  }

  /** The sink has the batch. */
  finish(batch: readonly Waiting[]): void {
    for (const { passage, segments = [] } of batch) {
      passage?.arrived();
      for (const segment of segments) segment.release();
    }
    this.giveUp(batch);
  }

  /** The batch will not be written by this process: whatever holds its events keeps them. */
  giveUp(batch: readonly Waiting[]): void {
    for (const item of batch) this.#queue.done(item);
  }

  /** Nothing more comes; what waits is still handed out. */
  close(): void {
    this.#queue.shutDown();
  }
}

/**
 * Of two states of one event the newer one waits on. The older one is not needed, but a segment that has it
 * stays until the newer one is delivered.
 */
function merge(one: Waiting, other: Waiting): Waiting {
  const [newer, older] = isOlder(other.event, one.event) ? [one, other] : [other, one];
  older.passage?.arrived();
  const segments = new Set(newer.segments);
  for (const segment of older.segments ?? []) {
    if (segments.has(segment)) segment.release();
    else segments.add(segment);
  }
  return { event: newer.event, passage: newer.passage, segments };
}

function isOlder(left: CollectedEvent, right: CollectedEvent): boolean {
  if (!isResourceVersion(left.resourceVersion) || !isResourceVersion(right.resourceVersion)) {
    return false;
  }
  return compareResourceVersions(left.resourceVersion, right.resourceVersion) < 0;
}
