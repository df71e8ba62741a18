import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DynamicClient } from 'client-ts/dynamic';
import { isNotFound } from 'client-ts/meta';
import { MetadataClient } from 'client-ts/metadata';
import { RESTClient } from 'client-ts/rest';
import { type CustomResource, installCustomResource } from './test-custom-resources.ts';
import { type RunningTarget, targets } from './test-targets.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

for (const { name, start } of targets) {
  for (const codec of ['json', 'protobuf'] as const) {
    describe(`MetadataClient ${name} in ${codec}`, () => {
      let target: RunningTarget;
      let custom: CustomResource;
      let rest: RESTClient;

      before(async () => {
        target = await start();
        custom = await installCustomResource(target.config);
        rest = new RESTClient(target.config, { codec });
      });

      after(async () => {
        await rest[Symbol.asyncDispose]();
        await custom[Symbol.asyncDispose]();
        await target[Symbol.asyncDispose]();
      });

      for (const which of ['built-in', 'custom'] as const) {
        it(`reads, watches, patches and deletes ${which} objects`, async () => {
          const resource = which === 'custom' ? custom.gvr : configMaps;
          const content =
            which === 'custom' ? custom.object('one', { size: 3 }) : { data: { a: 'b' } };
          const objects = new DynamicClient(rest).resource(resource).namespace(custom.namespace);
          const metadata = new MetadataClient(rest).resource(resource).namespace(custom.namespace);
          const before = await metadata.list();
          const created = await objects.create({
            ...content,
            metadata: { name: 'one', labels: { app: 'web' } },
          });

          const read = await metadata.get('one');
          assert.deepEqual(Object.keys(read).sort(), ['apiVersion', 'kind', 'metadata']);
          assert.equal(read.kind, 'PartialObjectMetadata');
          assert.deepEqual(read.metadata, created.metadata);

          const list = await metadata.list({ labelSelector: 'app=web' });
          assert.equal(list.kind, 'PartialObjectMetadataList');
          assert.deepEqual(list.items, [read]);

          const patched = await metadata.patch(
            'one',
            { metadata: { annotations: { note: 'seen' } } },
            { type: 'merge' },
          );
          assert.deepEqual(patched.metadata.annotations, { note: 'seen' });

          await metadata.delete('one', { preconditions: { uid: read.metadata.uid } });
          await assert.rejects(metadata.get('one'), (error) => isNotFound(error));

          const seen: string[] = [];
          const { resourceVersion } = before.metadata;
          const labelSelector = 'app=web';
          for await (const { type, object } of metadata.watch({ resourceVersion, labelSelector })) {
            assert.deepEqual(Object.keys(object).sort(), ['apiVersion', 'kind', 'metadata']);
            seen.push(`${type} ${object.metadata.name}`);
            if (type === 'DELETED') break;
          }
          assert.deepEqual(seen, ['ADDED one', 'MODIFIED one', 'DELETED one']);
        });
      }

      it('deletes collections', async () => {
        const objects = new DynamicClient(rest).resource(custom.gvr).namespace(custom.namespace);
        const metadata = new MetadataClient(rest).resource(custom.gvr).namespace(custom.namespace);
        for (const each of ['a', 'b', 'c']) await objects.create(custom.object(each));
        const names: string[] = [];
        for await (const each of metadata.listAll({ pageSize: 1 })) names.push(each.metadata.name);
        assert.deepEqual(names, ['a', 'b', 'c']);
        await metadata.deleteCollection({ propagationPolicy: 'Background' });
        assert.deepEqual((await metadata.list()).items, []);
      });
    });
  }
}
