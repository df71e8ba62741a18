// Replays a cluster of any size: lists (whole or in pages), the first state as a stream, and, when its
// parent process says so, changes as fast as the client reads them. Over TLS and HTTP/2, or with
// `--plain` over HTTP/1.1.
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { CertificateAuthority } from '@client-ts/apiserver';
import { payloads, requestOf } from './payload.mjs';

const HOST = '127.0.0.1';
const isPlain = process.argv.includes('--plain');
const all = payloads({ forSocket: isPlain });
const state = { objects: 0, streams: true };
const watches = new Set();

/** As fast as the other side reads. `output` is a socket or a response. */
async function send(output, blocks) {
  for (const block of blocks) {
    if (output.destroyed) return;
    // Called with an error if the other side goes, which is how every watch ends here.
    await new Promise((resolve) => output.write(block, resolve));
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
  await send(response, blocks());
  response.end();
}

async function watch(response, { payload, wantsInitialEvents }) {
  if (wantsInitialEvents && !state.streams) {
    refuse(response, 422, 'Invalid', 'sendInitialEvents: Forbidden: switched off for this run');
    return;
  }
  const { objects } = state;
  const chunked = isPlain ? { 'transfer-encoding': 'chunked' } : {};
  response.writeHead(200, { 'content-type': payload.watchType, ...chunked });
  response.flushHeaders();
  // The blocks for HTTP/1.1 contain the marks of its chunks.
  const output = isPlain ? response.socket : response.stream;
  if (wantsInitialEvents) await send(output, payload.initialEvents(objects));
  let sent = 0;
  const change = (count) => {
    const from = sent;
    sent += count;
    return send(output, payload.modifications(objects, from, sent));
  };
  watches.add(change);
  output.once('close', () => watches.delete(change));
}

function handle(request, response) {
  const wanted = requestOf(request.url, request.headers.accept ?? '', all);
  if (wanted === undefined) refuse(response, 404, 'NotFound', 'there is no such resource');
  else void (wanted.isWatch ? watch(response, wanted) : list(response, wanted)).catch(() => {});
}

/** The server, and the CA that clients trust, if it has one. */
function makeServer() {
  if (isPlain) return { server: createServer(handle) };
  const authority = new CertificateAuthority({ clock: { now: () => Date.now() } });
  const { certificate: cert, key } = authority.issueServerCertificate([HOST]);
  // client-node speaks HTTP/1.1 only.
  const server = createSecureServer({ cert, key, allowHTTP1: true }, handle);
  return { server, ca: authority.certificate };
}

const { server, ca } = makeServer();
process.on('message', ({ changes, ...settings }) => {
  Object.assign(state, settings);
  if (changes !== undefined) for (const change of watches) void change(changes);
  process.send({ watches: watches.size });
});
process.on('disconnect', () => process.exit());
server.listen(0, HOST, () => {
  const url = `${isPlain ? 'http' : 'https'}://${HOST}:${server.address().port}`;
  process.send({ url, ca });
});
