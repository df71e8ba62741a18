import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { causeFields, failure, field, ok } from '../expect.ts';
import { apps, configMap, core, create, createPod, deployment, pod } from '../objects.ts';

const service = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
});

/** Defaults and rules of everyday kinds. */
export const builtInKinds: Area = {
  name: 'built-in kinds',
  checks: {
    'applies the defaults of a Pod': async (kit) => {
      const { namespace, unique } = kit;
      const created = await createPod(kit, namespace, pod(unique('p')));
      assert.equal(field(created, 'spec.restartPolicy'), 'Always');
      assert.equal(field(created, 'spec.dnsPolicy'), 'ClusterFirst');
      assert.equal(field(created, 'spec.terminationGracePeriodSeconds'), 30);
      assert.equal(field(created, 'spec.containers.0.imagePullPolicy'), 'IfNotPresent');
      assert.equal(
        field(created, 'spec.containers.0.terminationMessagePath'),
        '/dev/termination-log',
      );
      assert.equal(field(created, 'status.qosClass'), 'BestEffort');
    },

    'defaults to pulling an image without a tag always': async (kit) => {
      const { namespace, unique } = kit;
      const containers = [{ name: 'main', image: 'registry.example.com/app' }];
      const created = await createPod(kit, namespace, pod(unique('p'), { containers }));
      assert.equal(field(created, 'spec.containers.0.imagePullPolicy'), 'Always');
    },

    'rejects changes to the spec of a Pod': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      await createPod(kit, namespace, pod(name));
      const path = `${core(namespace, 'pods')}/${name}`;
      const image = {
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:2' }] },
      };
      ok(await api.patch('strategic', path, image));
      const status = failure(
        await api.patch('merge', path, { spec: { hostname: 'other' } }),
        422,
        'Invalid',
      );
      assert.deepEqual(causeFields(status), ['spec']);
    },

    'rejects two containers with the same name': async ({ api, namespace, unique }) => {
      const container = { name: 'main', image: 'registry.example.com/app:1' };
      const object = pod(unique('p'), { containers: [container, container] });
      const status = failure(
        await api.post(core(namespace, 'pods?dryRun=All'), object),
        422,
        'Invalid',
      );
      assert.ok(causeFields(status).includes('spec.containers[1].name'));
    },

    'normalises quantities': async (kit) => {
      const { namespace, unique } = kit;
      const resources = {
        limits: { cpu: '0.5', memory: '1536Mi' },
        requests: { cpu: 0.1, memory: '1.5Gi' },
      };
      const containers = [{ name: 'main', image: 'registry.example.com/app:1', resources }];
      const created = await createPod(kit, namespace, pod(unique('p'), { containers }));
      assert.deepEqual(field(created, 'spec.containers.0.resources'), {
        limits: { cpu: '500m', memory: '1536Mi' },
        requests: { cpu: '100m', memory: '1536Mi' },
      });
    },

    'applies the defaults of a Deployment': async ({ api, namespace, unique }) => {
      const name = unique('d');
      const created = await create(api, apps(namespace, 'deployments'), deployment(name));
      assert.equal(field(created, 'spec.strategy.type'), 'RollingUpdate');
      assert.equal(field(created, 'spec.strategy.rollingUpdate.maxSurge'), '25%');
      assert.equal(field(created, 'spec.revisionHistoryLimit'), 10);
      assert.equal(field(created, 'spec.template.spec.restartPolicy'), 'Always');
    },

    'rejects changes to the selector of a Deployment': async ({ api, namespace, unique }) => {
      const name = unique('d');
      await create(api, apps(namespace, 'deployments'), deployment(name));
      const patch = { spec: { selector: { matchLabels: { other: 'x' } } } };
      const path = `${apps(namespace, 'deployments')}/${name}`;
      const status = failure(await api.patch('merge', path, patch), 422, 'Invalid');
      assert.ok(causeFields(status).includes('spec.selector'));
    },

    'assigns a Service an address and the defaults of its ports': async ({
      api,
      namespace,
      unique,
    }) => {
      const object = service(unique('s'), { ports: [{ port: 80 }] });
      const created = await create(api, core(namespace, 'services'), object);
      assert.match(String(field(created, 'spec.clusterIP')), /^[0-9a-f.:]+$/);
      assert.deepEqual(field(created, 'spec.clusterIPs'), [field(created, 'spec.clusterIP')]);
      assert.equal(field(created, 'spec.type'), 'ClusterIP');
      assert.deepEqual(field(created, 'spec.ports'), [
        { protocol: 'TCP', port: 80, targetPort: 80 },
      ]);
    },

    'assigns a headless Service no address': async ({ api, namespace, unique }) => {
      const object = service(unique('s'), { clusterIP: 'None', ports: [{ port: 80 }] });
      const created = await create(api, core(namespace, 'services'), object);
      assert.equal(field(created, 'spec.clusterIP'), 'None');
    },

    'assigns a NodePort Service a port': async ({ api, namespace, unique }) => {
      const object = service(unique('s'), { type: 'NodePort', ports: [{ port: 80 }] });
      const created = await create(api, core(namespace, 'services'), object);
      assert.ok(Number(field(created, 'spec.ports.0.nodePort')) > 0);
    },

    'rejects changes to the address of a Service': async ({ api, namespace, unique }) => {
      const name = unique('s');
      await create(api, core(namespace, 'services'), service(name, { ports: [{ port: 80 }] }));
      const path = `${core(namespace, 'services')}/${name}`;
      failure(
        await api.patch('merge', path, {
          spec: { clusterIP: '192.0.2.9', clusterIPs: ['192.0.2.9'] },
        }),
        422,
        'Invalid',
      );
    },

    'converts stringData of a Secret into data': async ({ api, namespace, unique }) => {
      const object = { metadata: { name: unique('s') }, stringData: { a: 'text' } };
      const created = await create(api, core(namespace, 'secrets'), object);
      assert.deepEqual(created['data'], { a: Buffer.from('text').toString('base64') });
      assert.equal(created['stringData'], undefined);
      assert.equal(created['type'], 'Opaque');
    },

    'rejects changes to immutable data': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const path = `${core(namespace, 'configmaps')}/${name}`;
      await create(api, core(namespace, 'configmaps'), {
        ...configMap(name, { a: '1' }),
        immutable: true,
      });
      const status = failure(await api.patch('merge', path, { data: { a: '2' } }), 422, 'Invalid');
      assert.deepEqual(causeFields(status), ['data']);
      failure(await api.patch('merge', path, { immutable: false }), 422, 'Invalid');
    },

    'keeps the microseconds of a Lease': async ({ api, namespace, unique }) => {
      const spec = { holderIdentity: 'me', renewTime: '2024-01-02T03:04:05.678901Z' };
      const object = { metadata: { name: unique('l') }, spec };
      const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
      assert.deepEqual((await create(api, path, object))['spec'], spec);
    },

    'shows an Event in both groups': async ({ api, namespace, unique }) => {
      const name = unique('e');
      const event = {
        metadata: { name },
        involvedObject: { kind: 'Pod', namespace, name: 'p' },
        reason: 'Started',
        message: 'hello',
        type: 'Normal',
        source: { component: 'suite' },
        firstTimestamp: '2024-01-02T03:04:05Z',
        lastTimestamp: '2024-01-02T03:04:05Z',
        count: 1,
      };
      await create(api, core(namespace, 'events'), event);
      const other = ok(
        await api.get(`/apis/events.k8s.io/v1/namespaces/${namespace}/events/${name}`),
      );
      assert.equal(other['note'], 'hello');
      assert.equal(field(other, 'regarding.name'), 'p');
      assert.equal(other['deprecatedCount'], 1);
    },

    'issues a token for a ServiceAccount': async ({ api, namespace, unique }) => {
      const name = unique('sa');
      await create(api, core(namespace, 'serviceaccounts'), { metadata: { name } });
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
      const path = `${core(namespace, 'serviceaccounts')}/${name}/token`;
      const token = String(field(ok(await api.post(path, request), 201), 'status.token'));
      const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
      assert.equal(field(JSON.parse(claims), 'sub'), `system:serviceaccount:${namespace}:${name}`);
    },
  },
};
