import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { failure, field, ok } from '../expect.ts';
import { apps, core, create, createPod, customKind, deployment, pod } from '../objects.ts';

const withStatusAndScale = {
  version: {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  },
};

/** Status, scale and other subresources. */
export const subresources: Area = {
  name: 'subresources',
  checks: {
    'ignores status on the main endpoint': async (kit) => {
      const { api, namespace, unique } = kit;
      const things = await customKind(kit, withStatusAndScale);
      const content = { spec: { replicas: 1 }, status: { replicas: 9 } };
      const path = things.collection(namespace);
      const name = unique('t');
      const created = await create(api, path, things.object(name, content));
      assert.equal(created['status'], undefined);
      const patched = ok(await api.patch('merge', `${path}/${name}`, { status: { replicas: 9 } }));
      assert.equal(patched['status'], undefined);
      assert.equal(patched.metadata.resourceVersion, created.metadata.resourceVersion);
    },

    'writes only status on the status endpoint': async (kit) => {
      const { api, namespace, unique } = kit;
      const things = await customKind(kit, withStatusAndScale);
      const name = unique('t');
      const path = `${things.collection(namespace)}/${name}`;
      await create(
        api,
        things.collection(namespace),
        things.object(name, { spec: { replicas: 1 } }),
      );
      const body = { spec: { replicas: 5 }, status: { replicas: 3 } };
      const patched = ok(await api.patch('merge', `${path}/status`, body));
      assert.deepEqual(patched['spec'], { replicas: 1 });
      assert.deepEqual(patched['status'], { replicas: 3 });
      assert.equal(patched.metadata.generation, 1);
      assert.deepEqual(ok(await api.get(`${path}/status`)), patched);
    },

    'replaces the status of a custom resource': async (kit) => {
      const { api, namespace, unique } = kit;
      const things = await customKind(kit, withStatusAndScale);
      const name = unique('t');
      const path = `${things.collection(namespace)}/${name}`;
      const created = await create(
        api,
        things.collection(namespace),
        things.object(name, { spec: {} }),
      );
      const replaced = ok(
        await api.put(`${path}/status`, { ...created, status: { phase: 'Ready' } }),
      );
      assert.deepEqual(replaced['status'], { phase: 'Ready' });
      failure(await api.put(`${path}/status`, { ...created, status: {} }), 409, 'Conflict');
    },

    'has no status endpoint for kinds without one': async (kit) => {
      const { api, namespace, unique } = kit;
      const things = await customKind(kit);
      const name = unique('t');
      await create(api, things.collection(namespace), things.object(name));
      const path = `${things.collection(namespace)}/${name}/status`;
      assert.equal((await api.get(path)).status, 404);
    },

    'scales a custom resource': async (kit) => {
      const { api, namespace, unique } = kit;
      const things = await customKind(kit, withStatusAndScale);
      const name = unique('t');
      const path = `${things.collection(namespace)}/${name}`;
      await create(
        api,
        things.collection(namespace),
        things.object(name, { spec: { replicas: 1 } }),
      );
      ok(await api.patch('merge', `${path}/status`, { status: { replicas: 1, selector: 'a=b' } }));
      const scale = ok(await api.get(`${path}/scale`));
      assert.equal(scale.kind, 'Scale');
      assert.equal(scale.apiVersion, 'autoscaling/v1');
      assert.deepEqual(scale['spec'], { replicas: 1 });
      assert.deepEqual(scale['status'], { replicas: 1, selector: 'a=b' });
      ok(await api.put(`${path}/scale`, { ...scale, spec: { replicas: 4 } }));
      const scaled = ok(await api.get(path));
      assert.deepEqual(scaled['spec'], { replicas: 4 });
      assert.equal(scaled.metadata.generation, 2);
    },

    'scales a Deployment': async ({ api, namespace, unique }) => {
      const name = unique('d');
      const path = `${apps(namespace, 'deployments')}/${name}`;
      await create(api, apps(namespace, 'deployments'), deployment(name));
      const scale = ok(await api.get(`${path}/scale`));
      assert.equal(scale.kind, 'Scale');
      assert.equal(scale.metadata.name, name);
      assert.equal(field(scale, 'status.selector'), `app=${name}`);
      const scaled = ok(await api.patch('merge', `${path}/scale`, { spec: { replicas: 1 } }));
      assert.deepEqual(scaled['spec'], { replicas: 1 });
      const object = ok(await api.get(path));
      assert.equal(field(object, 'spec.replicas'), 1);
      assert.equal(object.metadata.generation, 2);
    },

    'rejects a negative scale': async ({ api, namespace, unique }) => {
      const name = unique('d');
      await create(api, apps(namespace, 'deployments'), deployment(name));
      const path = `${apps(namespace, 'deployments')}/${name}/scale`;
      failure(await api.patch('merge', path, { spec: { replicas: -1 } }), 422, 'Invalid');
    },

    'answers 404 for the scale of a missing object': async ({ api, namespace }) => {
      failure(await api.get(apps(namespace, 'deployments/missing/scale')), 404, 'NotFound');
    },

    'keeps the status of a Pod separate from its spec': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      const path = `${core(namespace, 'pods')}/${name}`;
      const created = await createPod(kit, namespace, pod(name));
      assert.equal(field(created, 'status.phase'), 'Pending');
      const patch = { status: { message: 'set by the suite' } };
      const onMain = ok(await api.patch('strategic', path, patch));
      assert.equal(field(onMain, 'status.message'), undefined);
      const onStatus = ok(await api.patch('strategic', `${path}/status`, patch));
      assert.equal(field(onStatus, 'status.message'), 'set by the suite');
      assert.equal(field(onStatus, 'spec.schedulerName'), 'conformance.example.com');
    },

    'binds a Pod to a node': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      const path = `${core(namespace, 'pods')}/${name}`;
      await createPod(kit, namespace, pod(name));
      const binding = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name },
        target: { kind: 'Node', name: unique('no-such-node') },
      };
      assert.equal(ok(await api.post(`${path}/binding`, binding), 201)['status'], 'Success');
      assert.equal(field(ok(await api.get(path)), 'spec.nodeName'), binding.target.name);
      failure(await api.post(`${path}/binding`, binding), 409, 'Conflict');
      ok(await api.delete(`${path}?gracePeriodSeconds=0`));
    },

    'evicts a Pod': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      const path = `${core(namespace, 'pods')}/${name}`;
      await createPod(kit, namespace, pod(name));
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
      ok(await api.post(`${path}/eviction`, eviction), 201);
      failure(await api.get(path), 404, 'NotFound');
    },
  },
};
