// npm run bench -- apiserver [--pods N] [--configmaps N] [--watches N] [--rounds N] [--watch-rounds N] [--peer KUBECONFIG]
// How fast the embedded API server is, beside another API server in the same run.
import { readFileSync } from 'node:fs';
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Connection, targetFromKubeconfig } from '../lib/connect.mjs';
import { format, median, table } from '../lib/report.mjs';
import { pod } from './pod.mjs';
import { measureWatches, WatchSubject } from './watches.mjs';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '50000' },
    configmaps: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    watches: { type: 'string', default: '1000' },
    'watch-rounds': { type: 'string', default: '5' },
    peer: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- apiserver [--pods N] [--configmaps N] [--watches N] [--rounds N] [--watch-rounds N] [--peer KUBECONFIG]',
  );
  process.exit(0);
}
const pods = Number(values.pods);
const configMaps = Number(values.configmaps);
const watches = Number(values.watches);
const rounds = Number(values.rounds);
const watchRounds = Number(values['watch-rounds']);
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
    child.once('message', ({ target }) => {
      const ask = (question) =>
        new Promise((answer) => {
          child.once('message', answer);
          child.send(question);
        });
      resolve({ target, memory: () => ask('memory'), stop: () => child.kill() });
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

/** Fills a server with pods, and measures creates and lists of them. */
async function measurePods({ label, target, memory }) {
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
  connection.close();
  return result;
}

async function measureConfigMaps({ label, target }) {
  const connection = new Connection(target);
  const result = new Map();
  note(`${label}: creating ${configMaps} ConfigMaps`);
  await fillConfigMaps(connection);
  note(`${label}: listing`);
  const path = `${full}/configmaps`;
  await listRows(connection, result, `${configMaps} ConfigMaps, JSON`, path);
  await listRows(connection, result, `${configMaps} ConfigMaps, protobuf`, path, PROTOBUF);
  connection.close();
  return result;
}

async function cleanUp({ target }) {
  const connection = new Connection(target);
  for (const name of [namespace, `${namespace}-full`]) {
    await connection.call('DELETE', `/api/v1/namespaces/${name}`);
  }
  connection.close();
}

/** One server after the other; returns rows with a value for each. */
async function measureEach(servers, measure) {
  const results = [];
  for (const server of servers) results.push(await measure(server));
  return new Map(
    [...results[0].keys()].map((name) => [name, results.map((result) => result.get(name))]),
  );
}

/** The watches, with the servers in turn. */
async function watchRows(servers) {
  if (watches === 0) return new Map();
  const subjects = servers.map(({ target }) => new WatchSubject(target, root));
  try {
    return await measureWatches(subjects, { watches, rounds: watchRounds, note });
  } finally {
    for (const subject of subjects) subject.close();
  }
}

const embedded = await startEmbedded();
const servers = [{ label: 'embedded', ...embedded }];
if (values.peer !== undefined) {
  servers.push({
    label: 'peer',
    target: targetFromKubeconfig(readFileSync(values.peer, 'utf8')),
  });
}
try {
  const rows = new Map([
    ...(await measureEach(servers, measurePods)),
    ...(await watchRows(servers)),
    ...(configMaps > 0 ? await measureEach(servers, measureConfigMaps) : []),
  ]);
  for (const server of servers) await cleanUp(server);
  const head = ['', ...servers.map(({ label }) => label)];
  console.log(
    table(
      head,
      [...rows].map(([name, measured]) => [name, ...measured.map(format)]),
    ),
  );
} finally {
  embedded.stop();
}
