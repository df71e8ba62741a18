/**
 * Retries failing work with exponential back-off per item and a rate limit over all items; a
 * terminal error is not retried. Runs on a virtual clock, so an hour passes in milliseconds.
 *
 *   npx node examples/retry-demo.ts
 */
import { VirtualClock } from 'client-ts/testing';
import {
  BucketRateLimiter,
  ItemExponentialFailureRateLimiter,
  MaxOfRateLimiter,
  RateLimitingQueue,
  requeueAfter,
  runWorkers,
  terminal,
} from 'client-ts/workqueue';

const clock = new VirtualClock();
const stop = new AbortController();
const now = (): string => `${(clock.monotonic() / 1000).toFixed(3).padStart(8)} s `;

// Per item 1 s, 2 s, 4 s, … up to a minute; over all items one retry every 2 s after a burst of 3.
const rateLimiter = new MaxOfRateLimiter<string>([
  new ItemExponentialFailureRateLimiter({ baseDelayMs: 1000, maxDelayMs: 60_000 }),
  new BucketRateLimiter({ qps: 0.5, burst: 3, clock }),
]);
using queue = new RateLimitingQueue<string>({ clock, rateLimiter });

const running = runWorkers(
  queue,
  {
    workers: 2,
    signal: stop.signal,
    timeoutMs: 5000,
    clock,
    onError: ({ code, message }) => console.log(`${now()} ${code} ${message}`),
  },
  async (key, { attempt, signal }) => {
    if (key === 'flaky' && attempt <= 4) throw new Error('connection refused');
    if (key === 'wrong') throw terminal(new Error('replicas: -1 is negative'));
    if (key === 'stuck' && attempt === 1) await untilAborted(signal);
    console.log(`${now()} ${key} succeeded at attempt ${attempt}`);
    return key === 'certificate' ? requeueAfter(3_000_000) : undefined;
  },
);

for (const key of ['flaky', 'wrong', 'stuck', 'certificate']) queue.add(key);
await clock.advance(3_600_000);

console.log('five items that fail together are retried one by one:');
for (const key of ['a', 'b', 'c', 'd', 'e']) queue.addRateLimited(key);
await clock.advance(60_000);

stop.abort();
await running;

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
