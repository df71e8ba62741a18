// npm run bench -- apiserver [--pods N] [--configmaps N] [--rounds N] [--peer KUBECONFIG]
// How fast the embedded API server is, beside another API server in the same run.
import { readFileSync } from 'node:fs';
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Connection, targetFromKubeconfig } from '../lib/connect.mjs';
import { format, median, table } from '../lib/report.mjs';
import { pod } from './pod.mjs';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '50000' },
    configmaps: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    watches: { type: 'string', default: '1000' },
    peer: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- apiserver [--pods N] [--configmaps N] [--watches N] [--rounds N] [--peer KUBECONFIG]',
  );
  process.exit(0);
}
const pods = Number(values.pods);
const configMaps = Number(values.configmaps);
const watches = Number(values.watches);
const rounds = Number(values.rounds);
const namespace = `bench-${process.pid}`;
const root = `/api/v1/namespaces/${namespace}`;
/** Of its own, because its objects must not be among those that the watches see. */
const full = `/api/v1/namespaces/${namespace}-full`;
const PROTOBUF = { accept: 'application/vnd.kubernetes.protobuf' };
const since = (start) => (performance.now() - start) / 1000;
const note = (text) => process.stderr.write(`${text}\n`);

/** The server runs in a process of its own, as any other would. */
function startEmbedded() {
  const child = fork(new URL('./server.mjs', import.meta.url), {
    stdio: 'inherit',
    execArgv: ['--expose-gc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', ({ kubeconfig }) => {
      const ask = (question) =>
        new Promise((answer) => {
          child.once('message', answer);
          child.send(question);
        });
      resolve({ kubeconfig, memory: () => ask('memory'), stop: () => child.kill() });
    });
  });
}

async function expectStatus(promise, status) {
  const answer = await promise;
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.body}`);
  }
  return answer;
}

/** Runs `work` for 0 … count-1, `width` at a time. */
async function parallel(count, width, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

async function creates(connection, from, count) {
  const start = performance.now();
  await parallel(count, 16, async (index) => {
    const body = JSON.stringify(pod(`pod-${from + index}`, `node-${(from + index) % 100}`));
    await expectStatus(connection.call('POST', `${root}/pods`, body, { keep: true }), 201);
  });
  return count / since(start);
}

/** Many small objects: what a list costs per object, rather than per byte. */
async function fillConfigMaps(connection) {
  await parallel(configMaps, 16, async (index) => {
    const body = JSON.stringify({
      metadata: { name: `settings-${index}`, labels: { app: 'bench' } },
      data: { mode: 'production', size: '256Mi', host: 'db.example.com' },
    });
    await expectStatus(connection.call('POST', `${full}/configmaps`, body), 201);
  });
}

async function lists(connection, path, headers) {
  const times = [];
  let size = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    ({ size } = await expectStatus(connection.call('GET', path, undefined, { headers }), 200));
    times.push(since(start));
  }
  return { seconds: median(times), first: times[0], megabytes: size / 1e6 };
}

/** The first list is a row of its own: a server may keep the bytes of what it has sent. */
async function listRows(connection, result, what, path, headers) {
  const { seconds, first, megabytes } = await lists(connection, path, headers);
  result.set(`list ${what}, s`, seconds);
  result.set(`  the first time, ${what}, s`, first);
  result.set(`  size, ${what}, MB`, megabytes);
}

async function pagedList(connection) {
  const start = performance.now();
  let token = '';
  do {
    const path = `${root}/pods?limit=500&continue=${token}`;
    const { body } = await expectStatus(
      connection.call('GET', path, undefined, { keep: true }),
      200,
    );
    token =
      JSON.parse(
        body
          .subarray(0, 400)
          .toString()
          .replace(/,"items".*$/s, '}'),
      ).metadata.continue ?? '';
  } while (token !== '');
  return since(start);
}

/** Opens watches and counts the frames that reach them. */
async function openWatches(target, count) {
  const connection = new Connection(target, { maxSockets: count + 1 });
  const list = await connection.call('GET', `${root}/configmaps?limit=1`, undefined, {
    keep: true,
  });
  const version = JSON.parse(list.body).metadata.resourceVersion;
  const counter = { frames: 0, latencies: [] };
  const start = performance.now();
  const streams = await Promise.all(
    Array.from({ length: count }, () =>
      connection.open('GET', `${root}/configmaps?watch=1&resourceVersion=${version}`),
    ),
  );
  const seconds = since(start);
  for (const stream of streams) {
    stream.on('data', (chunk) => {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) counter.frames++;
      const sent = /"sent":"(\d+\.?\d*)"/.exec(chunk);
      if (sent !== null) counter.latencies.push(performance.now() - Number(sent[1]));
    });
    stream.on('error', () => undefined);
  }
  const close = () => {
    for (const stream of streams) stream.destroy();
    connection.close();
  };
  return { counter, close, seconds };
}

async function fanOut(connection, target, { watchers, events, perSecond }) {
  const { counter, close, seconds } = await openWatches(target, watchers);
  const start = performance.now();
  const interval = 1000 / perSecond;
  const writes = [];
  for (let index = 0; index < events; index++) {
    const due = start + index * interval;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    const body = JSON.stringify({
      metadata: { name: `event-${watchers}-${index}` },
      data: { sent: String(performance.now()) },
    });
    writes.push(
      expectStatus(connection.call('POST', `${root}/configmaps`, body, { keep: true }), 201),
    );
  }
  await Promise.all(writes);
  const wanted = watchers * events;
  // A server may drop watchers that cannot keep up; then the rest never comes.
  const deadline = performance.now() + 30_000;
  while (counter.frames < wanted && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const took = since(start);
  close();
  const sorted = counter.latencies.sort((left, right) => left - right);
  return {
    openPerSecond: watchers / seconds,
    framesPerSecond: counter.frames / took,
    delivered: (100 * counter.frames) / wanted,
    p50: sorted[sorted.length >> 1],
    p99: sorted[Math.floor(sorted.length * 0.99)],
  };
}

async function measure(label, { kubeconfig, memory }) {
  const target = targetFromKubeconfig(kubeconfig);
  const connection = new Connection(target);
  const result = new Map();
  note(`${label}: ${target.url}`);
  for (const name of [namespace, `${namespace}-full`]) {
    const body = JSON.stringify({ metadata: { name } });
    await expectStatus(connection.call('POST', '/api/v1/namespaces', body), 201);
  }
  // Warm up code paths and connections; these pods count as content, not as measured creates.
  await creates(connection, 0, 500);
  const before = await memory?.();
  note(`${label}: creating ${pods} pods`);
  const rates = [];
  const share = Math.ceil(pods / 5);
  for (let part = 0; part < 5; part++)
    rates.push(await creates(connection, 500 + part * share, share));
  result.set('creates/s (16 at a time)', median(rates));
  const after = await memory?.();
  if (after !== undefined)
    result.set('memory per pod, KB', (after.used - before.used) / (share * 5) / 1024);
  note(`${label}: listing`);
  await listRows(connection, result, `${pods} pods, JSON`, `${root}/pods`);
  await listRows(connection, result, `${pods} pods, protobuf`, `${root}/pods`, PROTOBUF);
  result.set('the same in pages of 500, s', await pagedList(connection));
  note(`${label}: watching`);
  const wide = await fanOut(connection, target, { watchers: watches, events: 50, perSecond: 25 });
  result.set(`${watches} watches: opened/s`, wide.openPerSecond);
  result.set(`${watches} watches: frames/s at 25 events/s`, wide.framesPerSecond);
  result.set('  median delay, ms', wide.p50);
  const fast = await fanOut(connection, target, { watchers: 100, events: 5000, perSecond: 1000 });
  result.set('100 watches, 1,000 events/s: frames/s', fast.framesPerSecond);
  result.set('  delivered, %', fast.delivered);
  result.set('  median delay there, ms', fast.p50);
  result.set('  99th percentile, ms', fast.p99);
  if (configMaps > 0) {
    note(`${label}: creating ${configMaps} ConfigMaps`);
    await fillConfigMaps(connection);
    note(`${label}: listing`);
    const path = `${full}/configmaps`;
    await listRows(connection, result, `${configMaps} ConfigMaps, JSON`, path);
    await listRows(connection, result, `${configMaps} ConfigMaps, protobuf`, path, PROTOBUF);
  }
  for (const name of [namespace, `${namespace}-full`]) {
    await connection.call('DELETE', `/api/v1/namespaces/${name}`);
  }
  connection.close();
  return result;
}

const embedded = await startEmbedded();
try {
  const ours = await measure('embedded', embedded);
  const theirs =
    values.peer === undefined
      ? undefined
      : await measure('peer', { kubeconfig: readFileSync(values.peer, 'utf8') });
  const rows = [...ours].map(([name, value]) => [
    name,
    format(value),
    ...(theirs === undefined ? [] : [format(theirs.get(name))]),
  ]);
  console.log(table(['', 'embedded', ...(theirs === undefined ? [] : ['peer'])], rows));
} finally {
  embedded.stop();
}
