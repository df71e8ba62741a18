import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import type { Area } from '../check.ts';
import { eventually, failure, field, ok, warnings } from '../expect.ts';
import { anyObject, create, customKind } from '../objects.ts';

const version = (name: string, extra: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: anyObject },
  ...extra,
});

/** One kind in several versions. */
export const customResourceVersions: Area = {
  name: 'custom resource versions',
  checks: {
    'serves an object in every version': async (kit) => {
      const { api, namespace } = kit;
      const versions = [version('v1', { storage: true }), version('v1beta1')];
      const things = await customKind(kit, { versions });
      await create(api, things.collection(namespace, 'v1'), things.object('a', { spec: { x: 1 } }));
      const other = ok(await api.get(`${things.collection(namespace, 'v1beta1')}/a`));
      assert.equal(other.apiVersion, `${things.group}/v1beta1`);
      assert.deepEqual(other['spec'], { x: 1 });
    },

    'accepts writes through any version': async (kit) => {
      const { api, namespace } = kit;
      const versions = [version('v1', { storage: true }), version('v1beta1')];
      const things = await customKind(kit, { versions });
      const object = { ...things.object('a'), apiVersion: `${things.group}/v1beta1` };
      const created = await create(api, things.collection(namespace, 'v1beta1'), object);
      const stored = ok(await api.get(`${things.collection(namespace, 'v1')}/a`));
      assert.equal(stored.metadata.uid, created.metadata.uid);
      assert.equal(stored.apiVersion, `${things.group}/v1`);
    },

    'watches in the requested version': async (kit) => {
      const { api, namespace } = kit;
      const versions = [version('v1', { storage: true }), version('v1beta1')];
      const things = await customKind(kit, { versions });
      await create(api, things.collection(namespace), things.object('a'));
      await using watch = await api.watch(
        `${things.collection(namespace, 'v1beta1')}?watch=1&timeoutSeconds=1`,
      );
      const [event] = await watch.rest();
      assert.equal(event?.object.apiVersion, `${things.group}/v1beta1`);
    },

    'rejects another version in the body than in the path': async (kit) => {
      const { api, namespace } = kit;
      const versions = [version('v1', { storage: true }), version('v1beta1')];
      const things = await customKind(kit, { versions });
      const reply = await api.post(things.collection(namespace, 'v1beta1'), things.object('a'));
      failure(reply, 400, 'BadRequest');
    },

    'warns about a deprecated version': async (kit) => {
      const { api, namespace } = kit;
      const versions = [version('v1', { storage: true }), version('v1beta1', { deprecated: true })];
      const things = await customKind(kit, { versions });
      const old = await api.get(things.collection(namespace, 'v1beta1'));
      assert.match(warnings(old)[0] ?? '', /v1beta1 .* is deprecated/);
      assert.deepEqual(warnings(await api.get(things.collection(namespace, 'v1'))), []);
    },

    'does not serve an unserved version': async (kit) => {
      const { api, namespace } = kit;
      const versions = [version('v1', { storage: true }), version('v1alpha1', { served: false })];
      const things = await customKind(kit, { versions });
      assert.equal((await api.get(things.collection(namespace, 'v1alpha1'))).status, 404);
    },

    'stops serving a version when the definition changes': async (kit) => {
      const { api, namespace, clock } = kit;
      const versions = [version('v1', { storage: true }), version('v1beta1')];
      const things = await customKind(kit, { versions });
      const patch = [{ op: 'replace', path: '/spec/versions/1/served', value: false }];
      const crd = ok(await api.patch('json', things.crdPath, patch));
      assert.equal(crd.metadata.generation, 2);
      await eventually(clock, 'v1beta1 being gone', async () =>
        (await api.get(things.collection(namespace, 'v1beta1'))).status === 404 ? true : undefined,
      );
      await eventually(clock, 'v1 being served', async () =>
        (await api.get(things.collection(namespace, 'v1'))).status === 200 ? true : undefined,
      );
    },

    'lists the versions of a group, stable ones first': async (kit) => {
      const { api, clock } = kit;
      const group = `${kit.unique('g')}.example.com`;
      const plural = 'plans';
      const spec = {
        group,
        scope: 'Cluster',
        names: { plural, kind: 'Plan' },
        versions: [version('v1alpha1'), version('v1beta1'), version('v1', { storage: true })],
      };
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await create(api, crds, { metadata: { name: `${plural}.${group}` }, spec });
      kit.cleanUp(() => api.delete(`${crds}/${plural}.${group}`));
      const found = await eventually(clock, 'the group in discovery', async () => {
        const reply = await api.get(`/apis/${group}`);
        const versions = field(reply.body, 'versions') as { version: string }[] | undefined;
        return reply.status === 200 && versions?.length === 3 ? reply.body : undefined;
      });
      const listed = (field(found, 'versions') as { version: string }[]).map((one) => one.version);
      assert.deepEqual(listed, ['v1', 'v1beta1', 'v1alpha1']);
      assert.equal(field(found, 'preferredVersion.version'), 'v1');
    },
  },
};
