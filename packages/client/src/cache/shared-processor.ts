import type { Clock } from '../lib/clock.ts';
import type { CacheError } from './cache-error.ts';
import type { Notification, NotificationBatch } from './notification.ts';
import type { ProcessorListener } from './processor-listener.ts';

interface Entry<T extends object> {
  readonly listener: ProcessorListener<T>;
  /** What was asked for, and what the informer can do. 0 for never. */
  readonly requestedMs: number;
  periodMs: number;
  nextResyncAt: number;
}

/** Hands what happens on to all listeners of an informer. */
export class SharedProcessor<T extends object> {
  /** Another array after every change, so that one that is gone through stays as it is. */
  #entries: readonly Entry<T>[] = [];
  #due = new Set<ProcessorListener<T>>();

  add(listener: ProcessorListener<T>, requestedMs: number, periodMs: number, now: number): void {
    const entry = { listener, requestedMs, periodMs, nextResyncAt: now + periodMs };
    this.#entries = [...this.#entries, entry];
  }

  /** Does nothing for a listener that is not here. */
  remove(listener: ProcessorListener<T>): void {
    this.#entries = this.#entries.filter((entry) => entry.listener !== listener);
  }

  distribute(notification: Notification<T>): void {
    for (const { listener } of this.#entries) listener.add(notification);
  }

  distributeBatch(batch: NotificationBatch<T>): void {
    for (const { listener } of this.#entries) listener.addBatch(batch);
  }

  upstreamSynced(): void {
    for (const { listener } of this.#entries) listener.upstreamSynced();
  }

  upstreamStarted(): void {
    for (const { listener } of this.#entries) listener.upstreamStarted();
  }

  upstreamStopped(error: CacheError): void {
    for (const { listener } of this.#entries) listener.upstreamStopped(error);
  }

  /** The listener whose handler is the caller, if one is. */
  get caller(): ProcessorListener<T> | undefined {
    return this.#entries.find(({ listener }) => listener.isCaller)?.listener;
  }

  /** Resolves when every listener but one has handled what it was told. */
  async idle(but?: ProcessorListener<T>): Promise<void> {
    const others = this.#entries.filter(({ listener }) => listener !== but);
    await Promise.all(others.map(({ listener }) => listener.idle()));
  }

  /**
   * Resolves when every listener has handled what it was told. After the grace period those that
   * have not are reported and removed, and no longer waited for.
   */
  async drain(gracePeriodMs: number, clock: Pick<Clock, 'schedule'>): Promise<void> {
    const giveUp = (): void => {
      for (const { listener } of this.#entries) listener.giveUp('after the informer was stopped');
    };
    using _timer =
      gracePeriodMs < Infinity && this.#entries.some(({ listener }) => listener.pending > 0)
        ? clock.schedule(gracePeriodMs, giveUp)
        : undefined;
    await this.idle();
  }

  /** Undefined unless somebody must be waited for. */
  room(): Promise<void> | undefined {
    for (const { listener } of this.#entries) {
      const room = listener.room();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /** Notes who is due, all in one go, and says whether anybody is. */
  shouldResync(now: number): boolean {
    let isAnyDue = false;
    this.#due = new Set();
    for (const entry of this.#entries) {
      if (entry.periodMs <= 0 || now < entry.nextResyncAt) continue;
      isAnyDue = true;
      this.#due.add(entry.listener);
      entry.nextResyncAt = now + entry.periodMs;
    }
    return isAnyDue;
  }

  /** Hands objects out once more, to those who were due when it was decided. */
  resync(objects: readonly T[]): void {
    for (const listener of this.#due) listener.addBatch({ type: 'resync', items: objects });
  }

  /** The informer looks for resyncs at other times from now on. */
  checkPeriodChanged(checkPeriodMs: number, now: number): void {
    for (const entry of this.#entries) {
      entry.periodMs = resyncPeriodFor(entry.requestedMs, checkPeriodMs);
      entry.nextResyncAt = now + entry.periodMs;
    }
  }
}

/**
 * How often a listener can be resynced that asks for `requestedMs`, by an informer that looks every
 * `checkPeriodMs`: not more often, and never if one of them does not want it.
 */
export function resyncPeriodFor(requestedMs: number, checkPeriodMs: number): number {
  if (requestedMs <= 0 || checkPeriodMs <= 0) return 0;
  return Math.max(requestedMs, checkPeriodMs);
}
