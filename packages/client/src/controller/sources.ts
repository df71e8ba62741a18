import { metaNamespaceKeyFunc } from '../cache/store.ts';
import { Backoff } from '../lib/backoff.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumber, OptionError } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { abortable } from '../lib/signal.ts';
import { ControllerError } from './controller-error.ts';
import type { ReconcileRequest } from './reconcile-request.ts';

/** Asks for all objects of a controller to be reconciled. */
export const ALL_OBJECTS: unique symbol = Symbol('all objects');

/** What a {@link Source} yields: the name of an object, or {@link ALL_OBJECTS}. */
export type SourceRequest = ReconcileRequest | typeof ALL_OBJECTS;

/** What a {@link Source} function is called with. */
export interface SourceOptions {
  /** Aborts when the controller stops. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Triggers reconciles from outside the cluster: a message queue, a webhook, a timer. An async
 * iterable is read once. A function is called again, with back-off, when what it returned fails.
 */
export type Source =
  | AsyncIterable<SourceRequest>
  | ((options: SourceOptions) => AsyncIterable<SourceRequest>);

/**
 * Returns a source that yields at a fixed interval, first after one interval: all objects, or those
 * that `requests` returns.
 */
export function timer(everyMs: number, requests?: () => Iterable<ReconcileRequest>): Source {
  checkNumber('everyMs', everyMs, 'duration');
  if (everyMs === 0) throw new OptionError('everyMs', '0 would never let anything else run');
  return async function* tick({ signal, clock }): AsyncGenerator<SourceRequest> {
    for (;;) {
      await sleep(clock, everyMs, { signal });
      if (requests === undefined) yield ALL_OBJECTS;
      else yield* requests();
    }
  };
}

/** Options of {@link runSource}. */
export interface RunSourceOptions extends LoggerOption {
  /** Called with the key of each object that the source names. */
  readonly enqueue: (key: string) => void;
  /** Called when the source asks for all objects. */
  readonly enqueueAll: () => void;
  /** Stops the source. */
  readonly signal: AbortSignal;
  /** Called when the source fails. Default: logs a warning. */
  readonly onError?: ((error: ControllerError) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

const BACKOFF = { initialMs: 1000, maxMs: 60_000, jitter: 0.5, resetAfterMs: 120_000 };

/**
 * Enqueues what a source yields until it ends or the signal aborts. A failure is reported and does
 * not reject: a source that is a function is started again with back-off, an iterable has ended. A
 * source that ignores the signal is not waited for.
 */
export async function runSource(source: Source, options: RunSourceOptions): Promise<void> {
  const { signal, clock = systemClock, random = systemRandom } = options;
  const logger = loggerOf(options.logger);
  const { onError = errorLogger(logger, 'controller.failed') } = options;
  const report = guardCallback('onError of a source', onError, logger);
  const backoff = new Backoff({ ...BACKOFF, clock, random });
  while (!signal.aborted) {
    try {
      await readSource(source, options, clock);
      return;
    } catch (cause) {
      if (signal.aborted) return;
      const message = `a source failed: ${messageOf(cause)}`;
      report(new ControllerError('CONTROLLER_SOURCE_FAILED', message, { cause }));
      if (typeof source !== 'function') return;
      await sleep(clock, backoff.next(), { signal }).catch(() => undefined);
    }
  }
}

async function readSource(
  source: Source,
  { signal, enqueue, enqueueAll }: RunSourceOptions,
  clock: Clock,
): Promise<void> {
  const requests = typeof source === 'function' ? source({ signal, clock }) : source;
  const iterator = requests[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await abortable(iterator.next(), signal);
      isOver = next.done === true;
      if (next.done === true) return;
      if (next.value === ALL_OBJECTS) enqueueAll();
      else enqueue(keyOfRequest(next.value));
    }
  } catch (error) {
    // `return` of a generator that waits would not resolve, so it is not awaited.
    if (!isOver) void endIterator(iterator);
    throw error;
  }
}

async function endIterator(iterator: AsyncIterator<SourceRequest>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The source has already failed or is no longer wanted.
  }
}

function keyOfRequest({ namespace = '', name }: ReconcileRequest): string {
  if (typeof name !== 'string' || name === '') throw new TypeError('a request has no name');
  return metaNamespaceKeyFunc({ metadata: { namespace, name } });
}
