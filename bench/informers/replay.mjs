// The replay server as its parent sees it, and the programs that are measured against it.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts the server, over TLS and HTTP/2 unless `isPlain`. `run` measures one program against it and
 * gives what it reports.
 */
export async function startReplay({ isPlain, ...settings }) {
  const child = fork(new URL('./server.mjs', import.meta.url), isPlain ? ['--plain'] : []);
  const answer = () => new Promise((resolve) => child.once('message', resolve));
  const { url, ca } = await answer();
  const folder = mkdtempSync(join(tmpdir(), 'client-ts-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(url, ca)));
  const tell = (message) => {
    const told = answer();
    child.send(message);
    return told;
  };
  await tell(settings);
  return {
    kubeconfig,
    /** Sends the server settings, or a number of changes to send to each watch. */
    tell,
    /** For titles: what is measured over other protocols is not compared. */
    over: isPlain ? '' : ' over TLS',
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
    run: async (command, options) => {
      await tell({ objects: options.objects });
      return await runSubject(
        command,
        { ...options, kubeconfig },
        (phase) => phase === 'sync' && tell({ changes: options.events }),
      );
    },
  };
}

/** A kubeconfig without credentials. */
function kubeconfigOf(server, ca) {
  const authority = ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const name = 'replay';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...authority } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
}

/** Returns what a program reports, by phase. `onPhase` sends changes once its cache is full, or it is warm. */
export async function runSubject([file, ...args], options, onPhase) {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  // Node parses these certificates for its first TLS connection, though no client here trusts them.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined };
  const child = spawn(file, [...args, ...flags], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exit = new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject));
  const phases = {};
  for await (const line of createInterface(child.stdout)) {
    const { phase, ...result } = JSON.parse(line);
    phases[phase] = result;
    if (options.events > 0) await onPhase?.(phase);
  }
  const code = await exit;
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${[...args, ...flags].join(' ')}`);
  return phases;
}

/** Runs all cases interleaved, so that a busy moment of the machine hits all of them. */
export async function interleave(rounds, cases, measure) {
  const results = new Map(cases.map((one) => [one, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of cases) {
      process.stderr.write(`\rround ${round + 1}/${rounds}: ${one.name.padEnd(60)}`);
      try {
        results.get(one).push(await measure(one));
      } catch (error) {
        // What another client cannot do is a result too: it shows as a gap.
        if (one.isOurs) throw error;
        process.stderr.write(`\n${error.message}\n`);
        results.get(one).push({});
      }
    }
  }
  process.stderr.write(`\r${' '.repeat(80)}\r`);
  return results;
}
