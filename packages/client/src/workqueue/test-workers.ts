import { VirtualClock } from '../testing/virtual-clock.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';
import type { Reconcile, ReconcileError } from './reconcile.ts';
import { runWorkers, type RunWorkersOptions } from './run-workers.ts';

/** Starts workers on a queue with a virtual clock. */
export function startWorkers(
  reconcile: Reconcile<string>,
  options: Partial<RunWorkersOptions> = {},
): {
  readonly clock: VirtualClock;
  readonly queue: RateLimitingQueue<string>;
  readonly errors: ReconcileError[];
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
} {
  const clock = new VirtualClock();
  const queue = new RateLimitingQueue<string>({ clock });
  const errors: ReconcileError[] = [];
  const stop = new AbortController();
  let hasEnded = false;
  const onError = (error: ReconcileError): void => void errors.push(error);
  const ended = runWorkers(queue, { clock, signal: stop.signal, onError, ...options }, reconcile);
  const note = (): boolean => (hasEnded = true);
  void ended.then(note, note);
  return { clock, queue, errors, stop, ended, hasEnded: () => hasEnded };
}
