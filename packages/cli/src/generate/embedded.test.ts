/** `client-ts generate --from-cluster` against the embedded API server, over TLS. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';

import { run } from '../run.ts';
import { testContext } from '../frame/test-context.ts';

test('generates modules from a running server', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-embedded-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await using server = await ApiServer.start();
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);

  const context = testContext();
  const group = 'coordination.k8s.io';
  const args = ['--from-cluster', '--group', group, '--kubeconfig', kubeconfig, '--out', directory];
  assert.equal(await run(['generate', ...args], context), 0, context.errors.join('\n'));
  assert.equal(context.errors[0], `Connecting to ${server.url}`);
  assert.ok(context.output.includes(join(directory, group, 'v1.ts')));
  const text = readFileSync(join(directory, group, 'v1.ts'), 'utf8');
  assert.match(text, /export const leases: ResourceDescriptor<Lease, 'Namespaced', Verb, never>/);
  assert.match(text, /renewTime\?: MicroTime;/);
  assert.match(text, /export interface LeaseList \{/);

  const refused = testContext();
  assert.equal(await run(['generate', ...args, '--token', 'wrong-token', '--debug'], refused), 1);
  assert.match(refused.errorText(), /credentials/);
  assert.doesNotMatch(refused.errorText(), /wrong-token/);
});
