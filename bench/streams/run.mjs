// npm run bench -- streams [--megabytes N] [--rounds N]
// How fast a program with the library, and kubectl, carry bytes from and to a pod, through the embedded
// server and over TLS. Each run is a process of its own; they take turns. Every work is also run without bytes, and the
// difference counts, so that the start is shown apart. Processor time depends less than wall time on what else the machine does.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { format, median, table } from '../lib/report.mjs';
import { startTimed } from '../lib/timed-process.mjs';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- streams [--megabytes N] [--rounds N]\nNeeds kubectl on the PATH, or at $KUBECTL.',
  );
  process.exit(0);
}
const kubectl = process.env['KUBECTL'] ?? 'kubectl';
const megabytes = Number(values.megabytes);
const bytes = megabytes * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'client-ts-streams-'));
const input = join(folder, 'input');
const nothing = join(folder, 'nothing');
writeFileSync(input, Buffer.alloc(bytes, 'x'));
writeFileSync(nothing, '');

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [String(bytes)]);
const [{ kubeconfig }] = await once(server, 'message');
writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
const env = { ...process.env, KUBECONFIG: join(folder, 'kubeconfig') };

const program = [process.execPath, fileURLToPath(new URL('client.mjs', import.meta.url))];

/** The command lines of each measurement. */
const commands = {
  'client-ts': {
    source: (size) => [...program, 'source', String(size)],
    sink: (file) => [...program, 'sink', file],
    forward: (port) => [...program, 'forward', String(port)],
  },
  kubectl: {
    source: (size) => [kubectl, 'exec', 'web', '--', 'source', String(size)],
    sink: () => [kubectl, 'exec', '-i', 'web', '--', 'sink'],
    forward: (port) => [kubectl, 'port-forward', 'pod/web', `:${port}`, '--address', '127.0.0.1'],
  },
};

/** Runs a command to its end, with standard input from a file. */
async function executed(command, file = nothing) {
  const stdin = openSync(file, 'r');
  const start = performance.now();
  const { code, cpuMs } = await startTimed(command, { env, stdin, stdout: 'ignore' }).ended;
  closeSync(stdin);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`);
  return { wallMs: performance.now() - start, clientMs: cpuMs };
}

/** Starts a port-forward and returns its local port. */
async function startForward(command) {
  const forward = startTimed(command, { env, stdin: 'ignore', stdout: 'pipe' });
  const { stdout } = forward.child;
  let text = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (/-> \d+/.test(text)) break;
  }
  stdout.resume();
  return { ...forward, port: Number(/:(\d+) ->/.exec(text)?.[1]) };
}

async function download(port) {
  const socket = connect(port, '127.0.0.1');
  let received = 0;
  for await (const chunk of socket) received += chunk.length;
  if (received !== bytes) throw new Error(`${received} bytes arrived`);
}

async function upload(port) {
  const socket = connect(port, '127.0.0.1');
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
  socket.end();
  for await (const _ of socket);
}

/** Does the work through a port-forward. Its start does not count. */
async function forwarded(command, work) {
  const { ended, stop, port } = await startForward(command);
  const start = performance.now();
  await work(port);
  const wallMs = performance.now() - start;
  stop();
  const { cpuMs } = await ended;
  return { wallMs, clientMs: cpuMs };
}

const idle = async () => undefined;

/** Each work, and the same work without bytes. */
const measurements = {
  'exec, from the pod': {
    full: ({ source }) => executed(source(bytes)),
    empty: ({ source }) => executed(source(0)),
  },
  'exec, to the pod': {
    full: ({ sink }) => executed(sink(input), input),
    empty: ({ sink }) => executed(sink(nothing)),
  },
  'port-forward, from the pod': {
    full: ({ forward }) => forwarded(forward(7001), download),
    empty: ({ forward }) => forwarded(forward(7001), idle),
  },
  'port-forward, to the pod': {
    full: ({ forward }) => forwarded(forward(7002), upload),
    empty: ({ forward }) => forwarded(forward(7002), idle),
  },
};

/** The processor time that the server has used, in milliseconds. */
async function serverTime() {
  server.send('cpu');
  const [{ cpuMs }] = await once(server, 'message');
  return cpuMs;
}

async function measured(work) {
  const before = await serverTime();
  const times = await work();
  return { ...times, serverMs: (await serverTime()) - before };
}

/** Runs the two forms of a measurement in turns and returns the medians of each. */
async function rounds({ full, empty }) {
  const samples = peers.map((peer) => ({ peer, full: [], empty: [] }));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const sample of samples) {
      sample.empty.push(await measured(() => empty(commands[sample.peer])));
      sample.full.push(await measured(() => full(commands[sample.peer])));
    }
  }
  return samples.map((sample) => {
    const of = (list, field) => median(list.map((one) => one[field]));
    const cost = (field) => (of(sample.full, field) - of(sample.empty, field)) / megabytes;
    return {
      peer: sample.peer,
      rate: 1000 / cost('wallMs'),
      client: cost('clientMs'),
      server: cost('serverMs'),
      start: of(sample.empty, 'wallMs'),
    };
  });
}

const peers = Object.keys(commands).filter(
  (name) => name !== 'kubectl' || spawnSync(kubectl, ['version', '--client']).status === 0,
);
const rows = [];
try {
  for (const [name, measurement] of Object.entries(measurements)) {
    const results = await rounds(measurement);
    const theirs = results.find(({ peer }) => peer === 'kubectl');
    for (const { peer, rate, client, server: serverCost, start } of results) {
      const versus = theirs === undefined ? Number.NaN : rate / theirs.rate;
      const shownStart = name.startsWith('exec') ? start : Number.NaN;
      rows.push([
        `${name}, ${peer}`,
        ...[rate, versus, client, serverCost, shownStart].map(format),
      ]);
    }
  }
  const head = ['MB/s', '× kubectl', 'client, ms/MB', 'server, ms/MB', 'start, ms'];
  console.log(table([`${megabytes} MB`, ...head], rows));
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
