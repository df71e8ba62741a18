import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import type { Area } from '../check.ts';
import { eventually, failure, field, ok } from '../expect.ts';
import { core, create } from '../objects.ts';

const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** A request for `/CN=bob/O=system:masters`. */
const ADMIN_REQUEST = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIaU1JR0pBZ0VBTUNjeEREQUtCZ05WQkFNTUEy',
  'SnZZakVYTUJVR0ExVUVDZ3dPYzNsemRHVnRPbTFoYzNSbApjbk13V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFN',
  'QkJ3TkNBQVJPYmRRVTI1ODV4QnBmeWhxVHFNVTNwYnBZCkY2clB5SjZjMU1BRW1ENWNVSHZLdFJzYzhpZmRpdEFE',
  'U0thY05OL2pteWxtSkxUY1BkZGlSVHNIZCtFQW9BQXcKQ2dZSUtvWkl6ajBFQXdJRFNBQXdSUUloQUt1Zk5jNk0w',
  'eEpaVjU3SzZkZlVvSVZUSFlLbHVzSWFWZGx2Ujd5dQpkMHpUQWlCTm5iTUNxanVhT1hiYWtCM2Z3Ukx6aVY0U2I1',
  'dnY3d1pZUkczT3NGY2VZUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
].join('');

const pod = (spec: JsonObject = {}, resources: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'registry.example.com/app:1', resources }], ...spec },
});

/** The admission that is built in and on by default. */
export const admission: Area = {
  name: 'built-in admission',
  checks: {
    'refuses everything new in a namespace that does not exist': async ({ api, unique }) => {
      const namespace = unique('no');
      for (const [path, body] of [
        ['configmaps', { metadata: { name: 'c' } }],
        ['serviceaccounts/sa/token', { spec: {} }],
        ['pods/p/eviction', { metadata: { name: 'p' } }],
        ['bindings', { metadata: { name: 'p' }, target: { name: 'n' } }],
      ] as const) {
        const { message } = failure(await api.post(core(namespace, path), body), 404, 'NotFound');
        assert.equal(message, `namespaces "${namespace}" not found`, path);
      }
    },

    'keeps the namespaces that a cluster needs': async ({ api }) => {
      for (const name of ['default', 'kube-system', 'kube-public']) {
        failure(
          await api.delete(`/api/v1/namespaces/${name}?dryRun=All`),
          403,
          'Forbidden',
          /this namespace may not be deleted$/,
        );
      }
    },

    'keeps the priority classes of the system': async ({ api }) => {
      const path = '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical?dryRun=All';
      failure(
        await api.delete(path),
        403,
        'Forbidden',
        /this is a system priority class and cannot be deleted$/,
      );
    },

    'resolves priority and runtime classes of pods': async ({ api, namespace, unique }) => {
      const pods = `${core(namespace, 'pods')}?dryRun=All`;
      const name = unique('class');
      failure(
        await api.post(pods, pod({ priorityClassName: name })),
        403,
        'Forbidden',
        new RegExp(`no PriorityClass with name ${name} was found$`),
      );
      failure(
        await api.post(pods, pod({ runtimeClassName: name })),
        403,
        'Forbidden',
        new RegExp(`pod rejected: RuntimeClass "${name}" not found$`),
      );
      const { spec } = ok(
        await api.post(pods, pod({ priorityClassName: 'system-node-critical' })),
        201,
      );
      assert.equal(field(spec, 'priority'), 2_000_001_000);
    },

    'tolerates nodes that are not ready for five minutes': async ({ api, namespace }) => {
      const { spec } = ok(await api.post(`${core(namespace, 'pods')}?dryRun=All`, pod()), 201);
      const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
      const added = keys.map((key) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      }));
      assert.deepEqual(field(spec, 'tolerations'), added);
    },

    'applies the limits of a namespace to its pods': async (kit) => {
      const { api, clock } = kit;
      const namespace = await kit.freshNamespace();
      const limits = [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '1' } }];
      const path = core(namespace, 'limitranges');
      await create(api, path, { metadata: { name: 'l' }, spec: { limits } });
      const pods = `${core(namespace, 'pods')}?dryRun=All`;
      const created = await eventually(clock, 'defaults of the limit range', async () => {
        const { body } = await api.post(pods, pod());
        return field(body, 'spec.containers.0.resources.limits') === undefined ? undefined : body;
      });
      assert.deepEqual(field(created, 'spec.containers.0.resources'), {
        limits: { cpu: '1' },
        requests: { cpu: '1' },
      });
      failure(
        await api.post(pods, pod({}, { limits: { cpu: '3' } })),
        403,
        'Forbidden',
        /maximum cpu usage per Container is 2, but limit is 3$/,
      );
    },

    'makes no administrators by certificate': async ({ api, unique }) => {
      const name = unique('csr');
      const request = (signerName: string): JsonObject => ({
        metadata: { name },
        spec: { request: ADMIN_REQUEST, signerName, usages: ['client auth'] },
      });
      failure(
        await api.post(`${CSRS}?dryRun=All`, request('kubernetes.io/kube-apiserver-client')),
        403,
        'Forbidden',
        /use of kubernetes.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
      );
      ok(await api.post(`${CSRS}?dryRun=All`, request('example.com/signer')), 201);
    },

    'lets only those approve and sign who may for the signer': async (kit) => {
      const { api, clock, cleanUp, unique } = kit;
      const name = unique('csr');
      const user = unique('user');
      const rules = [
        {
          apiGroups: ['certificates.k8s.io'],
          resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
          verbs: ['*'],
        },
      ];
      await create(api, `${RBAC}/clusterroles`, { metadata: { name }, rules });
      cleanUp(() => api.delete(`${RBAC}/clusterroles/${name}`));
      await create(api, `${RBAC}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
      });
      cleanUp(() => api.delete(`${RBAC}/clusterrolebindings/${name}`));
      await create(api, CSRS, {
        metadata: { name },
        spec: { request: ADMIN_REQUEST, signerName: 'example.com/x', usages: ['client auth'] },
      });
      cleanUp(() => api.delete(`${CSRS}/${name}`));
      const headers = { 'impersonate-user': user };
      const condition = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
      const approval = { status: { conditions: [condition] } };
      await eventually(clock, 'a refusal for the signer', async () => {
        const path = `${CSRS}/${name}/approval`;
        const { message } = failure(await api.patch('merge', path, approval, headers), 403);
        const isForSigner = message?.endsWith(
          'user not permitted to approve requests with signerName "example.com/x"',
        );
        return isForSigner === true ? true : undefined;
      });
      const failed = { status: { conditions: [{ ...condition, type: 'Failed' }] } };
      failure(
        await api.patch('merge', `${CSRS}/${name}/status`, failed, headers),
        403,
        'Forbidden',
        /user not permitted to sign requests with signerName "example.com\/x"$/,
      );
    },
  },
};
