// The same bytes without a socket and another process: what is left is the client alone.
import { payloads, requestOf } from './payload.mjs';

/** A transport for `RESTClient.over`; `change` lets the changes of open watches begin. */
export function replayTransport(objects) {
  const all = payloads({ forSocket: false });
  let change;
  const changes = new Promise((resolve) => (change = resolve));

  async function* watchBody({ payload, wantsInitialEvents }, signal) {
    const end = new Promise((resolve) => signal.addEventListener('abort', () => resolve(0)));
    if (wantsInitialEvents) yield* turns(payload.initialEvents(objects));
    const count = await Promise.race([changes, end]);
    yield* turns(payload.modifications(objects, 0, count));
    await end;
  }
  return {
    change,
    request: async ({ path, headers, signal }) => {
      const wanted = requestOf(path, String(headers.accept ?? ''), all);
      const { payload, isWatch, limit, from } = wanted;
      const contentType = isWatch ? payload.watchType : payload.contentType;
      const to = limit > 0 ? Math.min(from + limit, objects) : objects;
      const body = isWatch
        ? watchBody(wanted, signal)
        : turns(payload.page(from, to, to === objects).blocks());
      return { status: 200, headers: { 'content-type': contentType }, body };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Bytes come in a turn of the event loop of their own, as they would from a socket. */
async function* turns(blocks) {
  for (const block of blocks) {
    await new Promise((resolve) => setImmediate(resolve));
    yield block;
  }
}
