import { type Clock, sleep } from '../lib/clock.ts';
import { messageOf, retryOf } from '../lib/errors.ts';
import { hasStatusCause, isAlreadyExists, isNotFound } from '../meta/error-guards.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Sink } from './event-sink.ts';
import type { EventCounters } from './event-statistics.ts';
import type { Pace } from './event-watcher.ts';
import { RecordError, type RecordErrorCode } from './record-error.ts';

/** How an {@link EventWriter} writes. */
export interface EventWriterOptions<E, P> {
  readonly sink: Sink<E, P>;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly maxTries: number;
  /** Milliseconds to wait after so many tries. */
  readonly delayAfter: (tries: number) => number;
  readonly counters: EventCounters;
  readonly onError: (error: RecordError) => void;
}

/**
 * Writes events one after another, each as often as it takes. While the server is away everything
 * waits: events that come later would fail as well.
 */
export class EventWriter<E extends KubernetesObject, P> {
  readonly #options: EventWriterOptions<E, P>;

  constructor(options: EventWriterOptions<E, P>) {
    this.#options = options;
  }

  /**
   * Creates the event, or patches it if there is a patch; an event that has expired meanwhile is
   * created again. Gives what the server made of it, or undefined if it is lost; never throws.
   */
  async write(event: E, patch?: P): Promise<E | undefined> {
    const { clock, counters, delayAfter, maxTries, pace } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        const stored = await this.#attempt(event, patch);
        counters.written += 1;
        return stored;
      } catch (error) {
        if (isFinal(error, patch !== undefined)) return this.#refuse(event, error);
        if (tries >= maxTries) return this.#abandon('RECORD_GAVE_UP', event, error);
        if (pace.hurry.aborted) return this.#abandon('RECORD_SHUT_DOWN', event, error);
      }
      // A shutdown ends the wait, and the event gets its last try at once.
      await sleep(clock, delayAfter(tries), { signal: pace.hurry }).catch(() => undefined);
    }
  }

  async #attempt(event: E, patch: P | undefined): Promise<E> {
    const { sink, pace } = this.#options;
    const options = { signal: pace.stop };
    options.signal.throwIfAborted();
    if (patch !== undefined) {
      try {
        return await sink.patch(event, patch, options);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return await sink.create(withoutResourceVersion(event), options);
  }

  #refuse(event: E, cause: unknown): undefined {
    this.#options.counters.refused += 1;
    // Both are nobody's fault: an earlier try came through after all, or the end is near anyway.
    if (isAlreadyExists(cause) || hasStatusCause(cause, 'NamespaceTerminating')) return;
    this.#report('RECORD_REFUSED', event, cause);
  }

  #abandon(code: RecordErrorCode, event: E, cause: unknown): undefined {
    this.#options.counters.abandoned += 1;
    this.#report(code, event, cause);
  }

  #report(code: RecordErrorCode, { metadata }: E, cause: unknown): void {
    const name = `${metadata?.namespace}/${metadata?.name}`;
    const message = `the event ${name} was not written: ${messageOf(cause)}`;
    this.#options.onError(new RecordError(code, message, { cause }));
  }
}

/**
 * Writing an event twice does no harm: the second create finds it. An error of a sink that says
 * nothing about retries may pass. An event that was gone when it was patched and is there when it is
 * created was created concurrently: the patch works the next time.
 */
function isFinal(error: unknown, isPatch: boolean): boolean {
  if (isPatch && isAlreadyExists(error)) return false;
  return retryOf(error, 'unsafe') === 'never';
}

function withoutResourceVersion<E extends KubernetesObject>(event: E): E {
  const { resourceVersion: _dropped, ...metadata } = event.metadata ?? {};
  return { ...event, metadata };
}
