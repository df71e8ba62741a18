import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { Heap, type HeapItem } from '../lib/heap.ts';
import { quiescence } from './quiescence.ts';

interface PendingCall extends HeapItem {
  readonly dueAt: number;
  /** Calls of the same time run in the order in which they were scheduled. */
  readonly order: number;
  readonly callback: () => void;
}

/** Where a {@link VirtualClock} starts. */
export interface VirtualClockOptions {
  /** What {@link VirtualClock.now} says at first; midnight of 1 January 2026 unless told. */
  readonly startMs?: number;
}

/**
 * A clock that stands still until the test moves it. Nothing depends on real time: a test that
 * passes hours takes milliseconds, and takes the same course every time.
 */
export class VirtualClock implements Clock {
  readonly #calls = new Heap<PendingCall>((left, right) =>
    left.dueAt === right.dueAt ? left.order < right.order : left.dueAt < right.dueAt,
  );
  #elapsedMs = 0;
  #wallOffsetMs: number;
  #scheduled = 0;

  constructor({ startMs = Date.UTC(2026, 0, 1) }: VirtualClockOptions = {}) {
    this.#wallOffsetMs = startMs;
  }

  now(): number {
    return this.#wallOffsetMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, callback: () => void): ScheduledCall {
    const call: PendingCall = {
      dueAt: this.#elapsedMs + Math.max(0, delayMs),
      order: this.#scheduled++,
      callback,
      heapIndex: -1,
    };
    this.#calls.push(call);
    const cancel = (): void => {
      this.#calls.remove(call);
    };
    return { cancel, [Symbol.dispose]: cancel };
  }

  /** How many calls are scheduled; 0 when everything that was started has cleaned up. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Milliseconds until the next scheduled call; undefined if there is none. */
  get untilNext(): number | undefined {
    const next = this.#calls.peek();
    return next === undefined ? undefined : next.dueAt - this.#elapsedMs;
  }

  /**
   * Moves time forward. Every call that becomes due runs at its own time, in order, including calls
   * scheduled on the way. Before the first call and after each one it waits for
   * {@link quiescence}. If a call throws, the advance ends at that point with its error.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsedMs + ms;
    await quiescence();
    for (let next = this.#calls.peek(); next !== undefined; next = this.#calls.peek()) {
      if (next.dueAt > target) break;
      this.#calls.remove(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueAt);
      next.callback();
      await quiescence();
    }
    this.#elapsedMs = target;
  }

  /** Advances to the next scheduled call and runs it; false if there is none. */
  async advanceToNext(): Promise<boolean> {
    await quiescence();
    const wait = this.untilNext;
    if (wait === undefined) return false;
    await this.advance(wait);
    return true;
  }

  /** Sets the wall clock forward or back, as an administrator may; delays are not affected. */
  jump(ms: number): void {
    this.#wallOffsetMs += ms;
  }
}
