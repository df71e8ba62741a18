import { WorkQueue } from 'client-ts/workqueue';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import type { CollectedEvent } from './collected-event.ts';
import type { Passage } from './progress.ts';

/** A segment of the spool whose events are in memory. It stays on disk while it is retained. */
export interface SegmentHold {
  /** Another queued event needs the segment. */
  retain(): void;
  /** One of these events no longer needs it. */
  release(): void;
}

/** A queued event. */
export interface Waiting {
  readonly event: CollectedEvent;
  /** Set for an event straight from the source, which only memory has. */
  readonly passage?: Passage | undefined;
  /** The segments that contain it or an older state of it, each retained once. */
  readonly segments?: ReadonlySet<SegmentHold>;
}

/**
 * The queue between the source and the writers of one sink. Of an event that changes while it is
 * queued, only the newest state is written, and two writers never have states of the same event at
 * the same time.
 */
export class Backlog {
  readonly #queue: WorkQueue<Waiting>;
  /** The queued events, without those that writers hold. */
  readonly #waiting = new Map<string, Waiting>();

  /** `name` is that of the queue in diagnostics. */
  constructor(name?: string) {
    this.#queue = new WorkQueue({ name, keyFunc: ({ event }) => event.uid });
  }

  /** The number of queued events. */
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

  /** Waits for an event and takes a batch of up to `max`; empty after {@link Backlog.close}. */
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

  /** Settles a batch that the sink has accepted. */
  finish(batch: readonly Waiting[]): void {
    for (const { passage, segments = [] } of batch) {
      passage?.arrived();
      for (const segment of segments) segment.release();
    }
    this.giveUp(batch);
  }

  /** Drops a batch that this process will not write: disk or source still has its events. */
  giveUp(batch: readonly Waiting[]): void {
    for (const item of batch) this.#queue.done(item);
  }

  /** Accepts no more events; those queued are still handed out. */
  close(): void {
    this.#queue.shutDown();
  }
}

/**
 * Keeps the newer of two states of an event. A segment with the older state stays until the newer
 * one is delivered.
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
