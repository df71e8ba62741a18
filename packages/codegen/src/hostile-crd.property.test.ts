import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { generateFromCluster } from './cluster/generate-cluster.ts';
import { serverOf } from './cluster/test-server.ts';
import { typeErrors } from './test-compile.ts';
import { CrdError } from './errors.ts';
import { generateFromCrds } from './crd/generate-crds.ts';
import { hostileCluster, hostileCrd } from './test-hostile-crd.ts';

/** The compiler runs once for all files, so all cases are drawn first. */
const draw = { seed: 20_261, numRuns: 300 };

test('refuses a hostile definition, or generates types that compile', () => {
  const files: Record<string, string> = {};
  for (const [index, crd] of fc.sample(hostileCrd, draw).entries()) {
    try {
      const modules = generateFromCrds([{ name: 'crd.yaml', text: JSON.stringify(crd) }]);
      for (const [path, text] of modules) files[`${index}/${path}`] = text;
    } catch (error) {
      assert.ok(error instanceof CrdError, `${String(error)}: ${JSON.stringify(crd)}`);
    }
  }
  const count = Object.keys(files).length;
  assert.ok(count > draw.numRuns / 3, `only ${count} were accepted`);
  assert.deepEqual(typeErrors(files), []);
});

test('generates types that compile from any discovery and OpenAPI documents', async () => {
  const files: Record<string, string> = {};
  for (const [index, { resources, schemas }] of fc.sample(hostileCluster, draw).entries()) {
    const server = serverOf({
      '/apis': { groups: [{ name: 'e.com', versions: [{ groupVersion: 'e.com/v1' }] }] },
      '/apis/e.com/v1': { resources },
      '/openapi/v3': { paths: { 'apis/e.com/v1': { serverRelativeURL: '/openapi/v3/e' } } },
      '/openapi/v3/e': { components: { schemas } },
    });
    const modules = await generateFromCluster(server);
    for (const [path, text] of modules) files[`${index}/${path}`] = text;
  }
  assert.equal(Object.keys(files).length, draw.numRuns);
  assert.deepEqual(typeErrors(files), []);
});
