import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { testCli } from '../test-cli.ts';

const role = (verbs: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: web, namespace: shop }
rules: [{ apiGroups: [''], resources: [pods], verbs: [${verbs}] }]
`;

describe('client-ts rbac check', () => {
  it('prints what is missing and what was not used, and exits with 1', async (t) => {
    const cli = await testCli(t);
    const [used, shipped] = ['used.yaml', 'shipped.yaml'].map((name) => join(cli.directory, name));
    await writeFile(used ?? '', role('list, watch, create'));
    await writeFile(shipped ?? '', role('get, list, watch, delete'));
    const { code, out } = await cli.run('rbac', 'check', used ?? '', shipped ?? '');
    assert.equal(out, 'missing: create pods in "shop"\nnot used: delete pods in "shop"\n');
    assert.equal(code, 1);
    assert.deepEqual((await cli.run('rbac', 'check', used ?? '', used ?? '')).code, 0);
  });

  it('names what is wrong with the arguments and the files', async (t) => {
    const cli = await testCli(t);
    const file = join(cli.directory, 'pod.yaml');
    await writeFile(file, 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n');
    assert.match((await cli.run('rbac')).err, /the subcommand must be check/);
    assert.match((await cli.run('rbac', 'check', file)).err, /check needs two files/);
    const { code, err } = await cli.run('rbac', 'check', file, file);
    assert.match(err, /the manifest has no Role and no ClusterRole/);
    assert.equal(code, 2);
  });
});
