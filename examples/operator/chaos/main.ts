/**
 * Kills, stops, pauses, partitions and restarts operator processes at random while users change WebSets
 * and pods are deleted. At the end the state must be correct; by the watch log of the server no pod may
 * have been created twice, or by a request that was sent without the lease; by the logs of the processes
 * no WebSet may have been reconciled by two at the same time.
 *
 *   npm run chaos -- [--sharded] [--minutes 5] [--seed N] [--kubeconfig FILE] [--sabotage NAME]
 *
 * Two processes of which one leads, or with --sharded five that share the WebSets in 16 shards.
 *
 * Without a kubeconfig it runs on an embedded server in a third process. Otherwise it creates a
 * namespace and deletes it at the end; the CRD of WebSets stays.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Clientset } from 'client-ts';
import { systemRandom } from 'client-ts/wait';

import { ensureNamespace, installWebSets } from '../install.ts';
import { runKubelet } from '../kubelet.ts';
import { SABOTAGES } from '../operator.ts';
import { webSets } from '../web-set.ts';
import { audit } from './audit.ts';
import { Dice } from './dice.ts';
import { type FinalState, finalState } from './final-state.ts';
import { runGarbageCollector } from './garbage-collector.ts';
import { report } from './report.ts';
import { startServer } from './server.ts';
import { Partition } from './partition.ts';
import { Reconciles } from './reconciles.ts';
import { type ProcessCounts, Supervised, Troubles } from './supervised.ts';
import type { LeaseRules } from './tenures.ts';
import { MANY_NAMES, Users } from './users.ts';
import { WatchLog } from './watch-log.ts';

/** The time to reconcile after the faults end; a lease may have to expire first. */
const SETTLE_MS = 120_000;

/** More than the WebSets, so that every process has some. */
const SHARDS = 16;

const USAGE = `npm run chaos [-- options]

Kills, stops, pauses, partitions and restarts operators at random while users change WebSets, and checks
every pod ever created against the watch log of the server.

  --sharded          five operators that share the WebSets (default: two, of which one leads)
  --sabotage NAME    breaks a rule, to see that it is noticed: ${SABOTAGES.join(', ')}
  --minutes N        duration (default 5)
  --seed N           random seed (default: random; printed)
  --kubeconfig FILE  the cluster to use (default: an embedded server); creates its own namespace`;

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    sharded: { type: 'boolean', default: false },
    sabotage: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(systemRandom.next() * 2 ** 31)) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const { sabotage } = values;
// A name that is not known would break nothing, and the run would look as if that was not noticed.
if (sabotage !== undefined && !SABOTAGES.some((known) => known === sabotage)) {
  console.error(`--sabotage: "${sabotage}" is none of ${SABOTAGES.join(', ')}`);
  process.exit(2);
}
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const namespace = `chaos-${systemRandom.uuid().slice(0, 8)}`;

await using server = await startServer(values.kubeconfig);
await using client = new Clientset(server.config);
await installWebSets(client);
await ensureNamespace(client, namespace);
await using log = await WatchLog.start(client, namespace);

const rest = new AbortController();
const kubeletDice = new Dice(seed + 1);
const kubelet = runKubelet({
  client,
  namespace,
  startMs: () => kubeletDice.between(10, 300),
  signal: rest.signal,
});
const collector = runGarbageCollector({ client, namespace, signal: rest.signal });

const counts: ProcessCounts = {
  started: 0,
  killed: 0,
  terminated: 0,
  paused: 0,
  partitioned: 0,
  lost: 0,
};
const faults: string[] = [];
const reconciles = new Reconciles();
// Longer for five processes, which share the processors of one machine.
const leaseSeconds = values.sharded ? 4 : 2;
const rules: LeaseRules = {
  shards: values.sharded ? SHARDS : undefined,
  leaseDurationMs: leaseSeconds * 1000,
  renewDeadlineMs: (leaseSeconds * 2000) / 3,
};
const names = values.sharded ? ['anton', 'berta', 'cesar', 'dorle', 'edgar'] : ['left', 'right'];
// Of five, three are left to take over.
const troubles = new Troubles(2);
await using directory = await temporaryDirectory();
await using processes = new AsyncDisposableStack();
const operators: Supervised[] = [];
for (const [index, name] of names.entries()) {
  const file = join(directory.path, `${name}.kubeconfig`);
  const partition = processes.use(await Partition.start(server.kubeconfig, file));
  const operator = new Supervised({
    name,
    partition,
    troubles,
    namespace,
    leaseSeconds,
    shards: rules.shards,
    stamp: true,
    // Long enough for troubles in the middle of it.
    stepMs: values.sharded ? 150 : 60,
    sabotage,
    dice: new Dice(seed + 2 + index),
    counts,
    faults,
    onLine: (identity, line) => reconciles.read(identity, line),
  });
  operators.push(processes.use(operator));
}
const users = new Users(client, namespace, new Dice(seed), values.sharded ? MANY_NAMES : undefined);

console.log(`chaos on ${server.config.server}, seed ${seed}, for ${minutes} minutes`);
const storm = AbortSignal.timeout(minutes * 60_000);
await Promise.all([users.act(storm), ...operators.map((operator) => operator.harm(storm))]);

const calmAt = performance.now();
const settled = await settle();
const settledAfterMs = performance.now() - calmAt;
// Operators that are stopped leave all locks without a holder, which is not a fault.
const stoppedAt = Date.now();
await Promise.all(operators.map((operator) => operator.stop()));
const final = await finalState(client, namespace);
const audited = audit(log.changes, rules, stoppedAt);
const text = report({
  counts,
  users: users.counts,
  audited,
  changes: log.changes.length,
  final,
  settledAfterMs,
  reconciles,
  // One process may be all that is left of two, and has to start first.
  vacancyMs: values.sharded ? rules.leaseDurationMs : Infinity,
  faults: [...faults, ...settled.faults, ...final.faults],
});
console.log(text.lines.join('\n'));
process.exitCode = text.isRight ? 0 : 1;

await cleanUp();
rest.abort();
await Promise.all([kubelet, collector]);

/** A directory that is removed at the end. */
async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'chaos-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Waits until the state is correct; returns the differences that are left after the timeout. */
async function settle(): Promise<FinalState> {
  for (;;) {
    const state = await finalState(client, namespace);
    if (state.faults.length === 0 || performance.now() - calmAt > SETTLE_MS) return state;
    await sleep(200);
  }
}

/** Removes the finalizers, because no operator is running any more. */
async function cleanUp(): Promise<void> {
  const sets = client.resource(webSets, namespace);
  for (const { metadata } of (await sets.list()).items) {
    await sets.patch(metadata.name, { metadata: { finalizers: null } }, { type: 'merge' });
  }
  await client.coreV1.namespaces().delete(namespace);
}
