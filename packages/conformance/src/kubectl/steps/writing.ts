import assert from 'node:assert/strict';
import type { Step } from '../kubectl.ts';

const configMap = (name: string, data: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** Paused and without replicas, so that controllers of a cluster do not act on it. */
const deployment = (image: string, replicas = 0): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    paused: true,
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] },
    },
  },
});

/** Creating, applying and changing objects. */
export const writingSteps: readonly Step[] = [
  {
    name: 'create namespace',
    run: async (kubectl) => {
      const said = await kubectl.ok('create', 'namespace', kubectl.namespace);
      assert.equal(said.trim(), `namespace/${kubectl.namespace} created`);
      const again = await kubectl.fails({}, 'create', 'namespace', kubectl.namespace);
      assert.match(again, /AlreadyExists/);
    },
  },
  {
    name: 'create -f',
    run: async (kubectl) => {
      const input = configMap('conf', { a: '1' });
      assert.equal(
        (await kubectl.okWith({ input }, 'create', '-f', '-')).trim(),
        'configmap/conf created',
      );
      assert.match(await kubectl.fails({ input }, 'create', '-f', '-'), /AlreadyExists/);
    },
  },
  {
    name: 'create -f: an unknown field is rejected',
    run: async (kubectl) => {
      const input = { ...configMap('odd', {}), nope: 1 };
      assert.match(await kubectl.fails({ input }, 'create', '-f', '-'), /nope/);
    },
  },
  {
    name: 'create -f: an invalid object is rejected',
    run: async (kubectl) => {
      const said = await kubectl.fails({ input: configMap('No_Good', {}) }, 'create', '-f', '-');
      assert.match(said, /The ConfigMap "No_Good" is invalid/);
    },
  },
  {
    name: 'create configmap, secret, serviceaccount, deployment, role',
    run: async (kubectl) => {
      const created: [string[], string][] = [
        [['configmap', 'lit', '--from-literal=a=1'], 'configmap/lit'],
        [['secret', 'generic', 'sec', '--from-literal=a=1'], 'secret/sec'],
        [['serviceaccount', 'robot'], 'serviceaccount/robot'],
        [
          ['deployment', 'dep', '--image=registry.example.com/x:1', '--replicas=0'],
          'deployment.apps/dep',
        ],
        [
          ['role', 'reader', '--verb=get,list', '--resource=pods'],
          'role.rbac.authorization.k8s.io/reader',
        ],
      ];
      for (const [args, name] of created) {
        assert.equal((await kubectl.ok('create', ...args)).trim(), `${name} created`);
      }
    },
  },
  {
    name: 'create token',
    since: 24,
    run: async (kubectl) => {
      assert.match(
        (await kubectl.ok('create', 'token', 'robot')).trim(),
        /^[\w-]+\.[\w-]+\.[\w-]+$/,
      );
    },
  },
  {
    name: 'run',
    run: async (kubectl) => {
      // There is no scheduler with this name, so the Pod stays Pending on any cluster.
      const overrides = JSON.stringify({
        apiVersion: 'v1',
        spec: { schedulerName: 'conformance.example.com' },
      });
      const said = await kubectl.ok(
        'run',
        'p1',
        '--image=registry.example.com/x:1',
        '--labels=app=p',
        `--overrides=${overrides}`,
      );
      assert.equal(said.trim(), 'pod/p1 created');
    },
  },
  {
    name: 'apply: created, unchanged, configured',
    run: async (kubectl) => {
      const apply = async (input: object): Promise<string> =>
        (await kubectl.okWith({ input }, 'apply', '-f', '-')).trim();
      assert.equal(
        await apply(deployment('registry.example.com/app:1')),
        'deployment.apps/web created',
      );
      assert.equal(
        await apply(deployment('registry.example.com/app:1')),
        'deployment.apps/web unchanged',
      );
      assert.equal(
        await apply(deployment('registry.example.com/app:2')),
        'deployment.apps/web configured',
      );
      const image = '{.spec.template.spec.containers[0].image}';
      assert.equal(
        await kubectl.ok('get', 'deploy', 'web', '-o', `jsonpath=${image}`),
        'registry.example.com/app:2',
      );
    },
  },
  {
    name: 'apply: a removed field is deleted',
    run: async (kubectl) => {
      await kubectl.okWith({ input: configMap('three', { a: '1', b: '2' }) }, 'apply', '-f', '-');
      await kubectl.okWith({ input: configMap('three', { a: '1' }) }, 'apply', '-f', '-');
      assert.equal(await kubectl.ok('get', 'cm', 'three', '-o', 'jsonpath={.data}'), '{"a":"1"}');
    },
  },
  {
    name: 'apply: several YAML documents',
    run: async (kubectl) => {
      const yaml = ['one', 'two']
        .map(
          (name) =>
            `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {set: many}\n`,
        )
        .join('---\n');
      const said = await kubectl.okWith({ input: yaml }, 'apply', '-f', '-');
      assert.deepEqual(said.trim().split('\n'), ['configmap/one created', 'configmap/two created']);
    },
  },
  {
    name: 'apply --dry-run=server',
    run: async (kubectl) => {
      const input = configMap('dry', {});
      const said = await kubectl.okWith({ input }, 'apply', '--dry-run=server', '-f', '-');
      assert.match(said, /configmap\/dry created \(server dry run\)/);
      assert.match(await kubectl.fails({}, 'get', 'cm', 'dry'), /NotFound/);
    },
  },
  {
    name: 'diff',
    run: async (kubectl) => {
      const { code, stdout } = await kubectl.run(
        { input: deployment('registry.example.com/app:3') },
        'diff',
        '-f',
        '-',
      );
      assert.equal(code, 1);
      assert.match(stdout, /^\+ .*app:3$/m);
      await kubectl.okWith({ input: deployment('registry.example.com/app:2') }, 'diff', '-f', '-');
    },
  },
  {
    name: 'apply --server-side: created, a conflict, by force',
    run: async (kubectl) => {
      const apply = ['apply', '--server-side', '-f', '-'];
      const said = await kubectl.okWith({ input: configMap('ssa', { a: '1' }) }, ...apply);
      assert.equal(said.trim(), 'configmap/ssa serverside-applied');
      const input = configMap('ssa', { a: '2' });
      const other = [...apply, '--field-manager=other'];
      assert.match(await kubectl.fails({ input }, ...other), /conflict with "kubectl"/);
      await kubectl.okWith({ input }, ...other, '--force-conflicts');
      assert.equal(await kubectl.ok('get', 'cm', 'ssa', '-o', 'jsonpath={.data.a}'), '2');
    },
  },
  {
    name: 'label: add, refuse to overwrite, overwrite, remove',
    run: async (kubectl) => {
      assert.match(await kubectl.ok('label', 'cm', 'conf', 'a=b'), /^configmap\/conf labeled/);
      assert.match(await kubectl.fails({}, 'label', 'cm', 'conf', 'a=c'), /already has a value/);
      await kubectl.ok('label', 'cm', 'conf', 'a=c', '--overwrite');
      assert.equal(await kubectl.ok('get', 'cm', '-l', 'a=c', '-o', 'name'), 'configmap/conf\n');
      await kubectl.ok('label', 'cm', 'conf', 'a-');
      assert.equal(await kubectl.ok('get', 'cm', '-l', 'a', '-o', 'name'), '');
    },
  },
  {
    name: 'annotate',
    run: async (kubectl) => {
      assert.match(
        await kubectl.ok('annotate', 'cm', 'conf', 'note=hello'),
        /^configmap\/conf annotated/,
      );
      assert.equal(
        await kubectl.ok('get', 'cm', 'conf', '-o', 'jsonpath={.metadata.annotations.note}'),
        'hello',
      );
    },
  },
  {
    name: 'patch: strategic, merge, json, without effect',
    run: async (kubectl) => {
      const patch = async (object: string, type: string, body: object): Promise<string> =>
        (await kubectl.ok('patch', object, `--type=${type}`, '-p', JSON.stringify(body))).trim();
      const strategic = {
        spec: { template: { spec: { containers: [{ name: 'main', tty: true }] } } },
      };
      assert.equal(
        await patch('deploy/web', 'strategic', strategic),
        'deployment.apps/web patched',
      );
      assert.equal(await patch('cm/conf', 'merge', { data: { b: '2' } }), 'configmap/conf patched');
      const add = [{ op: 'add', path: '/data/c', value: '3' }];
      assert.equal(await patch('cm/conf', 'json', add), 'configmap/conf patched');
      assert.equal(
        await patch('cm/conf', 'merge', { data: { b: '2' } }),
        'configmap/conf patched (no change)',
      );
      assert.equal(
        await kubectl.ok('get', 'cm', 'conf', '-o', 'jsonpath={.data}'),
        '{"a":"1","b":"2","c":"3"}',
      );
    },
  },
  {
    name: 'edit',
    run: async (kubectl) => {
      const env = { KUBE_EDITOR: 'sed -i s/"a: \\"1\\""/"a: \\"9\\""/' };
      assert.match(await kubectl.okWith({ env }, 'edit', 'cm', 'conf'), /configmap\/conf edited/);
      assert.equal(await kubectl.ok('get', 'cm', 'conf', '-o', 'jsonpath={.data.a}'), '9');
    },
  },
  {
    name: 'replace',
    run: async (kubectl) => {
      const said = await kubectl.okWith(
        { input: configMap('lit', { z: '1' }) },
        'replace',
        '-f',
        '-',
      );
      assert.equal(said.trim(), 'configmap/lit replaced');
      assert.equal(await kubectl.ok('get', 'cm', 'lit', '-o', 'jsonpath={.data}'), '{"z":"1"}');
    },
  },
  {
    name: 'scale',
    run: async (kubectl) => {
      assert.equal(
        (await kubectl.ok('scale', 'deploy', 'dep', '--replicas=1')).trim(),
        'deployment.apps/dep scaled',
      );
      assert.equal(
        await kubectl.ok('get', 'deploy', 'dep', '-o', 'jsonpath={.spec.replicas}'),
        '1',
      );
      const said = await kubectl.fails(
        {},
        'scale',
        'deploy',
        'dep',
        '--replicas=3',
        '--current-replicas=9',
      );
      assert.match(said, /Expected (size|replicas) to be 9/);
      await kubectl.ok('scale', 'deploy', 'dep', '--replicas=0');
    },
  },
  {
    name: 'set image',
    run: async (kubectl) => {
      const said = await kubectl.ok(
        'set',
        'image',
        'deploy/web',
        'main=registry.example.com/app:5',
      );
      assert.equal(said.trim(), 'deployment.apps/web image updated');
    },
  },
  {
    name: 'expose',
    run: async (kubectl) => {
      assert.equal(
        (await kubectl.ok('expose', 'deployment', 'web', '--port=80')).trim(),
        'service/web exposed',
      );
      assert.equal(
        await kubectl.ok('get', 'svc', 'web', '-o', 'jsonpath={.spec.ports[0].targetPort}'),
        '80',
      );
    },
  },
];
