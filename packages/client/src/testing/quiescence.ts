import { systemClock } from '../lib/clock.ts';
import { nextTurn } from '../lib/next-turn.ts';

/**
 * File requests, by which Node 20 to 24 also load modules (Node 26 loads them in promise callbacks). Sockets, pipes
 * and timers wait for input and are not included.
 */
const FILES: ReadonlySet<string> = new Set(['CloseReq', 'FSReqCallback', 'FSReqPromise']);

/** More turns than any test needs; only an endless loop reaches it. */
const TURN_LIMIT = 100_000;
/** So many turns take a tenth of a second if there is nothing to do but to wait for a disk, which may be busy for longer. */
const FILE_LIMIT_MS = 120_000;

/**
 * Resolves when nothing is pending in this process: no promise callback, no immediate, no module
 * being loaded. Only external input or a timer can cause further work.
 *
 * Does not cover sockets, and of files only single requests: await the effect of a write instead. Rejects if the
 * process does not become idle, for example because it polls in a loop.
 */
export async function quiescence(): Promise<void> {
  const startedAt = systemClock.monotonic();
  for (let turns = 0; turns < TURN_LIMIT;) {
    await nextTurn();
    const pending = process.getActiveResourcesInfo();
    if (pending.includes('Immediate')) turns += 1;
    else if (!pending.some((kind) => FILES.has(kind))) return;
    else if (systemClock.monotonic() - startedAt > FILE_LIMIT_MS) {
      throw new Error(`the process still waits for files after ${FILE_LIMIT_MS / 1000} s`);
    }
  }
  throw new Error(`the process is still busy after ${TURN_LIMIT} turns of the event loop`);
}
