/** Applies the manifests to a server with RBAC and runs the programs with those permissions. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
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
import { parseApiVersion } from 'client-ts/meta';
import { compareRoles, RbacRecorder } from 'client-ts/rbac';
import { RESTClient } from 'client-ts/rest';
import { conditions, waitFor } from 'client-ts/wait';
import { parseAllDocuments } from 'yaml';

import { runOperator } from '../operator/operator.ts';
import { runDemo } from '../operator/demo.ts';
import { webSets } from '../operator/web-set.ts';

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
    const running = runOperator({
      ...options,
      config: recorder.record(config),
      identity: 'operator-0',
      leaseDurationMs: 15_000,
      signal: stop.signal,
    });
    await using admin = new Clientset(server.config);
    await runDemo(admin, options);
    stop.abort();
    assert.equal(await running, 'stopped');
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
      factory.coreV1[allowed]();
      factory.start();
      await factory.waitForCacheSync();
      await assert.rejects(client.coreV1[denied]().list(), isForbidden);
    });
  }
}
