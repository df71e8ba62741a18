import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { areas } from './areas.ts';
import { type CheckResult, runSuite } from './run.ts';
import { embeddedSuiteTarget } from './targets.ts';

function failures(results: readonly CheckResult[]): string[] {
  return results
    .filter((result) => 'error' in result)
    .map(({ area, check, error }) => `${area}: ${check}: ${String(error)}`);
}

const checks = areas.flatMap(({ checks: own }) => Object.keys(own)).length;

describe('the embedded server conforms', () => {
  it('over TLS', async () => {
    await using target = await embeddedSuiteTarget();
    const results = await runSuite(target);
    assert.deepEqual(failures(results), []);
    assert.equal(results.length, checks);
  });

  it('in memory', async () => {
    await using server = await ApiServer.start({ authorization: 'rbac' });
    const admin = server.transport();
    const anonymous = server.transport({ token: '' });
    const results = await runSuite({ admin, anonymous });
    assert.deepEqual(failures(results), []);
    assert.equal(results.length, checks);
  });
});
