import { requestedDelayMs } from '../../lib/requested-delay.ts';
import type { TransportResponse } from '../transport.ts';

/** True for verbs that change nothing, so that repeating them does no harm. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** `Date.parse` takes almost anything; this is the one form that servers may send. */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns how long the server asks to wait before the next attempt, in milliseconds and at most five
 * minutes; undefined if it does not ask. Only 429 and 5xx ask, with seconds or with a date; a date
 * that does not exist (`Fri, 99 Foo 2026 …`) asks for nothing.
 */
export function retryAfterMs(
  { status, headers }: Pick<TransportResponse, 'headers' | 'status'>,
  now: number,
): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d+$/.test(value)) return requestedDelayMs(Number(value) * 1000);
  const at = HTTP_DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : requestedDelayMs(at - now);
}
