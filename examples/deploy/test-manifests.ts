/** Applies the manifests to a server with RBAC and runs the programs with those permissions. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@client-ts/apiserver';
import {
  Clientset,
  type Config,
  DiscoveryClient,
  DynamicClient,
  isForbidden,
  RESTMapper,
} from 'client-ts';
import { SharedInformerFactory } from 'client-ts/informers';
import { parseApiVersion, type RequestInfo } from 'client-ts/meta';
import { compareRoles, RbacRecorder, type ResourcePermission } from 'client-ts/rbac';
import { RESTClient } from 'client-ts/rest';
import { conditions, waitFor } from 'client-ts/wait';
import { parseAllDocuments } from 'yaml';

import { runOperator } from '../operator/operator.ts';
import { runDemo } from '../operator/demo.ts';
import { webSets } from '../operator/web-set.ts';

const cli = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

/** Records what a user asks the server for, whatever program it is. */
function recordUser(
  server: ApiServer,
  user: string,
  onRecorded: () => void,
): readonly ResourcePermission[] {
  const used: ResourcePermission[] = [];
  const where = (info: RequestInfo): boolean => {
    const { verb, group, resource, namespace, name, query } = info;
    // Informers list instead on servers that do not stream lists.
    const verbs = query.get('sendInitialEvents') === 'true' ? ['list', verb] : [verb];
    if (info.isResourceRequest) {
      used.push(...verbs.map((each) => ({ verb: each, group, resource, namespace, name })));
      onRecorded();
    }
    return false;
  };
  server.faults.add({ match: { user, where }, fault: { kind: 'latency', ms: 0 } });
  return used;
}

/** Runs a command of `client-ts` as the service account of a manifest, until it prints that it works. */
async function recordCommand(
  file: string,
  options: {
    readonly namespace: string;
    readonly command: (directory: string) => readonly string[];
    readonly isRunning: RegExp;
    /** What it does when it works. Default: it watches. */
    readonly verbs?: readonly string[];
  },
): Promise<readonly ResourcePermission[]> {
  const { namespace, command, isRunning, verbs = ['watch'] } = options;
  const [name = ''] = file.split('.');
  await using server = await ApiServer.start({ authorization: 'rbac' });
  await apply(server.config, [file]);
  let end = (): void => undefined;
  const working = new Promise<void>((resolve) => (end = resolve));
  let text = '';
  const check = (): void => {
    const hasUsed = (wanted: string): boolean => used.some(({ verb }) => verb === wanted);
    if (isRunning.test(text) && verbs.every(hasUsed)) end();
  };
  const used = recordUser(server, `system:serviceaccount:${namespace}:${name}`, check);
  await using admin = new Clientset(server.config);
  const { status } = await admin.coreV1.serviceAccounts(namespace).createToken(name);
  const directory = await mkdtemp(join(tmpdir(), `${name}-`));
  const kubeconfig = join(directory, 'config');
  await writeFile(kubeconfig, server.kubeconfig);
  const flags = ['--kubeconfig', kubeconfig, '--token', status?.token ?? ''];
  const child = spawn(process.execPath, [cli, ...command(directory), ...flags]);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += String(chunk);
      check();
    });
  }
  child.once('close', () => end());
  await working;
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  await rm(directory, { recursive: true });
  assert.match(text, isRunning);
  return used;
}

/** A type alias, because an interface is not assignable to an index signature. */
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
};

async function manifestsOf(file: string): Promise<Manifest[]> {
  const text = await readFile(new URL(file, import.meta.url), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** Applies a file like `kubectl apply -f`. */
async function apply(config: Config, files: readonly string[]): Promise<void> {
  await using rest = new RESTClient(config);
  const mapper = new RESTMapper(new DiscoveryClient(rest));
  const dynamic = new DynamicClient(rest);
  for (const object of (await Promise.all(files.map(manifestsOf))).flat()) {
    const { apiVersion, kind, metadata } = object;
    const resource = await mapper.mapping({ ...parseApiVersion(apiVersion), kind });
    const all = dynamic.resource(resource);
    const place = metadata.namespace === undefined ? all : all.namespace(metadata.namespace);
    await place.apply(object, { fieldManager: 'deploy' });
    if (kind === 'CustomResourceDefinition') {
      await waitFor(all, metadata.name, conditions.conditionTrue('Established'));
    }
  }
}

/** Returns a config with a token of a service account. */
async function configOf(server: ApiServer, namespace: string, name: string): Promise<Config> {
  await using admin = new Clientset(server.config);
  const { status } = await admin.coreV1.serviceAccounts(namespace).createToken(name);
  return { ...server.config, auth: { token: status?.token ?? '' } };
}

export function testManifests(): void {
  it('define WebSets as in the operator', async () => {
    const [definition] = await manifestsOf('web-sets.yaml');
    assert.deepEqual(definition, webSets.definition);
  });

  it('give the operator the permissions it needs and no others', { timeout: 120_000 }, async () => {
    await using server = await ApiServer.start({ authorization: 'rbac' });
    await apply(server.config, ['web-sets.yaml', 'operator.yaml']);
    const config = await configOf(server, 'web-sets', 'web-set-operator');
    const recorder = new RbacRecorder();
    const stop = new AbortController();
    const log: string[] = [];
    const options = { namespace: 'web-sets', log: (line: string) => void log.push(line) };
    const operatorOptions = {
      ...options,
      config: recorder.record(config),
      leaseDurationMs: 15_000,
    };
    const running = runOperator({
      ...operatorOptions,
      identity: 'operator-0',
      signal: stop.signal,
    });
    await using admin = new Clientset(server.config);
    await runDemo(admin, options);
    stop.abort();
    assert.equal(await running, 'stopped');
    // Replicas that share the WebSets use the Leases in other ways than those that elect a leader.
    const stopSharded = new AbortController();
    const sharded = runOperator({
      ...operatorOptions,
      identity: 'operator-1',
      shards: 1,
      log: (line) => {
        log.push(line);
        if (line === 'shard 0: acquired') stopSharded.abort();
      },
      signal: stopSharded.signal,
    });
    assert.equal(await sharded, 'stopped');
    assert.deepEqual(
      log.filter((line) => /forbidden/i.test(line)),
      [],
    );
    const { items } = await admin.coreV1.events('web-sets').list();
    assert.ok(items.length > 0, 'no events were recorded');

    // The role is what the operator used: a new request needs a rule, and a rule needs a request.
    assert.deepEqual(compareRoles(await manifestsOf('operator.yaml'), recorder.permissions), {
      missing: [],
      excess: [],
    });
    await using operator = new Clientset(config);
    await assert.rejects(operator.coreV1.secrets('web-sets').list(), isForbidden);
    await assert.rejects(operator.coreV1.pods('default').list(), isForbidden);
  });

  it('pods-per-node.yaml grants what the command uses and no more', async () => {
    const used = await recordCommand('pods-per-node.yaml', {
      namespace: 'default',
      command: () => ['pods-per-node'],
      isRunning: /node/i,
    });
    assert.deepEqual(compareRoles(await manifestsOf('pods-per-node.yaml'), used), {
      missing: [],
      excess: [],
    });
  });

  it('event-collector.yaml grants what the command uses', { timeout: 60_000 }, async () => {
    const namespace = 'event-collector';
    const alone = await recordCommand('event-collector.yaml', {
      namespace,
      command: (directory) => ['collect-events', '--file', join(directory, 'events.db')],
      isRunning: /Collecting the events/,
    });
    const sharing = await recordCommand('event-collector.yaml', {
      namespace,
      command: (directory) => {
        const sink = ['--sqlite=false', '--ndjson', join(directory, 'events.ndjson')];
        const spool = ['--spool', join(directory, 'spool')];
        const sharding = ['--shards', '4', '--lease-namespace', namespace];
        return ['collect-events', ...sink, ...spool, ...sharding];
      },
      isRunning: /Collecting the events/,
      // It takes part, and renews its Lease.
      verbs: ['watch', 'update'],
    });
    const roles = await manifestsOf('event-collector.yaml');
    const { missing, excess } = compareRoles(roles, [...alone, ...sharing]);
    assert.deepEqual(missing, []);
    // The other API of events is for servers that do not grant the first.
    assert.deepEqual(
      excess.filter((each) => !each.includes('events.events.k8s.io')),
      [],
    );
  });

  for (const { file, namespace, name, allowed, denied } of [
    {
      file: 'event-collector.yaml',
      namespace: 'event-collector',
      name: 'event-collector',
      allowed: 'events',
      denied: 'pods',
    },
    {
      file: 'pods-per-node.yaml',
      namespace: 'default',
      name: 'pods-per-node',
      allowed: 'pods',
      denied: 'events',
    },
  ] as const) {
    it(`${file} allows watching ${allowed} and denies ${denied}`, async () => {
      await using server = await ApiServer.start({ authorization: 'rbac' });
      await apply(server.config, [file]);
      await using client = new Clientset(await configOf(server, namespace, name));
      await using factory = new SharedInformerFactory(client);
      factory.forResource({ group: '', version: 'v1', resource: allowed });
      factory.start();
      await factory.waitForCacheSync();
      await assert.rejects(client.coreV1[denied]().list(), isForbidden);
    });
  }
}
