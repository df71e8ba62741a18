// Watches over HTTP/1.1 and HTTP/2: how long an event takes, how many pass per second, what a
// stream costs. Each measurement starts a new client process.
import { fork } from 'node:child_process';
import { createTransport } from 'client-ts/transport';
import { format, median, table } from '../lib/report.mjs';

const NAMESPACE = '/api/v1/namespaces/bench';
const MAPS = `${NAMESPACE}/configmaps`;
const now = () => performance.timeOrigin + performance.now();

async function call(transport, method, path, value) {
  const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value));
  const headers = { 'content-type': 'application/json' };
  const answer = await transport.request({ method, path, headers, ...(body && { body }) });
  const chunks = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks));
}

/** An object about as large as a pod. */
function configMap(name, sent) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(sent && { annotations: { sent } }) },
    data: { text: 'x'.repeat(3500) },
  };
}

function startClient(server, protocol, streams) {
  const options = { url: server.url, ca: server.ca, token: server.token };
  const input = JSON.stringify({ ...options, protocol, streams, path: `${MAPS}?watch=1` });
  const child = fork(new URL('./watch-client.mjs', import.meta.url), [input], {
    execArgv: ['--expose-gc'],
  });
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const ask = (question) => {
    const answer = next();
    child.send(question);
    return answer;
  };
  return next().then(() => ({
    ask,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.send({ ask: 'stop' });
      await gone;
    },
  }));
}

async function measure(server, writer, { protocol, streams, history, from, latest, writes }) {
  const result = {};
  // Throughput: what happened before, as fast as it goes.
  const reader = await startClient(server, protocol, streams);
  await reader.ask({ ask: 'open', from, isTimed: false });
  let state;
  do state = await reader.ask({ ask: 'state' });
  while (state.events < streams * history);
  result.eventsPerSecond = state.events / (state.elapsedMs / 1000);
  result.cpuMicros = (state.cpuMs * 1000) / state.events;
  await reader.stop();
  // Latency and memory: streams that wait, and an event now and then.
  const waiting = await startClient(server, protocol, streams);
  const { openMs } = await waiting.ask({ ask: 'open', from: latest(), isTimed: true });
  result.openMs = openMs;
  const memory = await waiting.ask({ ask: 'memory' });
  result.kbUsed = memory.used / streams / 1024;
  result.kbRss = memory.rss / streams / 1024;
  for (let round = 0; round < writes; round += 1) {
    const map = configMap(`late-${protocol}-${streams}-${round}-${now()}`, now().toFixed(3));
    const { metadata } = await call(writer, 'POST', MAPS, map);
    latest(metadata.resourceVersion);
    do state = await waiting.ask({ ask: 'state' });
    while (state.events < streams * (round + 1));
  }
  result.latency = median(state.latencies);
  await waiting.stop();
  return result;
}

export async function measureWatches(server, { counts, history, rounds, writes }) {
  const { url, ca, token } = server;
  const writer = createTransport({ server: url, tls: { ca }, auth: { token } });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } };
  await call(writer, 'POST', '/api/v1/namespaces', namespace);
  const { metadata } = await call(writer, 'GET', `${MAPS}?limit=1`);
  const from = metadata.resourceVersion;
  let newest = from;
  const latest = (version) => (newest = version ?? newest);
  for (let index = 0; index < history; index += 1) {
    const created = await call(writer, 'POST', MAPS, configMap(`map-${index}`));
    latest(created.metadata.resourceVersion);
  }
  const rows = [];
  for (const streams of counts) {
    const results = { http1: [], auto: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const protocol of Object.keys(results)) {
        const options = { protocol, streams, history, from, latest, writes };
        results[protocol].push(await measure(server, writer, options));
      }
    }
    for (const [protocol, runs] of Object.entries(results)) {
      const middle = (field) => format(median(runs.map((run) => run[field])));
      rows.push([
        `${streams} × ${protocol === 'auto' ? 'HTTP/2' : 'HTTP/1.1'}`,
        ...['latency', 'eventsPerSecond', 'cpuMicros', 'kbUsed', 'kbRss', 'openMs'].map(middle),
      ]);
    }
  }
  await writer[Symbol.asyncDispose]();
  return table(
    [
      'watches',
      'latency, ms',
      'events/s',
      'client CPU, µs/event',
      'heap+buffers, KB/watch',
      'RSS, KB/watch',
      'opening all, ms',
    ],
    rows,
  );
}
