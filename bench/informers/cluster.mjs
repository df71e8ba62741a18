// Informers against an API server as people have one: TLS, HTTP/2, and changes at a steady rate. Both
// peers watch the same server in the same run.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Connection, targetFromKubeconfig } from '../lib/connect.mjs';
import { format, median, table } from '../lib/report.mjs';
import { interleave, runSubject } from './replay.mjs';

const PARALLEL_WRITES = 16;
/** Changes a second while programs warm up. */
const WARM_UP_RATE = 1000;

export async function measureCluster({ subjects, kubeconfig, sizes, rounds, ...steady }) {
  const cluster = kubeconfig === undefined ? await startEmbedded() : { kubeconfig, stop() {} };
  const writer = new Writer(cluster.kubeconfig);
  const flags = { kubeconfig: cluster.kubeconfig, kind: 'pods' };
  try {
    await measureColdSync({ subjects, writer, flags, sizes, rounds });
    await measureSteady({ subjects, writer, flags, rounds, objects: sizes[0], ...steady });
  } finally {
    await writer.close();
    cluster.stop();
  }
}

async function measureColdSync({ subjects, writer, flags, sizes, rounds }) {
  const rows = [];
  for (const objects of sizes) {
    const namespace = await writer.fill(objects);
    const cases = casesOf(subjects, `${format(objects)} pods`);
    const results = await interleave(rounds, cases, async ({ command }) => {
      const { sync } = await runSubject(command, { ...flags, namespace, objects });
      return sync;
    });
    rows.push(...compare(cases, results, ['wallMs', 'cpuMs']));
  }
  const head = ['cold sync', 'wall, ms', 'processor, ms', '× client-go, wall', '× processor'];
  console.log(`${table(head, rows)}\n`);
}

/**
 * Programs with informers run for days, so what a change costs is measured after a number of others: both
 * runtimes are slower at first, one because it has not compiled the code yet, one because its heap is small.
 */
async function measureSteady({ subjects, writer, flags, rounds, objects, rates, seconds, warmUp }) {
  const rows = [];
  const namespace = await writer.fill(objects);
  for (const rate of rates) {
    const events = Math.max(50, rate * seconds);
    const cases = casesOf(subjects, `${format(rate)} events/s`);
    const results = await interleave(rounds, cases, async ({ command }) => {
      const options = { ...flags, namespace, objects, events, 'warm-up': warmUp };
      const { watch } = await runSubject(command, options, async (phase) => {
        if (phase === 'sync' && warmUp > 0) await writer.change(warmUp, WARM_UP_RATE);
        else if (phase !== 'watch') await writer.change(events, rate);
      });
      return { ...watch, perEvent: (watch.cpuMs * 1000) / events };
    });
    // The rate is given, so that comparing it says nothing.
    rows.push(...compare(cases, results, ['eventsPerSecond', 'perEvent'], ['perEvent']));
  }
  const after = warmUp > 0 ? ` after ${format(warmUp)} others` : '';
  const title = `steady changes of ${format(objects)} pods${after}`;
  console.log(`${table([title, 'events/s', 'processor, µs/event', '× processor'], rows)}\n`);
}

const casesOf = (subjects, what) =>
  Object.entries(subjects).map(([subject, about]) => ({
    name: `${what}, ${subject}`,
    subject,
    ...about,
  }));

/** A row for each case: the medians of the fields, then some as ratios to those of client-go. */
function compare(cases, results, fields, ratios = fields) {
  const of = (one, field) => median(results.get(one).map((run) => run[field]));
  const peer = cases.find(({ subject }) => subject === 'client-go');
  return cases.map((one) => [
    one.name,
    ...fields.map((field) => format(of(one, field))),
    ...ratios.map((field) => format(peer && of(peer, field) / of(one, field))),
  ]);
}

/** The embedded server, in a process of its own. */
async function startEmbedded() {
  const child = fork(new URL('../apiserver/server.mjs', import.meta.url), {
    execArgv: ['--expose-gc'],
  });
  const { kubeconfig } = await new Promise((resolve) => child.once('message', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'client-ts-bench-'));
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  return {
    kubeconfig: file,
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the objects that the measured programs read, in namespaces that it deletes at the end. */
class Writer {
  #connection;
  #namespaces = [];
  #pods = 0;
  #writes = 0;

  constructor(kubeconfig) {
    const target = targetFromKubeconfig(readFileSync(kubeconfig, 'utf8'));
    this.#connection = new Connection(target, { maxSockets: PARALLEL_WRITES });
  }

  /** Makes a namespace with this many pods, as a kubelet leaves them; returns its name. */
  async fill(count) {
    const namespace = `bench-${process.pid}-${this.#namespaces.length}`;
    await this.#send('POST', '/api/v1/namespaces', { metadata: { name: namespace } }, 201);
    this.#namespaces.push(namespace);
    this.#pods = count;
    const { metadata, spec, status } = parse(
      readFileSync(new URL('./pod.yaml', import.meta.url), 'utf8'),
    );
    const { labels, annotations, ownerReferences } = metadata;
    const path = `/api/v1/namespaces/${namespace}/pods`;
    let next = 0;
    const work = async () => {
      while (next < count) {
        const index = next++;
        if (index % 1000 === 0) process.stderr.write(`\rfilling: ${index} of ${count} pods   `);
        const name = `pod-${index}`;
        const pod = {
          metadata: { name, labels, annotations, ownerReferences },
          spec: { ...spec, nodeName: `node-${index % 100}`, serviceAccountName: undefined },
        };
        await this.#send('POST', path, pod, 201);
        await this.#send('PATCH', `${path}/${name}/status`, { status }, 200);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_WRITES }, work));
    return namespace;
  }

  /** Changes a pod of the last namespace `perSecond` times a second, `count` times. */
  async change(count, perSecond) {
    const path = `/api/v1/namespaces/${this.#namespaces.at(-1)}/pods`;
    const start = performance.now();
    const writes = [];
    for (let index = 0; index < count; index++) {
      const wait = start + (index * 1000) / perSecond - performance.now();
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
      const patch = { metadata: { annotations: { write: String(this.#writes++) } } };
      writes.push(this.#send('PATCH', `${path}/pod-${index % this.#pods}`, patch, 200));
    }
    await Promise.all(writes);
  }

  async close() {
    for (const namespace of this.#namespaces) {
      try {
        await this.#connection.call('DELETE', `/api/v1/namespaces/${namespace}/pods`);
        await this.#connection.call('DELETE', `/api/v1/namespaces/${namespace}`);
      } catch (error) {
        // A server may stop the deletion of many pods; what was measured is not lost by that.
        console.error(`\nthe namespace ${namespace} is left: ${error.message}`);
      }
    }
    this.#connection.close();
  }

  async #send(method, path, body, expected) {
    const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const text = JSON.stringify(body);
    const answer = await this.#connection.call(method, path, text, { headers: type, keep: true });
    if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.body}`);
  }
}
