import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse } from 'yaml';

import { testCli } from '../test-cli.ts';

const widgets = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['toys'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
};

test('prints resources as kubectl does', async (t) => {
  const cli = await testCli(t);
  const { out, code } = await cli.run('api-resources', '--api-group', '');
  assert.equal(code, 0);
  const lines = out.split('\n');
  assert.equal(lines[0], 'NAME                     SHORTNAMES   APIVERSION   NAMESPACED   KIND');
  assert.ok(lines.includes('pods                     po           v1           true         Pod'));
  assert.ok(
    lines.includes('namespaces               ns           v1           false        Namespace'),
  );
  const wide = await cli.run('api-resources', '--api-group=apps', '-o', 'wide', '--no-headers');
  assert.match(
    wide.out,
    /^deployments +deploy +apps\/v1 +true +Deployment +create,delete,.*watch +all$/m,
  );
});

test('filters and sorts resources', async (t) => {
  const cli = await testCli(t);
  const names = async (...args: string[]): Promise<string[]> => {
    const { out, err } = await cli.run('api-resources', '-o', 'name', ...args);
    assert.equal(err, '');
    return out === '' ? [] : out.trimEnd().split('\n');
  };
  const all = await names();
  assert.ok(all.includes('deployments.apps') && all.includes('nodes'));
  const namespaced = await names('--namespaced');
  const others = await names('--namespaced=false');
  assert.ok(namespaced.includes('pods') && others.includes('nodes'));
  assert.deepEqual([...namespaced, ...others].sort(), [...all].sort());
  assert.deepEqual(await names('--categories', 'all', '--api-group', 'batch'), [
    'cronjobs.batch',
    'jobs.batch',
  ]);
  assert.ok(!(await names('--verbs', 'list,delete')).includes('bindings'));
  assert.deepEqual(await names('--verbs', 'fly'), []);
  const byName = await names('--sort-by', 'name');
  assert.deepEqual(byName, [...byName].sort());
  assert.equal((await names('--sort-by', 'kind'))[0], 'apiservices.apiregistration.k8s.io');
});

test('prints all details as JSON and YAML', async (t) => {
  const cli = await testCli(t);
  const json = await cli.run('api-resources', '-o', 'json', '--api-group', 'batch');
  const { resources } = JSON.parse(json.out) as { resources: { name: string; kind: string }[] };
  assert.deepEqual(
    resources.map(({ name }) => name),
    ['cronjobs', 'jobs'],
  );
  const yaml = await cli.run('api-resources', '-o', 'yaml', '--api-group', 'batch');
  assert.deepEqual(parse(yaml.out), JSON.parse(json.out));
});

test('caches discovery on disk', async (t) => {
  const cli = await testCli(t);
  const count = cli.server.faults.add({
    match: { path: /^\/apis?$/ },
    fault: { kind: 'latency', ms: 0 },
  });
  await cli.run('api-resources');
  const asked = count.matched;
  assert.ok(asked > 0);
  assert.ok(existsSync(join(cli.directory, 'cache', 'discovery')));
  assert.equal(readdirSync(join(cli.directory, 'cache', 'discovery')).length, 1);

  await cli.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
  const kept = await cli.run('api-resources', '-o', 'name');
  assert.equal(count.matched, asked);
  assert.doesNotMatch(kept.out, /widgets/);
  const live = await cli.run('api-resources', '-o', 'name', '--cached=false');
  assert.match(live.out, /^widgets\.example\.com$/m);
  // An unknown name triggers discovery again.
  assert.equal((await cli.run('get', 'wd')).code, 0);
});

test('prints the versions of groups', async (t) => {
  const cli = await testCli(t);
  const { out } = await cli.run('api-versions');
  const versions = out.trimEnd().split('\n');
  assert.ok(versions.includes('v1') && versions.includes('apps/v1'));
  assert.deepEqual(versions, [...versions].sort());
  assert.deepEqual((await cli.run('api-versions', '--cached')).out, out);
});

test('reports a server that is down, with a hint', async (t) => {
  const cli = await testCli(t);
  await cli.server.stopServing();
  const { code, out, err } = await cli.run('api-resources', '--cached=false');
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^client-ts api-resources: .*127\.0\.0\.1:\d+.*\. Check the address and port/);
  assert.equal(err.trimEnd().split('\n').length, 1);
});
