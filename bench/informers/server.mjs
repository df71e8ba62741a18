// Replays a cluster of any size: lists (whole or in pages), the first state as a stream, and, when its
// parent process says so, changes as fast as the client reads them.
import { createServer } from 'node:http';
import { payloads, requestOf } from './payload.mjs';

const all = payloads({ forSocket: true });
const state = { objects: 0, streams: true };
const watches = new Set();

/** As fast as the other side reads. */
async function send(socket, blocks) {
  for (const block of blocks) {
    if (socket.destroyed) return;
    // Called with an error if the other side goes, which is how every watch ends here.
    await new Promise((resolve) => socket.write(block, resolve));
  }
}

const refuse = (response, code, reason, message) => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
};

async function list(response, { payload, limit, from }) {
  const to = limit > 0 ? Math.min(from + limit, state.objects) : state.objects;
  const { size, blocks } = payload.page(from, to, to === state.objects);
  response.writeHead(200, { 'content-type': payload.contentType, 'content-length': size });
  for (const block of blocks()) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(block, resolve));
  }
  response.end();
}

async function watch(response, { payload, wantsInitialEvents }) {
  if (wantsInitialEvents && !state.streams) {
    refuse(response, 422, 'Invalid', 'sendInitialEvents: Forbidden: switched off for this run');
    return;
  }
  const { objects } = state;
  const { socket } = response;
  const head = { 'content-type': payload.watchType, 'transfer-encoding': 'chunked' };
  response.writeHead(200, head).flushHeaders();
  if (wantsInitialEvents) await send(socket, payload.initialEvents(objects));
  const change = (count) => send(socket, payload.modifications(objects, count));
  watches.add(change);
  socket.once('close', () => watches.delete(change));
}

const server = createServer((request, response) => {
  const wanted = requestOf(request.url, request.headers.accept ?? '', all);
  if (wanted === undefined) refuse(response, 404, 'NotFound', 'there is no such resource');
  else void (wanted.isWatch ? watch(response, wanted) : list(response, wanted)).catch(() => {});
});
process.on('message', ({ changes, ...settings }) => {
  Object.assign(state, settings);
  if (changes !== undefined) for (const change of watches) void change(changes);
  process.send({ watches: watches.size });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
