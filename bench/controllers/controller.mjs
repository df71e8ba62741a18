// A controller on a manager, for config maps: it looks at every one of them, then marks them, one
// write for each, until its cache says that all are; then it takes the time from each change that
// another program makes to the reconcile. With --warm-up it looks and marks that many times more, and
// then does all of it once more, which counts. Every result is a line of JSON.
import { parseArgs } from 'node:util';
import { configMaps } from 'client-ts/api/core/v1';
import { loadConfig } from 'client-ts/clientcmd';
import { Manager } from 'client-ts/controller';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string' },
    objects: { type: 'string' },
    changes: { type: 'string' },
    looks: { type: 'string' },
    'warm-up': { type: 'string' },
  },
});
const { kubeconfig, namespace } = values;
const objects = Number(values.objects);
const changes = Number(values.changes);
const looks = Number(values.looks);
const warmUp = Number(values['warm-up']);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const report = (result) => console.log(JSON.stringify(result));

/** What the reconciles are for: `looking`, `marking` or `timing`. */
let phase = 'looking';
let mark = 'yes';
let count = 0;
let reached;
let latencies = [];
const next = () => new Promise((resolve) => (reached = resolve));
const add = (wanted) => {
  count += 1;
  if (count === wanted) reached();
};

const config = await loadConfig({ kubeconfig });
const startedAt = performance.now();
const cpuBefore = cpuMs();
const manager = new Manager(config);
manager.controller('config-map', {
  for: { resource: configMaps, namespace },
  concurrency: 16,
  async reconcile({ metadata }, { client }) {
    if (phase === 'looking') add(objects);
    else if (phase === 'timing') {
      const sent = Number(metadata.annotations?.sent);
      latencies.push(performance.timeOrigin + performance.now() - sent);
      add(changes);
    } else if (metadata.labels?.done === mark) add(objects);
    else {
      const patch = { metadata: { labels: { done: mark } } };
      await client.coreV1.configMaps(namespace).patch(metadata.name, patch, { type: 'merge' });
    }
  },
});

/** Wall time and processor time of a phase, until `count` of its reconciles have been counted. */
async function timed(name, start) {
  phase = name;
  count = 0;
  const allDone = next();
  const before = { wall: performance.now(), cpu: cpuMs() };
  start();
  await allDone;
  return { ms: performance.now() - before.wall, cpuMs: cpuMs() - before.cpu };
}

/** Every object is reconciled `looks` times, and nothing is written. */
async function look() {
  const sum = { ms: 0, cpuMs: 0 };
  for (let index = 0; index < looks; index += 1) {
    const one = await timed('looking', () => manager.reconcileAll());
    sum.ms += one.ms;
    sum.cpuMs += one.cpuMs;
  }
  const reconciles = looks * objects;
  return {
    looksPerSecond: (reconciles * 1000) / sum.ms,
    lookMicros: (sum.cpuMs * 1000) / reconciles,
  };
}

async function markAll(value) {
  mark = value;
  const all = await timed('marking', () => manager.reconcileAll());
  return {
    writesPerSecond: (objects * 1000) / all.ms,
    writeMicros: (all.cpuMs * 1000) / objects,
  };
}

async function timeChanges() {
  latencies = [];
  const all = await timed('timing', () => report({ ready: true }));
  latencies.sort((left, right) => left - right);
  return {
    latencyMs: latencies[Math.floor(changes / 2)],
    latencyP99Ms: latencies[Math.floor((changes * 99) / 100)],
    latencyMicros: (all.cpuMs * 1000) / changes,
  };
}

const stop = new AbortController();
const allDone = next();
const running = manager.run({ signal: stop.signal });
await allDone;
report({ syncMs: performance.now() - startedAt, syncCpuMs: cpuMs() - cpuBefore });
report(await markAll('yes'));
report(await timeChanges());

for (let round = 1; round <= warmUp; round += 1) {
  await look();
  await markAll(`warm-${round}`);
}
if (warmUp > 0) {
  report({ warm: { ...(await look()), ...(await markAll('warm')), ...(await timeChanges()) } });
}
stop.abort();
await running;
await manager.close();
