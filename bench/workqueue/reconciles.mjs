// A controller from end to end on the embedded server: informer, queue, workers, and a write for
// every object. Server and controller are processes of their own, new for every round.
import { fork, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Clientset } from 'client-ts/kubernetes';
import { parallelizeUntil } from 'client-ts/workqueue';
import { format, median, table } from '../lib/report.mjs';

const controller = fileURLToPath(new URL('./controller.mjs', import.meta.url));

export async function measureReconciles({ objects, rounds, peer }) {
  const folder = mkdtempSync(join(tmpdir(), 'client-ts-reconciles-'));
  const child = fork(new URL('./server.mjs', import.meta.url));
  try {
    const server = await new Promise((resolve) => child.once('message', resolve));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig);
    const commands = {
      'client-ts': [process.execPath, controller],
      ...(peer && { 'client-go': [peer, 'reconciles'] }),
    };
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, [program, ...args]] of Object.entries(commands)) {
        const namespace = `round-${round}-${name}`;
        await fill(server, namespace, objects);
        const options = { kubeconfig, namespace, objects };
        runs.push({ name, ...runOnce(program, args, options) });
      }
    }
    return summary(objects, Object.keys(commands), runs);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill({ url, ca, token }, namespace, objects) {
  const client = new Clientset({ server: url, tls: { ca }, auth: { token } });
  await client.coreV1.namespaces().create({ metadata: { name: namespace } });
  const maps = client.coreV1.configMaps(namespace);
  await parallelizeUntil({ workers: 16, pieces: objects }, async (index) => {
    await maps.create({ metadata: { name: `map-${index}` }, data: { text: 'x'.repeat(1000) } });
  });
  await client[Symbol.asyncDispose]();
}

function runOnce(program, args, options) {
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout, status } = spawnSync(program, [...args, ...flags], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return JSON.parse(stdout);
}

function summary(objects, names, runs) {
  const rows = names.map((name) => [
    name,
    ...['syncMs', 'syncCpuMs', 'writesPerSecond', 'writeMicros'].map((field) =>
      format(median(runs.filter((run) => run.name === name).map((run) => run[field]))),
    ),
  ]);
  const head = [
    `${format(objects)} objects, 16 workers`,
    'from start until all were looked at, ms',
    'processor, ms',
    'written and seen again/s',
    'processor, µs each',
  ];
  return table(head, rows);
}
