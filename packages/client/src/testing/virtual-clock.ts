import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { BinaryHeap, type BinaryHeapItem } from '../lib/binary-heap.ts';
import { quiescence } from './quiescence.ts';

interface PendingCall extends BinaryHeapItem {
  readonly dueAt: number;
  /** The order of scheduling, which breaks ties. */
  readonly order: number;
  readonly callback: () => void;
}

/** Options of {@link VirtualClock}. */
export interface VirtualClockOptions {
  /** The initial {@link VirtualClock.now}. Default: 2026-01-01T00:00:00Z. */
  readonly startMs?: number | undefined;
}

/**
 * A clock that only moves when the test advances it. Tests that cover hours run in milliseconds and
 * are deterministic.
 */
export class VirtualClock implements Clock {
  readonly #calls = new BinaryHeap<PendingCall>((left, right) =>
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

  /** The number of scheduled calls; 0 when all timers have fired or were cancelled. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Milliseconds until the next scheduled call; undefined if there is none. */
  get untilNext(): number | undefined {
    const next = this.#calls.peek();
    return next === undefined ? undefined : next.dueAt - this.#elapsedMs;
  }

  /**
   * Advances the time. Each due call runs at its own time, in order, including calls scheduled
   * meanwhile. Waits for {@link quiescence} before the first call and after each one. If a call
   * throws, the advance stops there and rejects with the error.
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

  /** Advances to the next scheduled call and runs it; returns false if there is none. */
  async advanceToNext(): Promise<boolean> {
    await quiescence();
    const wait = this.untilNext;
    if (wait === undefined) return false;
    await this.advance(wait);
    return true;
  }

  /** Sets the wall clock forward or back; scheduled calls are not affected. */
  jump(ms: number): void {
    this.#wallOffsetMs += ms;
  }
}
