// A bare watch with the HTTP/2 of Node: it measures the time from each change to the arrival of its event, and does nothing with it.
// That is the server, the network and the writer. It reads JSON, which is longer than protobuf, from a server that has not been written
// to before: it shows how much of a latency is not the controller, and is no limit. It has the options of controller.mjs.
import { connect } from 'node:http2';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { targetFromKubeconfig } from '../lib/connect.mjs';

const { values } = parseArgs({
  strict: false,
  options: Object.fromEntries(
    ['kubeconfig', 'namespace', 'objects', 'changes', 'warm-up'].map((name) => [
      name,
      { type: 'string' },
    ]),
  ),
});
const changes = Number(values.changes);
const report = (result) => console.log(JSON.stringify(result));
const { url, ca, token } = targetFromKubeconfig(readFileSync(values.kubeconfig, 'utf8'));
const session = connect(url, { ca });
const watch = session.request({
  ':path': `/api/v1/namespaces/${values.namespace}/configmaps?watch=true`,
  authorization: `Bearer ${token}`,
});
watch.setEncoding('utf8');

/** The beginning of a line whose end has not arrived. */
let line = '';

/** Gives `of` each of the next lines with the time when its end arrived, and returns what it makes of them. */
async function read(count, of) {
  const results = [];
  for await (const chunk of watch.iterator({ destroyOnReturn: false })) {
    const now = performance.timeOrigin + performance.now();
    const lines = (line + chunk).split('\n');
    line = lines.pop();
    for (const one of lines) results.push(of(one, now));
    if (results.length >= count) return results;
  }
  throw new Error('the watch has ended');
}

/** Latencies of changes that begin now, in milliseconds. */
async function timeChanges() {
  report({ ready: true });
  const sent = (text) => Number(/"sent":"(\d+\.\d+)"/.exec(text)[1]);
  const latencies = await read(changes, (text, now) => now - sent(text));
  latencies.sort((left, right) => left - right);
  return {
    latencyMs: latencies[Math.floor(changes / 2)],
    latencyP99Ms: latencies[Math.floor((changes * 99) / 100)],
  };
}

await read(Number(values.objects), () => undefined);
report(await timeChanges());
if (Number(values['warm-up']) > 0) report({ warm: await timeChanges() });
session.destroy();
