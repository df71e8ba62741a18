import { nextTurn } from '../lib/next-turn.ts';

/**
 * Work that this process carries on by itself: callbacks of the next turn, and the file requests by
 * which Node 20 to 24 load modules (Node 26 loads them within promise callbacks). Sockets, pipes and
 * timers wait for input and do not count.
 */
const UNDER_WAY: ReadonlySet<string> = new Set([
  'CloseReq',
  'FSReqCallback',
  'FSReqPromise',
  'Immediate',
]);

/** Far more turns than any test needs; reached only by a loop that never ends. */
const TURN_LIMIT = 100_000;

/**
 * Resolves when nothing is pending in this process: no promise callback, no callback of a later
 * turn, no module being loaded. Only input from outside or the clock can cause more.
 *
 * Sockets and files are outside: wait for the effect of a write to a socket instead. Rejects if the
 * process does not come to rest, for example because it polls in a loop.
 */
export async function quiescence(): Promise<void> {
  for (let turn = 0; turn < TURN_LIMIT; turn += 1) {
    await nextTurn();
    if (!process.getActiveResourcesInfo().some((kind) => UNDER_WAY.has(kind))) return;
  }
  throw new Error(`the process is still busy after ${TURN_LIMIT} turns of the event loop`);
}
