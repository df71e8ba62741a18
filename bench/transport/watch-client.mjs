// A process that watches: opens streams, counts events, and reports what that cost.
import { createTransport } from 'client-ts/transport';

const { url, ca, token, protocol, streams, path } = JSON.parse(process.argv[2]);
const transport = createTransport({ server: url, tls: { ca }, auth: { token }, protocol });
const state = { events: 0, bytes: 0, latencies: [] };
const now = () => performance.timeOrigin + performance.now();

function memory() {
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, used: heapUsed + external };
}

async function read({ body }) {
  for await (const chunk of body) {
    state.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) state.events += 1;
    // Only where single events are waited for; looking into every chunk would be most of the cost.
    if (!state.isTimed) continue;
    const sent = /"sent":"(\d+\.\d+)"/.exec(Buffer.from(chunk).toString('latin1'));
    if (sent !== null) state.latencies.push(now() - Number(sent[1]));
  }
}

// The first connection is there before anything is measured.
for await (const _ of (await transport.request({ method: 'GET', path: '/version', headers: {} }))
  .body);
const before = memory();
let reading;

/** @param {{ ask: string, from?: string, isTimed?: boolean }} message */
async function answer({ ask, from, isTimed }) {
  if (ask === 'open') {
    const start = performance.now();
    const watch = from === undefined ? path : `${path}&resourceVersion=${from}`;
    const cpu = process.cpuUsage();
    const answers = await Promise.all(
      Array.from({ length: streams }, () =>
        transport.request({ method: 'GET', path: watch, headers: {}, stream: true }),
      ),
    );
    state.isTimed = isTimed;
    state.startedAt = start;
    state.cpu = cpu;
    reading = answers.map((one) => read(one).catch(() => undefined));
    process.send({ openMs: performance.now() - start });
  } else if (ask === 'state') {
    const { user, system } = process.cpuUsage(state.cpu);
    const { events, bytes, latencies } = state;
    const elapsedMs = performance.now() - state.startedAt;
    process.send({ events, bytes, latencies, elapsedMs, cpuMs: (user + system) / 1000 });
  } else if (ask === 'memory') {
    const after = memory();
    process.send({ rss: after.rss - before.rss, used: after.used - before.used });
  } else {
    await transport[Symbol.asyncDispose]();
    await Promise.all(reading ?? []);
    process.disconnect();
  }
}

process.on('message', (message) => void answer(message));
process.send('ready');
