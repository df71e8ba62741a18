import { type Clock, type ScheduledCall, seededRandom } from 'client-ts/internal';
import type { TransportResponse } from 'client-ts/transport';

import type { ApiResponse, Handler } from '../http.ts';
import { memoryTransport } from '../transport/memory.ts';
import { Faults, type Identify } from './faults.ts';

/** A clock that stands still until something waits on it, then jumps there immediately. */
export class JumpingClock implements Clock {
  readonly waits: number[] = [];
  now(): number {
    return 0;
  }
  monotonic(): number {
    return 0;
  }
  schedule(delayMs: number, callback: () => void): ScheduledCall {
    this.waits.push(delayMs);
    queueMicrotask(callback);
    return { cancel: () => undefined, [Symbol.dispose]: () => undefined };
  }
}

export const event = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { kind: 'Pod', metadata: { name } } })}\n`;

export const watchResponse = (
  chunks: readonly (string | Uint8Array)[],
  contentType = 'application/json',
): ApiResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  body: (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })(),
});

export const ADDED: string = event('ADDED', 'a') + event('ADDED', 'b');
export const LATER: string = event('MODIFIED', 'a') + event('DELETED', 'b');

interface Setting {
  handler?: Handler;
  identify?: Identify;
}

export function setUp({ handler, identify }: Setting = {}): {
  faults: Faults;
  clock: JumpingClock;
  handled: string[];
  get: (path?: string, signal?: AbortSignal, method?: string) => Promise<TransportResponse>;
} {
  const clock = new JumpingClock();
  const faults = new Faults({ clock, random: seededRandom(7) });
  const handled: string[] = [];
  const fallback: Handler = async ({ url }) =>
    url.includes('watch=1')
      ? watchResponse([ADDED, LATER])
      : { status: 200, headers: {}, body: Buffer.from('{"fine":true}') };
  const wrapped = faults.wrap(async (request) => {
    handled.push(request.url);
    return (handler ?? fallback)(request);
  }, identify);
  const transport = memoryTransport(wrapped);
  const get = (
    path = '/api/v1/namespaces/n/pods',
    signal?: AbortSignal,
    method = 'GET',
  ): Promise<TransportResponse> =>
    transport.request({ method, path, headers: {}, ...(signal !== undefined && { signal }) });
  return { faults, clock, handled, get };
}

export const WATCH = '/api/v1/namespaces/n/pods?watch=1';
