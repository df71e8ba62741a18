// npm run bench -- informers [cluster] [sync] [watch] [--pods N,N,…] [--peer PROGRAM] [--handlers N,N,…] …
// Informers of client-ts beside those of client-go and @kubernetes/client-node: how long until
// everything is in the cache, what it costs, and how fast changes come through.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureCluster } from './cluster.mjs';
import { startReplay } from './replay.mjs';
import { measureSync } from './sync.mjs';
import { measureWatch } from './watch.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    pods: { type: 'string', default: '1000,10000,50000,100000' },
    kinds: { type: 'string', default: 'pods,widgets' },
    handlers: { type: 'string', default: '1,10,100' },
    indices: { type: 'string', default: '0,1,5' },
    events: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    kubeconfig: { type: 'string' },
    sizes: { type: 'string', default: '1000,5000,20000' },
    rates: { type: 'string', default: '10,100,1000' },
    seconds: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '5000' },
    peer: { type: 'string' },
    'client-node': { type: 'boolean', default: true },
    'in-process': { type: 'boolean', default: true },
    streams: { type: 'boolean', default: true },
    plain: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- informers [cluster] [sync] [watch]
  cluster            against an API server over TLS and HTTP/2:
    --kubeconfig FILE  that server; the embedded one without it
    --sizes N,N,…      pods to sync from nothing (1000,5000,20000)
    --rates N,N,…      changes per second (10,100,1000)
    --seconds N        how long each rate lasts (10)
    --warm-up N        changes before those that are measured (5000)
  sync, watch        against a server that replays a cluster, as fast as they read, over TLS and HTTP/2:
    --plain            over plain HTTP/1.1, which no cluster speaks
  --pods N,N,…       objects to sync (1000,10000,50000,100000)
  --kinds pods,widgets  built-in objects over protobuf, custom ones over JSON
  --handlers N,N,…   handlers during the watch, with one index (1,10,100)
  --indices N,N,…    indices during the watch, with one handler (0,1,5)
  --events N         changes in a watch (50000); a fifth of it with 100 handlers
  --rounds N         how often everything is measured (3); results are medians
  --peer PROGRAM     the built bench/informers/peer-go: adds client-go
  --no-client-node   leaves out @kubernetes/client-node, which needs the npm registry once
  --no-in-process    leaves out the runs without sockets
  --no-streams       makes clients list: the server refuses to stream the first state`);
  process.exit(0);
}
const numbers = (list) => list.split(',').map(Number);
const node = (url, ...args) => [process.execPath, fileURLToPath(url), ...args];
const clientTs = new URL('./client-ts.mjs', import.meta.url);
const clientNode = new URL('./client-node.mjs', import.meta.url);

/** The programs under test, by name, with the command that starts each. */
const subjects = {
  'client-ts': { command: node(clientTs), isOurs: true, isProbed: true },
  ...(values['in-process'] && {
    'client-ts, no sockets': {
      command: node(clientTs, '--in-process'),
      isOurs: true,
      isProbed: true,
    },
  }),
  'client-ts, three fields': {
    command: node(clientTs, '--project'),
    isOurs: true,
    isProbed: true,
  },
  'client-ts, no managed fields': {
    command: node(clientTs, '--drop-managed-fields'),
    isOurs: true,
  },
  'client-ts, compressed': { command: node(clientTs, '--compress'), isOurs: true },
  'client-ts, index functions': {
    command: node(clientTs, '--index-functions'),
    isOurs: true,
    isProbed: true,
    needsIndices: true,
  },
  ...(values.peer && { 'client-go': { command: [values.peer] } }),
  ...(values['client-node'] && {
    'client-node': { command: node(clientNode), hasIndices: false, isProbed: true },
  }),
};
const wanted = positionals.length === 0 ? ['cluster', 'sync', 'watch'] : positionals;
if (wanted.includes('cluster')) {
  const { 'client-ts': ours, 'client-go': peer } = subjects;
  await measureCluster({
    subjects: { 'client-ts': ours, ...(peer && { 'client-go': peer }) },
    kubeconfig: values.kubeconfig,
    sizes: numbers(values.sizes),
    rates: numbers(values.rates),
    seconds: Number(values.seconds),
    warmUp: Number(values['warm-up']),
    rounds: Number(values.rounds),
  });
}
if (!wanted.some((name) => name === 'sync' || name === 'watch')) process.exit();
const replay = await startReplay({ isPlain: values.plain, streams: values.streams });
const options = {
  subjects,
  replay,
  kinds: values.kinds.split(','),
  rounds: Number(values.rounds),
};
try {
  if (wanted.includes('sync')) await measureSync({ ...options, sizes: numbers(values.pods) });
  if (wanted.includes('watch')) {
    await measureWatch({
      ...options,
      handlers: numbers(values.handlers),
      indices: numbers(values.indices),
      events: Number(values.events),
    });
  }
} finally {
  replay.stop();
}
