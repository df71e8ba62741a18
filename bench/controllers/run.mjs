// npm run bench -- controllers [--objects N] [--changes N] [--rounds N] [--warm-up N] [--peer PROGRAM]
// A controller on a manager from end to end: the first reconcile of every object, a write for every
// object, and the time from a change to its reconcile; beside the same on controller-runtime, and beside a bare watch,
// which does nothing. Then the same in the process that has done it before, as a controller is a process that runs for days.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Clientset } from 'client-ts/kubernetes';
import { parallelizeUntil } from 'client-ts/workqueue';
import { format, median, table } from '../lib/report.mjs';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '3' },
    peer: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- controllers
  --objects N      objects of the controller (10000)
  --changes N      changes whose reconcile is timed, one for each object at most (4000)
  --rounds N       how often everything is measured (5); results are medians
  --warm-up N      how often a process looks at and writes all objects before the warm rows (3); 0 for no warm rows
  --peer PROGRAM   the built bench/controllers/peer-go: adds controller-runtime`);
  process.exit(0);
}
const objects = Number(values.objects);
const changes = Math.min(Number(values.changes), objects);
const rounds = Number(values.rounds);
const warmUp = Number(values['warm-up']);
/** How often every object is reconciled in a warm row without writes. */
const LOOKS = 10;
/** Warm changes come at a steady rate, the same for both programs. */
const WARM_CHANGE_EVERY_MS = 2;
const node = (url) => [process.execPath, fileURLToPath(url)];
const programs = {
  'client-ts': node(new URL('./controller.mjs', import.meta.url)),
  ...(values.peer && { 'controller-runtime': [values.peer] }),
  'a bare watch': node(new URL('./bare-watch.mjs', import.meta.url)),
};
/** Collections of the server would be the slowest per cent of the changes, for all programs. */
const serverFlags = ['--min-semi-space-size=64', '--max-semi-space-size=128'];

async function fill(client, namespace) {
  await client.coreV1.namespaces().create({ metadata: { name: namespace } });
  const maps = client.coreV1.configMaps(namespace);
  await parallelizeUntil({ workers: 16, pieces: objects }, async (index) => {
    await maps.create({ metadata: { name: `map-${index}` }, data: { text: 'x'.repeat(1000) } });
  });
}

/** Changes one object after the other, not faster than at the rate; each change says when it was sent. */
async function change(client, namespace, everyMs) {
  const maps = client.coreV1.configMaps(namespace);
  const startedAt = performance.now();
  for (let index = 0; index < changes; index += 1) {
    const earlyMs = startedAt + index * everyMs - performance.now();
    if (earlyMs > 0) await delay(earlyMs);
    const sent = (performance.timeOrigin + performance.now()).toFixed(3);
    await maps.patch(`map-${index}`, { metadata: { annotations: { sent } } }, { type: 'merge' });
  }
}

async function runOnce([program, ...args], client, options) {
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(program, [...args, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const result = {};
  let everyMs = 0;
  try {
    for await (const line of createInterface(child.stdout)) {
      const { ready, ...numbers } = JSON.parse(line);
      Object.assign(result, numbers);
      if (ready) await change(client, options.namespace, everyMs);
      if (ready) everyMs = WARM_CHANGE_EVERY_MS;
    }
    const [status] = await ended;
    if (status !== 0) throw new Error(`${program} ended with ${status}`);
    return result;
  } finally {
    child.kill();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'client-ts-controllers-'));
const runs = [];
for (let round = 0; round < rounds; round += 1) {
  for (const [name, command] of Object.entries(programs)) {
    // A new server each time: an older one has more to remember.
    const server = new URL('../workqueue/server.mjs', import.meta.url);
    const child = fork(server, { execArgv: serverFlags });
    const [{ url, ca, token, kubeconfig }] = await once(child, 'message');
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, kubeconfig);
    const client = new Clientset({ server: url, tls: { ca }, auth: { token } });
    const namespace = 'bench';
    await fill(client, namespace);
    const options = { kubeconfig: file, namespace, objects, changes };
    Object.assign(options, { looks: LOOKS, 'warm-up': warmUp });
    runs.push({ name, ...(await runOnce(command, client, options)) });
    await client.close();
    child.kill();
    await once(child, 'exit');
  }
}
rmSync(folder, { recursive: true });

const cold = {
  'first reconciles/s': {
    of: ({ syncMs }) => (objects / syncMs) * 1000,
    micros: ({ syncCpuMs }) => (syncCpuMs * 1000) / objects,
  },
};
const warm = {
  'reconciles/s, nothing written': {
    of: ({ looksPerSecond }) => looksPerSecond,
    micros: ({ lookMicros }) => lookMicros,
  },
};
const both = {
  'written and seen again/s': {
    of: ({ writesPerSecond }) => writesPerSecond,
    micros: ({ writeMicros }) => writeMicros,
  },
  'change to reconcile, ms': {
    of: ({ latencyMs }) => latencyMs,
    micros: ({ latencyMicros }) => latencyMicros,
    isTime: true,
  },
  'change to reconcile, ms, p99': { of: ({ latencyP99Ms }) => latencyP99Ms, isTime: true },
};
const peer = values.peer && 'controller-runtime';
const head = ['result', 'processor, µs each', '× controller-runtime', '× processor'];

function show(title, measures, all) {
  const middleOf = (name, value) =>
    value && median(all.filter((run) => run.name === name).map((run) => value(run)));
  const rows = Object.entries(measures).flatMap(([measure, { of, micros, isTime }]) =>
    // A bare watch has latencies only.
    Object.keys(programs)
      .filter((name) => Number.isFinite(middleOf(name, of)))
      .map((name) => {
        const [own, theirs] = [name, peer].map((one) => middleOf(one, of));
        return [
          `${measure}, ${name}`,
          format(own),
          format(middleOf(name, micros)),
          format(peer && (isTime ? theirs / own : own / theirs)),
          format(peer && micros && middleOf(peer, micros) / middleOf(name, micros)),
        ];
      }),
  );
  console.log(`${table([title, ...head], rows)}\n`);
}

console.log(`16 workers; medians of ${rounds} rounds in turn; ${process.version}\n`);
const title = `controllers, ${format(objects)} objects`;
show(title, { ...cold, ...both }, runs);
if (warmUp > 0) {
  const last = runs.map(({ name, warm: numbers }) => ({ name, ...numbers }));
  show(`${title}, warm`, { ...warm, ...both }, last);
}
