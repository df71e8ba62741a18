import assert from 'node:assert/strict';
import type { ApiObject } from '../../http/exchange.ts';
import type { Reply } from '../../http/api-client.ts';
import type { Area, Kit } from '../check.ts';
import { failure, field, ok } from '../expect.ts';
import { apps, configMap, core, create, customKind, deployment } from '../objects.ts';

interface Applier {
  (manager: string, data: Record<string, string>, query?: string): Promise<Reply>;
}

/** Applies a ConfigMap with a new name, as several managers. */
function applier({ api, namespace, unique }: Kit): { path: string; apply: Applier } {
  const name = unique('cm');
  const path = `${core(namespace, 'configmaps')}/${name}`;
  const apply: Applier = (manager, data, query = '') =>
    api.patch('apply', `${path}?fieldManager=${manager}${query}`, configMap(name, data));
  return { path, apply };
}

function managers({ metadata }: ApiObject): string[] {
  return (metadata.managedFields ?? [])
    .map(({ manager, operation }) => `${manager} ${operation}`)
    .toSorted();
}

function fieldsOf({ metadata }: ApiObject, name: string): unknown {
  return metadata.managedFields?.find(({ manager }) => manager === name)?.fieldsV1;
}

/** Server-side apply with several managers. */
export const apply: Area = {
  name: 'apply',
  checks: {
    'creates a missing object and answers 201': async (kit) => {
      const { apply } = applier(kit);
      const created = ok(await apply('a', { x: '1' }), 201);
      assert.deepEqual(created['data'], { x: '1' });
      assert.deepEqual(managers(created), ['a Apply']);
      assert.deepEqual(fieldsOf(created, 'a'), { 'f:data': { 'f:x': {} } });
      ok(await apply('a', { x: '1' }), 200);
    },

    'keeps the version if nothing changes': async (kit) => {
      const { apply } = applier(kit);
      const first = ok(await apply('a', { x: '1' }), 201);
      const second = ok(await apply('a', { x: '1' }));
      assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
    },

    'lets two managers own different fields': async (kit) => {
      const { apply } = applier(kit);
      ok(await apply('a', { x: '1' }), 201);
      const both = ok(await apply('b', { y: '2' }));
      assert.deepEqual(both['data'], { x: '1', y: '2' });
      assert.deepEqual(managers(both), ['a Apply', 'b Apply']);
    },

    'rejects a change to a field of another manager': async (kit) => {
      const { apply, path } = applier(kit);
      ok(await apply('a', { x: '1' }), 201);
      const status = failure(await apply('b', { x: '2' }), 409, 'Conflict');
      assert.equal(status.details?.causes?.[0]?.reason, 'FieldManagerConflict');
      assert.equal(status.details.causes[0].field, '.data.x');
      assert.match(status.message ?? '', /conflict with "a"/);
      assert.deepEqual(ok(await kit.api.get(path))['data'], { x: '1' });
    },

    'takes over a field with force': async (kit) => {
      const { apply } = applier(kit);
      ok(await apply('a', { x: '1' }), 201);
      const forced = ok(await apply('b', { x: '2' }, '&force=true'));
      assert.deepEqual(forced['data'], { x: '2' });
      assert.deepEqual(managers(forced), ['b Apply']);
    },

    'shares a field that both managers set to the same value': async (kit) => {
      const { apply } = applier(kit);
      ok(await apply('a', { x: '1' }), 201);
      assert.deepEqual(managers(ok(await apply('b', { x: '1' }))), ['a Apply', 'b Apply']);
    },

    'removes what a manager no longer applies': async (kit) => {
      const { apply } = applier(kit);
      ok(await apply('a', { x: '1', y: '2' }), 201);
      assert.deepEqual(ok(await apply('a', { y: '2' }))['data'], { y: '2' });
    },

    'keeps what another manager applies, too': async (kit) => {
      const { apply } = applier(kit);
      ok(await apply('a', { x: '1', y: '2' }), 201);
      ok(await apply('b', { x: '1' }));
      assert.deepEqual(ok(await apply('a', { y: '2' }))['data'], { x: '1', y: '2' });
    },

    'conflicts with a field that an update has set': async (kit) => {
      const { apply, path } = applier(kit);
      ok(await apply('a', { x: '1' }), 201);
      const updated = ok(
        await kit.api.patch('merge', `${path}?fieldManager=u`, { data: { x: '9' } }),
      );
      assert.deepEqual(managers(updated), ['u Update']);
      failure(await apply('a', { x: '1' }), 409, 'Conflict', /conflict with "u"/);
    },

    'needs a field manager': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      failure(await api.patch('apply', path, configMap(name)), 422, 'Invalid', /fieldManager/);
    },

    'rejects managed fields in the configuration': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const object = configMap(name, {}, { managedFields: [{ manager: 'x', operation: 'Apply' }] });
      const path = `${core(namespace, 'configmaps')}/${name}?fieldManager=a`;
      failure(await api.patch('apply', path, object), 400, 'BadRequest', /managedFields/);
    },

    'rejects force on other patches': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      await create(api, core(namespace, 'configmaps'), configMap(name));
      const path = `${core(namespace, 'configmaps')}/${name}?force=true`;
      failure(await api.patch('merge', path, {}), 422, 'Invalid', /force/);
    },

    'reads YAML': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const yaml = [
        '# a comment',
        'apiVersion: v1',
        'kind: ConfigMap',
        'metadata:',
        `  name: ${name}`,
        '  labels: {app: "x"}',
        'data:',
        '  text: |',
        '    two',
        '    lines',
        '',
      ].join('\n');
      const path = `${core(namespace, 'configmaps')}/${name}?fieldManager=a`;
      const applied = ok(await api.patch('apply', path, yaml), 201);
      assert.deepEqual(applied['data'], { text: 'two\nlines\n' });
      assert.deepEqual(applied.metadata.labels, { app: 'x' });
    },

    'merges lists by their key': async ({ api, namespace, unique }) => {
      const name = unique('d');
      await create(api, apps(namespace, 'deployments'), deployment(name));
      const sidecar = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: { template: { spec: { containers: [{ name: 'sidecar', image: 's:1' }] } } },
      };
      const path = `${apps(namespace, 'deployments')}/${name}?fieldManager=sidecars`;
      const applied = ok(await api.patch('apply', path, sidecar));
      const containers = field(applied, 'spec.template.spec.containers') as { name: string }[];
      assert.deepEqual(
        containers.map((container) => container.name),
        ['main', 'sidecar'],
      );
      const owned = JSON.stringify(fieldsOf(applied, 'sidecars'));
      assert.ok(owned.includes(String.raw`k:{\"name\":\"sidecar\"}`), owned);
    },

    'works on custom resources': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      const path = `${things.collection(namespace)}/a`;
      const object = (spec: Record<string, number>): object => things.object('a', { spec });
      ok(await api.patch('apply', `${path}?fieldManager=a`, object({ x: 1 })), 201);
      const both = ok(await api.patch('apply', `${path}?fieldManager=b`, object({ y: 2 })));
      assert.deepEqual(both['spec'], { x: 1, y: 2 });
      failure(
        await api.patch('apply', `${path}?fieldManager=b`, object({ x: 3 })),
        409,
        'Conflict',
      );
    },
  },
};
