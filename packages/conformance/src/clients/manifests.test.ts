import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Clientset } from 'client-ts/kubernetes';
import { systemRandom } from 'client-ts/internal';
import {
  type ApplyObjectsOptions,
  applyObjects,
  type ApplyResult,
  deleteObjects,
  diffOf,
  type ManifestError,
  type ManifestResult,
  parseManifests,
} from 'client-ts/manifests';
import { isConflict, isNotFound } from 'client-ts/meta';
import { type RunningTarget, targets } from './test-targets.ts';

const own = { fieldManager: 'deploy' };

function outcomes(results: readonly ManifestResult[]): string[] {
  return results.map(({ outcome, object }) => `${object.kind} ${object.metadata.name} ${outcome}`);
}

for (const { name, start } of targets) {
  describe(`manifests ${name}`, () => {
    const id = `t${systemRandom.uuid().slice(0, 8)}`;
    const group = `${id}.example.com`;
    let target: RunningTarget;
    let client: Clientset;

    before(async () => {
      target = await start();
      client = new Clientset(target.config);
    });

    after(async () => {
      await client.close();
      await target[Symbol.asyncDispose]();
    });

    /** A custom resource, its namespace and its definition, in the wrong order. */
    const stack = parseManifests(`
apiVersion: ${group}/v1
kind: Widget
metadata: { name: one, namespace: ${id} }
spec: { size: 3 }
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: { name: settings, namespace: ${id}, labels: { app: shop } }
  data: { level: info }
- apiVersion: v1
  kind: Namespace
  metadata: { name: ${id} }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { plural: widgets, kind: Widget, singular: widget, listKind: WidgetList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: { spec: { type: object, properties: { size: { type: integer } } } }
`);
    const settings = stack[1];
    assert.ok(settings);

    async function apply(
      objects: typeof stack,
      options: Partial<ApplyObjectsOptions> = {},
    ): Promise<ApplyResult[]> {
      return await applyObjects(client, objects, { ...own, ...options });
    }

    it('applies definitions, then namespaces, then the rest', async () => {
      const seen: string[] = [];
      const onResult = (result: ApplyResult): void => void seen.push(result.object.kind);
      const results = await apply(stack, { onResult });
      assert.deepEqual(outcomes(results), [
        `CustomResourceDefinition widgets.${group} created`,
        `Namespace ${id} created`,
        'Widget one created',
        'ConfigMap settings created',
      ]);
      assert.deepEqual(
        seen,
        results.map(({ object }) => object.kind),
      );
    });

    it('distinguishes what is unchanged from what is configured', async () => {
      const changed = { ...settings, data: { level: 'debug' } };
      const results = await apply([...stack.filter((each) => each !== settings), changed]);
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['unchanged', 'unchanged', 'unchanged', 'configured'],
      );
      const maps = client.coreV1.configMaps(id);
      assert.deepEqual((await maps.get('settings')).data, { level: 'debug' });
    });

    it('compares with a dry run, and stores nothing', async () => {
      const added = { ...settings, metadata: { ...settings.metadata, name: 'added' } };
      const results = await apply([settings, added], { dryRun: true });
      assert.deepEqual(outcomes(results), [
        'ConfigMap settings configured',
        'ConfigMap added created',
      ]);
      const [first, second] = results.map((result) => ('after' in result ? diffOf(result) : ''));
      assert.match(first ?? '', /\n-  level: debug\n\+  level: info\n/);
      assert.match(
        second ?? '',
        /^--- live\/v1\.ConfigMap\..*\n@@ -0,0 \+1,\d+ @@\n\+apiVersion: v1\n/s,
      );
      await assert.rejects(client.coreV1.configMaps(id).get('added'), isNotFound);
      const again = await apply([{ ...settings, data: { level: 'debug' } }], { dryRun: true });
      assert.equal('after' in (again[0] ?? {}) && diffOf(again[0] as never), '');
    });

    it('reports each object that fails, and applies the others', async () => {
      const unknown = { ...settings, kind: 'Nothing' };
      const invalid = { ...settings, data: { level: 3 } };
      const typo = { ...settings, dada: {} };
      const last = { ...settings, metadata: { ...settings.metadata, name: 'last' } };
      const error = await apply([unknown, invalid, typo, last]).catch((thrown: unknown) => thrown);
      const { code, message, results } = error as ManifestError;
      assert.equal(code, 'MANIFESTS_FAILED');
      assert.match(message, /^3 of 4 objects were not applied: Nothing t\w+\/settings: no matches/);
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['failed', 'failed', 'failed', 'created'],
      );
      assert.match(results[2]?.error?.message ?? '', /dada/);
    });

    it('does not take over the fields of another manager unless forced', async () => {
      const options = { fieldManager: 'other' };
      const error = await apply([settings], options).catch((thrown: unknown) => thrown);
      assert.ok(isConflict((error as ManifestError).results[0]?.error));
      const [forced] = await apply([settings], { ...options, force: true });
      assert.equal(forced?.outcome, 'configured');
    });

    it('prunes by label what it has applied before, of allowed resources', async () => {
      const labelled = (name: string): (typeof stack)[number] => ({
        ...settings,
        metadata: { ...settings.metadata, name, labels: { set: 'prune' } },
      });
      await apply(['a', 'b', 'c'].map(labelled));
      const foreign = { metadata: { name: 'foreign', labels: { set: 'prune' } } };
      await client.coreV1.configMaps(id).create(foreign);
      const prune = { labelSelector: 'set=prune', allow: ['configmaps', 'secrets'] };
      const dry = await apply([labelled('a')], { prune, dryRun: true });
      const pruned = ['ConfigMap a unchanged', 'ConfigMap b pruned', 'ConfigMap c pruned'];
      assert.deepEqual(outcomes(dry), pruned);
      assert.deepEqual(outcomes(await apply([labelled('a')], { prune })), pruned);
      const { items } = await client.coreV1.configMaps(id).list({ labelSelector: 'set=prune' });
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ['a', 'foreign'],
      );
      const none = { labelSelector: ' ', allow: ['configmaps'] };
      await assert.rejects(apply([], { prune: none }), { code: 'OPTION_INVALID' });
      await assert.rejects(apply([], { prune: { ...prune, allow: [] } }), {
        code: 'OPTION_INVALID',
      });
    });

    it('puts objects without a namespace into the given one', async () => {
      const { namespace: _, ...metadata } = settings.metadata;
      const [placed] = await apply([{ ...settings, metadata: { ...metadata, name: 'placed' } }], {
        namespace: id,
      });
      assert.ok(placed && 'after' in placed);
      assert.equal(placed.after.metadata.namespace, id);
    });

    it('deletes in reverse order, and knows what was absent', async () => {
      assert.deepEqual(outcomes(await deleteObjects(client, stack, { dryRun: true })), [
        'ConfigMap settings deleted',
        'Widget one deleted',
        `Namespace ${id} deleted`,
        `CustomResourceDefinition widgets.${group} deleted`,
      ]);
      const results = await deleteObjects(client, stack, { wait: true });
      assert.ok(results.every(({ outcome }) => outcome === 'deleted'));
      client.mapper.reset();
      const again = await deleteObjects(client, stack);
      assert.ok(
        again.every(({ outcome }) => outcome === 'absent'),
        outcomes(again).join(),
      );
      const typo = { ...settings, kind: 'Nothing' };
      await assert.rejects(deleteObjects(client, [typo]), { code: 'MANIFESTS_FAILED' });
    });
  });
}
