import { nextTurn } from '../lib/next-turn.ts';

/**
 * Resources with a pending callback: immediates, and the file requests by which Node 20 to 24 load
 * modules (Node 26 loads them in promise callbacks). Sockets, pipes and timers wait for input and are
 * not included.
 */
const PENDING: ReadonlySet<string> = new Set([
  'CloseReq',
  'FSReqCallback',
  'FSReqPromise',
  'Immediate',
]);

/** More turns than any test needs; only an endless loop reaches it. */
const TURN_LIMIT = 100_000;

/**
 * Resolves when nothing is pending in this process: no promise callback, no immediate, no module
 * being loaded. Only external input or a timer can cause further work.
 *
 * Does not cover sockets and files: await the effect of a write to a socket instead. Rejects if the
 * process does not become idle, for example because it polls in a loop.
 */
export async function quiescence(): Promise<void> {
  for (let turn = 0; turn < TURN_LIMIT; turn += 1) {
    await nextTurn();
    if (!process.getActiveResourcesInfo().some((kind) => PENDING.has(kind))) return;
  }
  throw new Error(`the process is still busy after ${TURN_LIMIT} turns of the event loop`);
}
