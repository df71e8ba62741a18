import assert from 'node:assert/strict';
import type { Step } from '../kubectl.ts';

/** Reading objects with `get` and `describe`. */
export const readingSteps: readonly Step[] = [
  {
    name: 'get: a table',
    run: async (kubectl) => {
      const [head, ...rows] = (await kubectl.ok('get', 'cm', 'conf', 'ssa')).trim().split('\n');
      assert.match(head ?? '', /^NAME +DATA +AGE$/);
      assert.match(rows[0] ?? '', /^conf +3 +\d+m?s/);
      assert.match(rows[1] ?? '', /^ssa +1 +\d+m?s/);
      const pods = await kubectl.ok('get', 'pods');
      assert.match(pods, /^NAME +READY +STATUS +RESTARTS +AGE$/m);
      assert.match(pods, /^p1 +0\/1 +Pending +0 /m);
    },
  },
  {
    name: 'get -o wide',
    run: async (kubectl) => {
      const wide = await kubectl.ok('get', 'deploy', 'web', '-o', 'wide');
      assert.match(wide, /CONTAINERS +IMAGES +SELECTOR/);
      assert.match(wide, /registry\.example\.com\/app:5 +app=web/);
    },
  },
  {
    name: 'get -o json, yaml, name, jsonpath, custom-columns',
    run: async (kubectl) => {
      const object = JSON.parse(await kubectl.ok('get', 'cm', 'ssa', '-o', 'json')) as {
        kind: string;
      };
      assert.equal(object.kind, 'ConfigMap');
      assert.match(await kubectl.ok('get', 'cm', 'ssa', '-o', 'yaml'), /^kind: ConfigMap$/m);
      assert.equal(await kubectl.ok('get', 'cm', 'ssa', '-o', 'name'), 'configmap/ssa\n');
      assert.equal(await kubectl.ok('get', 'cm', 'ssa', '-o', 'jsonpath={.data.a}'), '2');
      const columns = 'custom-columns=NAME:.metadata.name,A:.data.a';
      assert.match(await kubectl.ok('get', 'cm', 'ssa', '-o', columns), /^ssa +2$/m);
    },
  },
  {
    name: 'get: selectors, sorting, chunks',
    run: async (kubectl) => {
      assert.equal(
        await kubectl.ok('get', 'cm', '-l', 'set=many', '-o', 'name'),
        'configmap/one\nconfigmap/two\n',
      );
      const byField = ['--field-selector', 'metadata.name=two', '-o', 'name'];
      assert.equal(await kubectl.ok('get', 'cm', ...byField), 'configmap/two\n');
      const sorted = await kubectl.ok(
        'get',
        'cm',
        '-l',
        'set',
        '--sort-by=.metadata.name',
        '-o',
        'name',
      );
      assert.equal(sorted, 'configmap/one\nconfigmap/two\n');
      const chunked = await kubectl.ok('get', 'cm', '-l', 'set', '--chunk-size=1', '-o', 'name');
      assert.equal(chunked, sorted);
    },
  },
  {
    name: 'get -A and get all',
    run: async (kubectl) => {
      assert.match(
        await kubectl.ok('get', 'cm', '-A'),
        new RegExp(`^${kubectl.namespace} +ssa +1`, 'm'),
      );
      const all = await kubectl.ok('get', 'all');
      for (const name of ['pod/p1', 'service/web', 'deployment.apps/web'])
        assert.ok(all.includes(name), name);
    },
  },
  {
    name: 'get: nothing found',
    run: async (kubectl) => {
      assert.match(
        await kubectl.fails({}, 'get', 'pod', 'missing'),
        /\(NotFound\): pods "missing" not found/,
      );
      assert.equal(await kubectl.ok('get', 'pod', 'missing', '--ignore-not-found'), '');
      assert.match(await kubectl.fails({}, 'get', 'nopes'), /doesn't have a resource type "nopes"/);
    },
  },
  {
    name: 'get -w',
    run: async (kubectl) => {
      await using watch = kubectl.start('get', 'cm', '-l', 'seen=yes', '-w', '-o', 'name');
      await kubectl.ok('label', 'cm', 'one', 'seen=yes');
      await watch.until(/^configmap\/one$/m);
      await kubectl.ok('label', 'cm', 'two', 'seen=yes');
      await watch.until(/^configmap\/two$/m);
    },
  },
  {
    name: 'get -w: a table that continues',
    run: async (kubectl) => {
      await using watch = kubectl.start('get', 'cm', 'one', '-w');
      await watch.until(/^one +0 /m);
      await kubectl.ok('patch', 'cm', 'one', '--type=merge', '-p', '{"data":{"x":"1"}}');
      await watch.until(/^one +1 /m);
    },
  },
  {
    name: 'get -w --output-watch-events',
    run: async (kubectl) => {
      await using watch = kubectl.start('get', 'cm', '-l', 'brief', '-w', '--output-watch-events');
      await kubectl.ok('create', 'configmap', 'brief');
      await kubectl.ok('label', 'cm', 'brief', 'brief=yes');
      await watch.until(/^ADDED +brief/m);
      await kubectl.ok('delete', 'cm', 'brief');
      await watch.until(/^DELETED +brief/m);
    },
  },
  {
    name: 'describe',
    run: async (kubectl) => {
      const pod = await kubectl.ok('describe', 'pod', 'p1');
      assert.match(pod, /^Name: +p1$/m);
      assert.match(pod, /^Status: +Pending$/m);
      const deployment = await kubectl.ok('describe', 'deploy', 'web');
      assert.match(deployment, /^Selector: +app=web$/m);
      assert.match(await kubectl.ok('describe', 'cm', 'ssa'), /^a:\n----\n2$/m);
      assert.match(await kubectl.ok('describe', 'svc', 'web'), /^Port: +<unset> +80\/TCP$/m);
      assert.match(await kubectl.ok('describe', 'ns', kubectl.namespace), /^Status: +Active$/m);
    },
  },
  {
    name: 'rollout history',
    run: async (kubectl) => {
      assert.match(await kubectl.ok('rollout', 'history', 'deploy/web'), /deployment.apps\/web/);
    },
  },
  {
    name: 'get events',
    run: async (kubectl) => {
      const input = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'told' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: kubectl.namespace, name: 'p1' },
        reason: 'Told',
        message: 'by the scenario',
        type: 'Normal',
        source: { component: 'scenario' },
        firstTimestamp: '2024-01-02T03:04:05Z',
        lastTimestamp: '2024-01-02T03:04:05Z',
        count: 1,
      };
      await kubectl.okWith({ input }, 'create', '-f', '-');
      assert.match(await kubectl.ok('get', 'events'), /Normal +Told +pod\/p1 +by the scenario/);
    },
  },
  {
    name: 'nodes: get, cordon, taint, describe, uncordon',
    run: async (kubectl) => {
      const name = `node-${kubectl.namespace}`;
      const input = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
      await kubectl.okWith({ input }, 'create', '-f', '-');
      try {
        assert.match(await kubectl.ok('cordon', name), /cordoned/);
        assert.match(await kubectl.ok('get', 'node', name), /SchedulingDisabled/);
        await kubectl.ok('taint', 'node', name, 'k=v:NoSchedule');
        assert.match(await kubectl.ok('describe', 'node', name), /k=v:NoSchedule/);
        assert.match(await kubectl.ok('uncordon', name), /uncordoned/);
      } finally {
        await kubectl.ok('delete', 'node', name);
      }
    },
  },
];
