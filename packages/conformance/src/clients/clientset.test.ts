import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Deployment } from 'client-ts/api/apps/v1';
import type { ConfigMap, Pod } from 'client-ts/api/core/v1';
import { isNoMatchError } from 'client-ts/discovery';
import { Clientset } from 'client-ts/kubernetes';
import { systemRandom } from 'client-ts/internal';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isStatus,
} from 'client-ts/meta';
import { type CodecName, extractApplied } from 'client-ts/rest';
import { type RunningTarget, targets } from './test-targets.ts';

const codecs: readonly CodecName[] = ['json', 'protobuf'];

/** Returns a Deployment with all fields that the server would default. */
function deployment(name: string): Deployment {
  const labels = { app: name };
  const containers = [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }];
  return {
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

const pod: Pod = {
  metadata: { name: 'pod' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
};

for (const { name, start } of targets) {
  for (const codec of codecs) {
    describe(`Clientset ${name}, with ${codec}`, () => {
      const namespace = `t${systemRandom.uuid().slice(0, 8)}`;
      let target: RunningTarget;
      let client: Clientset;

      before(async () => {
        target = await start();
        client = new Clientset(target.config, { codec });
        await client.coreV1.namespaces().create({ metadata: { name: namespace } });
      });

      after(async () => {
        await client.coreV1.namespaces().delete(namespace);
        await client[Symbol.asyncDispose]();
        await target[Symbol.asyncDispose]();
      });

      it('finds the client for what an object says it is', async () => {
        const web = { ...deployment('found'), apiVersion: 'apps/v1', kind: 'Deployment' } as const;
        const own = { ...web, metadata: { name: 'found', namespace } };
        const deployments = await client.for(own);
        await deployments.create(own);
        assert.equal((await deployments.getScale('found')).spec?.replicas, 1);
        const [item] = (await deployments.list({ fieldSelector: 'metadata.name=found' })).items;
        assert.equal(item?.kind, 'Deployment');
        const place = (await client.for(web)) as unknown as { namespaceName: string };
        assert.equal(place.namespaceName, client.namespace);
        const namespaces = await client.for({ apiVersion: 'v1', kind: 'Namespace' });
        assert.equal((await namespaces.get(namespace)).metadata.name, namespace);
        await assert.rejects(client.for({ apiVersion: 'v1', kind: 'Nothing' }), isNoMatchError);
        await assert.rejects(client.for({ kind: 'Pod' }), { code: 'REST_REQUEST_INVALID' });
      });

      it('creates, reads, replaces and deletes', async () => {
        const maps = client.coreV1.configMaps(namespace);
        const created = await maps.create({ metadata: { name: 'one' }, data: { a: '1' } });
        assert.equal(created.metadata.namespace, namespace);
        assert.match(created.metadata.uid, /./);
        assert.deepEqual(await maps.get('one'), created);
        await assert.rejects(maps.create({ metadata: { name: 'one' } }), (error) =>
          isAlreadyExists(error),
        );
        const updated = await maps.update({ ...created, data: { ...created.data, b: '2' } });
        assert.deepEqual(updated.data, { a: '1', b: '2' });
        await assert.rejects(maps.update(created), (error) => isConflict(error));
        const stale = { preconditions: { resourceVersion: created.metadata.resourceVersion } };
        await assert.rejects(maps.delete('one', stale), (error) => isConflict(error));
        assert.ok(
          isStatus(await maps.delete('one', { preconditions: { uid: created.metadata.uid } })),
        );
        await assert.rejects(maps.get('one'), (error) => isNotFound(error));
      });

      it('supports dry run', async () => {
        const maps = client.coreV1.configMaps(namespace);
        const tried = await maps.create({ metadata: { name: 'dry' } }, { dryRun: true });
        assert.equal(tried.metadata.name, 'dry');
        await assert.rejects(maps.get('dry'), (error) => isNotFound(error));
      });

      it('lists by selector, and page by page', async () => {
        const secrets = client.coreV1.secrets(namespace);
        for (let index = 0; index < 7; index += 1) {
          const labels = { even: String(index % 2 === 0), run: namespace };
          await secrets.create({ metadata: { name: `secret-${index}`, labels } });
        }
        const names = (items: readonly { metadata: { name: string } }[]): string[] =>
          items.map(({ metadata }) => metadata.name);
        const even = await secrets.list({ labelSelector: 'even=true' });
        assert.deepEqual(names(even.items), ['secret-0', 'secret-2', 'secret-4', 'secret-6']);
        const one = await secrets.list({ fieldSelector: 'metadata.name=secret-3' });
        assert.deepEqual(names(one.items), ['secret-3']);
        const page = await secrets.list({ limit: 3 });
        assert.equal(page.items.length, 3);
        assert.match(page.metadata.continue ?? '', /./);
        const everything = [];
        for await (const secret of secrets.listAll({ pageSize: 3 })) everything.push(secret);
        const whole = await secrets.list();
        assert.deepEqual(everything, whole.items);
        const list = await secrets.listAll({ pageSize: 2 }).toList();
        assert.deepEqual(list.items, whole.items);
        assert.equal(list.metadata.continue, undefined);
        const everywhere = client.coreV1.secrets().listAll({ labelSelector: `run=${namespace}` });
        assert.equal(await count(everywhere), 7);
        const deleted = await secrets.deleteCollection({ labelSelector: 'even=true' });
        assert.equal(deleted.kind, 'SecretList');
        assert.equal((await secrets.list()).items.length, 3);
      });

      it('patches with every patch type', async () => {
        const deployments = client.appsV1.deployments(namespace);
        await deployments.create(deployment('patched'));
        const json = await deployments.patch(
          'patched',
          [{ op: 'add', path: '/metadata/labels', value: { by: 'json' } }],
          { type: 'json' },
        );
        assert.deepEqual(json.metadata.labels, { by: 'json' });
        const merged = await deployments.patch(
          'patched',
          { metadata: { labels: { by: null, or: 'merge' } } },
          { type: 'merge' },
        );
        assert.deepEqual(merged.metadata.labels, { or: 'merge' });
        const sidecar = { name: 'sidecar', image: 'side:1' };
        const strategic = await deployments.patch(
          'patched',
          { spec: { template: { spec: { containers: [sidecar] } } } },
          { type: 'strategic' },
        );
        const { containers = [] } = strategic.spec?.template.spec ?? {};
        assert.deepEqual(
          new Set(containers.map((container) => container.name)),
          new Set(['sidecar', 'web']),
        );
        const status = await deployments.patch(
          'patched',
          { status: { replicas: 2 } },
          { type: 'merge', subresource: 'status' },
        );
        assert.equal(status.status?.replicas, 2);
        await assert.rejects(
          deployments.patch('patched', { spec: { replicas: -1 } }, { type: 'merge' }),
          (error) => isInvalid(error),
        );
      });

      it('applies, and removes what is no longer applied', async () => {
        const deployments = client.appsV1.deployments(namespace);
        const { metadata, spec } = deployment('applied');
        const mine = { metadata: { name: metadata?.name ?? '' }, spec: { ...spec, replicas: 2 } };
        const applied = await deployments.apply(mine, { fieldManager: 'me' });
        assert.equal(applied.spec?.replicas, 2);
        const theirs = { metadata: mine.metadata, spec: { replicas: 3, minReadySeconds: 5 } };
        await assert.rejects(deployments.apply(theirs, { fieldManager: 'other' }), (error) =>
          isConflict(error),
        );
        const forced = await deployments.apply(theirs, { fieldManager: 'other', force: true });
        assert.equal(forced.spec?.replicas, 3);
        const extracted = extractApplied(forced, 'other');
        assert.deepEqual(extracted.spec, { replicas: 3, minReadySeconds: 5 });
        const { replicas: _, ...rest } = mine.spec;
        assert.deepEqual(extractApplied(applied, 'me').spec, withKeys(mine.spec));
        assert.deepEqual(extractApplied(forced, 'me').spec, withKeys(rest));
        const again = await deployments.apply(extractApplied(forced, 'other'), {
          fieldManager: 'other',
        });
        assert.equal(again.metadata.resourceVersion, forced.metadata.resourceVersion);
      });

      it('updates the status separately', async () => {
        const deployments = client.appsV1.deployments(namespace);
        const created = await deployments.create(deployment('status'));
        const withStatus = { ...created, status: { replicas: 4 } };
        assert.equal((await deployments.updateStatus(withStatus)).status?.replicas, 4);
        const applied = await deployments.applyStatus(
          { metadata: { name: 'status' }, status: { readyReplicas: 1 } },
          { fieldManager: 'me' },
        );
        assert.deepEqual(applied.status, { replicas: 4, readyReplicas: 1 });
        assert.deepEqual(extractApplied(applied, 'me', { subresource: 'status' }).status, {
          readyReplicas: 1,
        });
      });

      it('scales', async () => {
        const deployments = client.appsV1.deployments(namespace);
        await deployments.create(deployment('scaled'));
        const scale = await deployments.getScale('scaled');
        assert.equal(scale.spec?.replicas, 1);
        const updated = await deployments.updateScale('scaled', {
          ...scale,
          spec: { replicas: 3 },
        });
        assert.equal(updated.spec?.replicas, 3);
        const patched = await deployments.patchScale(
          'scaled',
          { spec: { replicas: 5 } },
          { type: 'merge' },
        );
        assert.equal(patched.spec?.replicas, 5);
        assert.equal((await deployments.get('scaled')).spec?.replicas, 5);
      });

      it('binds, resizes, debugs and evicts pods', async () => {
        const pods = client.coreV1.pods(namespace);
        const created = await pods.create(pod);
        assert.equal((await pods.bind('pod', 'node-1')).status, 'Success');
        const bound = await pods.get('pod');
        assert.equal(bound.spec?.nodeName, 'node-1');
        const spec = { ...bound.spec, containers: bound.spec?.containers ?? [] };
        const ephemeralContainers = [{ name: 'debug', image: 'debug:1' }];
        const debugged = await pods.updateEphemeralContainers({
          ...bound,
          spec: { ...spec, ephemeralContainers },
        });
        assert.equal(debugged.spec?.ephemeralContainers?.[0]?.name, 'debug');
        assert.ok((await pods.evict('pod', { gracePeriodSeconds: 0 })).status === 'Success');
        await assert.rejects(pods.get('pod'), (error) => isNotFound(error));
        assert.notEqual(created.metadata.uid, '');
      });

      it('issues tokens', async () => {
        const accounts = client.coreV1.serviceAccounts(namespace);
        await accounts.create({ metadata: { name: 'robot' } });
        const { status, spec } = await accounts.createToken('robot', { expirationSeconds: 600 });
        assert.match(status?.token ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
        assert.equal(spec?.expirationSeconds, 600);
      });

      it('creates reviews, which are not stored', async () => {
        const review = await client.authorizationV1.selfSubjectAccessReviews().create({
          spec: { resourceAttributes: { verb: 'list', resource: 'pods', namespace } },
        });
        assert.equal(review.status?.allowed, true);
        const guest = new Clientset(
          { ...target.config, impersonate: { user: 'guest' } },
          { codec },
        );
        await assert.rejects(
          guest.coreV1.secrets(namespace).list(),
          (error) =>
            isForbidden(error) &&
            /User "guest" cannot list resource "secrets"/.test((error as Error).message),
        );
        await guest[Symbol.asyncDispose]();
      });

      it('writes back everything that it has read', async () => {
        const deployments = client.appsV1.deployments(namespace);
        const { metadata } = await deployments.create(deployment('round-trip'));
        const read = await deployments.get(metadata.name);
        const written = await deployments.update(read);
        assert.deepEqual(written, read);
        assert.equal(written.metadata.resourceVersion, metadata.resourceVersion);
      });

      it('reaches every group-version', async () => {
        await client.batchV1.jobs(namespace).list();
        await client.networkingV1.ingresses(namespace).list();
        await client.rbacV1.clusterRoles().get('cluster-admin');
        await client.storageV1.storageClasses().list();
        await client.apiextensionsV1.customResourceDefinitions().list();
        await client.flowcontrolV1.flowSchemas().list();
        const { items } = await client.coordinationV1.leases('kube-system').list();
        assert.ok(Array.isArray(items));
      });
    });
  }
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const _item of items) found += 1;
  return found;
}

/** The keys that the server defaults are part of an item's identity. */
function withKeys(spec: Partial<ConfigMap> | object): object {
  return JSON.parse(
    JSON.stringify(spec).replaceAll(
      '{"containerPort":80}',
      '{"containerPort":80,"protocol":"TCP"}',
    ),
  ) as object;
}
