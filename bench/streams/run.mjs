// npm run bench -- streams [--megabytes N] [--rounds N]
// How fast a program with the library, and kubectl, carry bytes from and to a pod, through the embedded
// server and over TLS. Each run is a process of its own, whose start counts; they take turns.
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { format, median, table } from '../lib/report.mjs';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- streams [--megabytes N] [--rounds N]\nNeeds kubectl on the PATH.');
  process.exit(0);
}
const megabytes = Number(values.megabytes);
const bytes = megabytes * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'client-ts-streams-'));
const input = join(folder, 'input');
writeFileSync(input, Buffer.alloc(bytes, 'x'));

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [String(bytes)]);
const [{ kubeconfig }] = await once(server, 'message');
writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
const env = { ...process.env, KUBECONFIG: join(folder, 'kubeconfig') };

const program = [process.execPath, fileURLToPath(new URL('client.mjs', import.meta.url))];

/** The command lines of each measurement. */
const commands = {
  'client-ts': {
    source: [...program, 'source', String(bytes)],
    sink: [...program, 'sink', input],
    forward: (port) => [...program, 'forward', String(port)],
  },
  kubectl: {
    source: ['kubectl', 'exec', 'web', '--', 'source', String(bytes)],
    sink: ['kubectl', 'exec', '-i', 'web', '--', 'sink'],
    forward: (port) => ['kubectl', 'port-forward', 'pod/web', `:${port}`, '--address', '127.0.0.1'],
  },
};

/** Runs a command to its end, with standard input from a file. */
async function runToEnd([first, ...args]) {
  const stdin = openSync(input, 'r');
  const child = spawn(first, args, { env, stdio: [stdin, 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  closeSync(stdin);
  if (code !== 0) throw new Error(`${first} ${args.join(' ')} ended with ${code}`);
}

/** Starts a port-forward and returns its local port. */
async function startForward([first, ...args]) {
  const child = spawn(first, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (/-> \d+/.test(text)) break;
  }
  child.stdout.resume();
  return { child, port: Number(/:(\d+) ->/.exec(text)?.[1]) };
}

async function download(port) {
  const socket = connect(port, '127.0.0.1');
  let received = 0;
  for await (const chunk of socket) received += chunk.length;
  return received;
}

async function upload(port) {
  const socket = connect(port, '127.0.0.1');
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
  socket.end();
  for await (const _ of socket);
  return bytes;
}

async function timed(work, expected) {
  const start = performance.now();
  const carried = await work();
  if (expected !== undefined && carried !== expected) throw new Error(`${carried} bytes arrived`);
  return megabytes / ((performance.now() - start) / 1000);
}

async function forwarded(command, work) {
  const { child, port } = await startForward(command);
  try {
    return await timed(() => work(port), bytes);
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

const measurements = {
  'exec, from the pod': ({ source }) => timed(() => runToEnd(source)),
  'exec, to the pod': ({ sink }) => timed(() => runToEnd(sink)),
  'port-forward, from the pod': ({ forward }) => forwarded(forward(7001), download),
  'port-forward, to the pod': ({ forward }) => forwarded(forward(7002), upload),
};

const peers = Object.keys(commands).filter(
  (name) => name !== 'kubectl' || spawnSync('kubectl', ['version', '--client']).status === 0,
);
const rows = [];
try {
  for (const [name, measure] of Object.entries(measurements)) {
    const rates = new Map(peers.map((peer) => [peer, []]));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const peer of peers) rates.get(peer)?.push(await measure(commands[peer]));
    }
    const ours = median(rates.get('client-ts'));
    const theirs = rates.has('kubectl') ? median(rates.get('kubectl')) : undefined;
    rows.push([name, format(ours), format(theirs), format(ours / (theirs ?? Number.NaN))]);
  }
  console.log(table([`${megabytes} MB, MB/s`, 'client-ts', 'kubectl', '× kubectl'], rows));
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
