import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import type { ApiClient } from '../../http/api-client.ts';
import type { Area, Check, Kit } from '../check.ts';
import { eventually, failure, field, ok } from '../expect.ts';
import { core, create } from '../objects.ts';

type Amounts = Readonly<Record<string, string>>;

/**
 * Creates a namespace with a quota of which nothing is used. Where no controller counts, the check
 * says so itself; then it waits until the server refuses what exceeds the quota.
 */
async function quotaOf(kit: Kit, hard: Amounts, resource: string, excess: object): Promise<string> {
  const { api, clock } = kit;
  const namespace = await kit.freshNamespace();
  const quotas = core(namespace, 'resourcequotas');
  await create(api, quotas, { metadata: { name: 'q' }, spec: { hard } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  ok(await api.patch('merge', `${quotas}/q/status`, { status: { hard, used } }));
  await eventually(clock, 'a refusal by the quota', async () => {
    const { status } = await api.post(`${core(namespace, resource)}?dryRun=All`, excess);
    return status === 403 ? true : undefined;
  });
  return namespace;
}

async function usedOf(api: ApiClient, namespace: string): Promise<unknown> {
  return field(ok(await api.get(`${core(namespace, 'resourcequotas')}/q`)), 'status.used');
}

const service = (name: string, type: string, ports = 1): JsonObject => ({
  metadata: { name },
  spec: {
    type,
    ports: Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: index + 1 })),
  },
});

const claim = (name: string, storage: string, storageClassName: string): JsonObject => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
});

const pod = (resources: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'registry.example.com/app:1', resources }], ...spec },
});

const refusesPods =
  (hard: Amounts, body: JsonObject, message: RegExp): Check =>
  async (kit) => {
    const namespace = await quotaOf(kit, hard, 'pods', body);
    const reply = await kit.api.post(`${core(namespace, 'pods')}?dryRun=All`, body);
    failure(reply, 403, 'Forbidden', message);
  };

/** ResourceQuotas: what they refuse, and what they count. */
export const quotas: Area = {
  name: 'quotas',
  checks: {
    'count what is created, and refuse what exceeds them': async (kit) => {
      const { api } = kit;
      const path = await quotaOf(
        kit,
        { 'count/services': '0' },
        'services',
        service('s', 'ClusterIP'),
      ).then((namespace) => core(namespace, 'services'));
      const status = failure(await api.post(path, service('s', 'ClusterIP')), 403, 'Forbidden');
      assert.equal(
        status.message,
        'services "s" is forbidden: exceeded quota: q, requested: count/services=1, used: count/services=0, limited: count/services=0',
      );
    },

    'count exactly when requests arrive together': async (kit) => {
      const { api } = kit;
      const hard = { 'services.nodeports': '3' };
      const namespace = await quotaOf(kit, hard, 'services', service('s', 'NodePort', 4));
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          api.post(core(namespace, 'services'), service(`s${index}`, 'NodePort')),
        ),
      );
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((left, right) => left - right),
        [201, 201, 201, 403, 403, 403],
      );
      assert.deepEqual(await usedOf(api, namespace), { 'services.nodeports': '3' });
    },

    'do not count dry runs': async (kit) => {
      const { api } = kit;
      const hard = { 'services.nodeports': '1' };
      const namespace = await quotaOf(kit, hard, 'services', service('s', 'NodePort', 2));
      ok(
        await api.post(`${core(namespace, 'services')}?dryRun=All`, service('s', 'NodePort')),
        201,
      );
      assert.deepEqual(await usedOf(api, namespace), { 'services.nodeports': '0' });
    },

    'count changes of a service': async (kit) => {
      const { api } = kit;
      const hard = { 'services.nodeports': '1', 'services.loadbalancers': '0' };
      const namespace = await quotaOf(kit, hard, 'services', service('s', 'LoadBalancer'));
      const path = core(namespace, 'services');
      await create(api, path, service('s', 'ClusterIP', 2));
      const change = { spec: { type: 'NodePort' } };
      failure(
        await api.patch('merge', `${path}/s`, change),
        403,
        'Forbidden',
        /requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1$/,
      );
    },

    'limit storage by class': async (kit) => {
      const { api } = kit;
      const gold = 'gold.storageclass.storage.k8s.io';
      const hard = { 'requests.storage': '5Gi', [`${gold}/requests.storage`]: '1Gi' };
      const excess = claim('c', '2Gi', 'gold');
      const namespace = await quotaOf(kit, hard, 'persistentvolumeclaims', excess);
      const path = core(namespace, 'persistentvolumeclaims');
      failure(
        await api.post(path, excess),
        403,
        'Forbidden',
        /requested: gold.storageclass.storage.k8s.io\/requests.storage=2Gi, used: gold.storageclass.storage.k8s.io\/requests.storage=0, limited: gold.storageclass.storage.k8s.io\/requests.storage=1Gi$/,
      );
      ok(await api.post(`${path}?dryRun=All`, claim('c', '2Gi', 'silver')), 201);
    },

    'require containers to state compute resources': refusesPods(
      { 'limits.cpu': '1', 'requests.cpu': '1' },
      pod({ requests: { cpu: '100m' } }),
      /pods "p" is forbidden: failed quota: q: must specify limits.cpu for: c$/,
    ),

    'count extended resources and huge pages': refusesPods(
      { 'requests.example.com/gpu': '1', 'hugepages-2Mi': '2Mi' },
      pod({
        requests: { cpu: '1', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
        limits: { 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
      }),
      /requested: hugepages-2Mi=4Mi,requests.example.com\/gpu=2, used: hugepages-2Mi=0,requests.example.com\/gpu=0, limited: hugepages-2Mi=2Mi,requests.example.com\/gpu=1$/,
    ),

    'count only what is in their scopes': async (kit) => {
      const { api } = kit;
      const namespace = await kit.freshNamespace();
      const path = core(namespace, 'resourcequotas');
      const hard = { pods: '0' };
      await create(api, path, { metadata: { name: 'q' }, spec: { hard, scopes: ['Terminating'] } });
      const used = { pods: '0' };
      ok(await api.patch('merge', `${path}/q/status`, { status: { hard, used } }));
      const pods = `${core(namespace, 'pods')}?dryRun=All`;
      await eventually(kit.clock, 'a refusal by the quota', async () => {
        const { status } = await api.post(pods, pod({}, { activeDeadlineSeconds: 5 }));
        return status === 403 ? true : undefined;
      });
      ok(await api.post(pods, pod({})), 201);
    },
  },
};
