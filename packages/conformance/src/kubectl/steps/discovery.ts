import assert from 'node:assert/strict';
import type { Step } from '../kubectl.ts';

/** Discovering the server. */
export const discoverySteps: readonly Step[] = [
  {
    name: 'version',
    run: async (kubectl) => assert.match(await kubectl.ok('version'), /Server Version: .*v1\.\d+/),
  },
  {
    name: 'api-versions',
    run: async (kubectl) => {
      const versions = (await kubectl.ok('api-versions')).split('\n');
      for (const version of ['v1', 'apps/v1', 'batch/v1'])
        assert.ok(versions.includes(version), version);
    },
  },
  {
    name: 'api-resources',
    run: async (kubectl) => {
      const resources = await kubectl.ok('api-resources');
      assert.match(resources, /^pods +po +v1 +true +Pod$/m);
      assert.match(resources, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
      assert.match(resources, /^nodes +no +v1 +false +Node$/m);
    },
  },
  {
    name: 'api-resources --namespaced=false --verbs=list -o name',
    run: async (kubectl) => {
      const names = await kubectl.ok(
        'api-resources',
        '--namespaced=false',
        '--verbs=list',
        '-o',
        'name',
      );
      assert.ok(names.split('\n').includes('nodes'));
      assert.ok(!names.split('\n').includes('pods'));
    },
  },
  {
    name: 'explain',
    run: async (kubectl) => {
      const text = await kubectl.ok('explain', 'pods.spec.containers.ports');
      assert.match(text, /containerPort\s+<integer>/);
      assert.match(text, /DESCRIPTION:\n +[A-Z]/);
      assert.match(await kubectl.ok('explain', 'deployment'), /KIND: +Deployment/);
    },
  },
  {
    name: 'get --raw',
    run: async (kubectl) => {
      assert.equal((await kubectl.ok('get', '--raw', '/readyz')).trim(), 'ok');
    },
  },
  {
    name: 'auth can-i',
    run: async (kubectl) => {
      assert.equal((await kubectl.ok('auth', 'can-i', 'create', 'deployments.apps')).trim(), 'yes');
    },
  },
  {
    name: 'auth whoami',
    since: 28,
    run: async (kubectl) => {
      assert.match(await kubectl.ok('auth', 'whoami'), /^Username +\S+/m);
    },
  },
  {
    name: 'wrong credentials',
    run: async (kubectl) => {
      const said = await kubectl.fails(
        {},
        'get',
        'pods',
        '--token=wrong',
        '--username=',
        '--password=',
      );
      assert.match(said, /Unauthorized|provide credentials|logged in/);
    },
  },
];
