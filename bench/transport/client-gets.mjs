// GETs of a typed client, one after the other and all at the same time. Every result is a line of JSON.
import { parseArgs } from 'node:util';
import { loadConfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    sequential: { type: 'string', default: '300' },
    parallel: { type: 'string', default: '1000' },
    repeats: { type: 'string', default: '1' },
  },
});
const sequential = Number(values.sequential);
const parallel = Number(values.parallel);
const client = new Clientset(await loadConfig({ kubeconfig: values.kubeconfig }));

async function get() {
  const { metadata } = await client.coreV1.namespaces().get('default');
  if (metadata.name !== 'default') throw new Error('that is not what was asked for');
}

const cpuMicros = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function measure(name, count, isReported, work) {
  const startedAt = performance.now();
  const cpuBefore = cpuMicros();
  await work();
  const wallMs = performance.now() - startedAt;
  const result = { name, wallMs, cpuMicros: (cpuMicros() - cpuBefore) / count };
  if (isReported) console.log(JSON.stringify(result));
}

for (let repeat = 0; repeat <= Number(values.repeats); repeat += 1) {
  await measure('sequential', sequential, repeat > 0, async () => {
    for (let count = 0; count < sequential; count += 1) await get();
  });
  await measure('parallel', parallel, repeat > 0, () =>
    Promise.all(Array.from({ length: parallel }, get)),
  );
}
await client.close();
