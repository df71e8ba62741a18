// A controller on a manager, for config maps: it looks at every one of them, then marks them, one
// write for each, until its cache says that all are; then it takes the time from each change that
// another program makes to the reconcile. Every result is a line of JSON.
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
  },
});
const { kubeconfig, namespace } = values;
const objects = Number(values.objects);
const changes = Number(values.changes);
const MARK = { metadata: { labels: { done: 'yes' } } };

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const report = (result) => console.log(JSON.stringify(result));

/** What the reconciles are for: `looking`, `marking` or `timing`. */
let phase = 'looking';
let count = 0;
let reached;
const latencies = [];
const next = () => new Promise((resolve) => (reached = resolve));
const add = (wanted) => {
  count += 1;
  if (count === wanted) reached();
};

const config = await loadConfig({ kubeconfig });
let startedAt = performance.now();
let cpuBefore = cpuMs();
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
    } else if (metadata.labels?.done === 'yes') add(objects);
    else await client.coreV1.configMaps(namespace).patch(metadata.name, MARK, { type: 'merge' });
  },
});
const stop = new AbortController();
let allDone = next();
const running = manager.run({ signal: stop.signal });
await allDone;
report({ syncMs: performance.now() - startedAt, syncCpuMs: cpuMs() - cpuBefore });

phase = 'marking';
count = 0;
allDone = next();
startedAt = performance.now();
cpuBefore = cpuMs();
manager.reconcileAll();
await allDone;
const seconds = (performance.now() - startedAt) / 1000;
report({
  writesPerSecond: objects / seconds,
  writeMicros: ((cpuMs() - cpuBefore) * 1000) / objects,
});

phase = 'timing';
count = 0;
allDone = next();
cpuBefore = cpuMs();
report({ ready: true });
await allDone;
latencies.sort((left, right) => left - right);
report({
  latencyMs: latencies[Math.floor(changes / 2)],
  latencyP99Ms: latencies[Math.floor((changes * 99) / 100)],
  latencyMicros: ((cpuMs() - cpuBefore) * 1000) / changes,
});
stop.abort();
await running;
await manager.close();
