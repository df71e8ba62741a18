// Sequential GETs: milliseconds for each, and TLS handshakes for all of them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, median, table } from '../lib/report.mjs';
import { bareAgent, clientNode, clientTs } from './targets.mjs';

async function series(client, count) {
  const start = performance.now();
  for (let round = 0; round < count; round += 1) {
    const { metadata } = await client.get();
    if (metadata.name !== 'default') throw new Error('that is not what was asked for');
  }
  return (performance.now() - start) / count;
}

/** `ask` gives the number of connections that the door has carried so far. */
export async function measureGets(server, ask, { requests, rounds, withPeer }) {
  const makers = {
    'client-ts, HTTP/2 (default)': (target) => clientTs(target, 'auto'),
    'client-ts, HTTP/1.1': (target) => clientTs(target, 'http1'),
    'https.Agent with keep-alive': bareAgent,
    ...(withPeer && { '@kubernetes/client-node 2.0.1': clientNode }),
  };
  const results = Object.fromEntries(Object.keys(makers).map((name) => [name, { times: [] }]));
  for (const [name, make] of Object.entries(makers)) {
    const before = (await ask()).connections;
    const client = await make({ ...server, url: server.doorUrl, originalUrl: server.url });
    await series(client, requests);
    results[name].handshakes = (await ask()).connections - before;
    await client.close();
  }
  // All clients take turns in every round, so that a busy moment of the machine hits all of them.
  const clients = {};
  for (const [name, make] of Object.entries(makers)) {
    clients[name] = await make({ ...server, originalUrl: server.url });
    await series(clients[name], Math.ceil(requests / 3));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, client] of Object.entries(clients)) {
      results[name].times.push(await series(client, requests));
    }
  }
  for (const client of Object.values(clients)) await client.close();
  return table(
    [`${requests} sequential GETs`, 'ms per GET', 'TLS handshakes'],
    Object.entries(results).map(([name, { times, handshakes }]) => [
      name,
      format(median(times)),
      handshakes,
    ]),
  );
}

const REPEATS = 5;
const program = fileURLToPath(new URL('./client-gets.mjs', import.meta.url));

/** GETs of typed clients beside client-go: a process of each per round, warm, by wall and processor time. */
export function measureClients(server, { sequential, parallel, rounds, peer }) {
  const folder = mkdtempSync(join(tmpdir(), 'client-ts-gets-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  const commands = {
    'client-ts': [process.execPath, program],
    ...(peer && { 'client-go': [peer] }),
  };
  const flags = Object.entries({ kubeconfig, sequential, parallel, repeats: REPEATS });
  const runs = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [subject, [file, ...args]] of Object.entries(commands)) {
      const options = [...args, ...flags.flatMap(([name, value]) => [`--${name}`, String(value)])];
      const { stdout, status } = spawnSync(file, options, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (status !== 0) throw new Error(`${file} ended with ${status}`);
      const lines = stdout.trim().split('\n');
      runs.push(...lines.map((line) => ({ subject, ...JSON.parse(line) })));
    }
  }
  rmSync(folder, { recursive: true });
  const of = (subject, name, field) =>
    median(
      runs.filter((run) => run.subject === subject && run.name === name).map((run) => run[field]),
    );
  const rows = Object.entries({ sequential, parallel }).flatMap(([name, count]) =>
    Object.keys(commands).map((subject) => [
      `${format(count)} GETs, ${name}, ${subject}`,
      format(of(subject, name, 'wallMs')),
      format(of(subject, name, 'cpuMicros')),
      format(peer && of('client-go', name, 'wallMs') / of(subject, name, 'wallMs')),
      format(peer && of('client-go', name, 'cpuMicros') / of(subject, name, 'cpuMicros')),
    ]),
  );
  const head = ['wall, ms', 'processor, µs each', '× client-go, wall', '× processor'];
  return table(['typed GETs over TLS and HTTP/2', ...head], rows);
}
