import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Deployment, deployments } from 'client-ts/api/apps/v1';
import { configMaps } from 'client-ts/api/core/v1';
import {
  DynamicClient,
  fromUnstructured,
  nestedField,
  nestedNumber,
  setNestedField,
  toUnstructured,
} from 'client-ts/dynamic';
import { isConflict, isNotFound, isStatus } from 'client-ts/meta';
import { type CustomResource, installCustomResource } from './test-custom-resources.ts';
import { type RunningTarget, targets } from './test-targets.ts';

for (const { name, start } of targets) {
  describe(`DynamicClient ${name}`, () => {
    let target: RunningTarget;
    let custom: CustomResource;
    let dynamic: DynamicClient;

    before(async () => {
      target = await start();
      custom = await installCustomResource(target.config);
      dynamic = new DynamicClient(target.config);
    });

    after(async () => {
      await dynamic[Symbol.asyncDispose]();
      await custom[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    it('creates, reads, replaces and deletes custom resources', async () => {
      const widgets = dynamic.resource(custom.gvr).namespace(custom.namespace);
      const created = await widgets.create(custom.object('one', { size: 1, extra: { deep: [1] } }));
      assert.equal(created.kind, custom.kind);
      assert.match(created.metadata.uid, /./);
      setNestedField(created, ['spec', 'size'], 2);
      const updated = await widgets.update(created);
      assert.equal(nestedNumber(updated, ['spec', 'size']), 2);
      assert.deepEqual(nestedField(updated, ['spec', 'extra']), { deep: [1] }, 'nothing is lost');
      await assert.rejects(widgets.update(created), (error) => isConflict(error));
      const withStatus = await widgets.updateStatus({ ...updated, status: { phase: 'Ready' } });
      assert.deepEqual(withStatus['status'], { phase: 'Ready' });
      const patched = await widgets.patch('one', { spec: { size: 3 } }, { type: 'merge' });
      assert.deepEqual(patched['spec'], { size: 3, extra: { deep: [1] } });
      assert.deepEqual(await widgets.get('one'), patched);
      const gone = await widgets.delete('one', { preconditions: { uid: created.metadata.uid } });
      assert.ok(isStatus(gone));
      await assert.rejects(widgets.get('one'), (error) => isNotFound(error));
    });

    it('applies', async () => {
      const widgets = dynamic.resource(custom.gvr).namespace(custom.namespace);
      const metadata = { name: 'applied' };
      const object = { ...custom.object('applied', { size: 1 }), metadata };
      const created = await widgets.apply(object, { fieldManager: 'me' });
      assert.deepEqual(created['spec'], { size: 1 });
      const { apiVersion = '', kind = '' } = created;
      const status = { apiVersion, kind, metadata, status: { phase: 'Ready' } };
      const both = await widgets.applyStatus(status, { fieldManager: 'me' });
      assert.deepEqual(both['status'], { phase: 'Ready' });
      await assert.rejects(
        widgets.apply(both as unknown as typeof object, { fieldManager: 'me' }),
        /managedFields/,
      );
      await widgets.delete('applied');
    });

    it('pages, watches and deletes collections', async () => {
      const widgets = dynamic.resource(custom.gvr).namespace(custom.namespace);
      const { metadata } = await widgets.list();
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const each of names) await widgets.create(custom.object(each));
      const listed: string[] = [];
      for await (const widget of widgets.listAll({ pageSize: 2 })) {
        assert.equal(widget.kind, custom.kind);
        listed.push(widget.metadata.name);
      }
      assert.deepEqual(listed, names);
      const seen: string[] = [];
      for await (const event of widgets.watch({ resourceVersion: metadata.resourceVersion })) {
        seen.push(`${event.type} ${event.object.metadata.name}`);
        if (seen.length === names.length) break;
      }
      assert.deepEqual(
        seen,
        names.map((each) => `ADDED ${each}`),
      );
      await widgets.deleteCollection();
      assert.deepEqual((await widgets.list()).items, []);
    });

    it('lists built-in kinds as typed objects, in one namespace or in all', async () => {
      const client = dynamic.resource(deployments).namespace(custom.namespace);
      const web: Deployment = {
        metadata: { name: 'web', labels: { from: custom.namespace } },
        spec: {
          paused: true,
          replicas: 0,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
          },
        },
      };
      await client.create(toUnstructured(deployments, web));
      const everywhere = await dynamic
        .resource({ group: 'apps', version: 'v1', resource: 'deployments' })
        .list({ labelSelector: `from=${custom.namespace}` });
      const [found] = everywhere.items.map((item) => fromUnstructured(deployments, item));
      assert.equal(found?.metadata.name, 'web');
      assert.equal(found.spec?.template.spec?.containers[0]?.name, 'main');
      const [item] = everywhere.items;
      assert.ok(item !== undefined);
      assert.throws(() => fromUnstructured(configMaps, item), { code: 'DYNAMIC_KIND_MISMATCH' });
      await client.delete('web');
    });

    it('does not require kind and apiVersion for built-in kinds', async () => {
      const maps = dynamic
        .resource({ group: '', version: 'v1', resource: 'configmaps' })
        .namespace(custom.namespace);
      const created = await maps.create({ metadata: { name: 'nameless' }, data: { a: 'b' } });
      assert.equal(created.kind, 'ConfigMap');
      await maps.delete('nameless');
    });
  });
}
