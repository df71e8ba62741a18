import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { apiVersionOf } from 'client-ts/meta';

import { enabledVersions, parseRuntimeConfig } from './runtime-config.ts';

const VERSIONS = [
  { group: '', version: 'v1' },
  { group: 'apps', version: 'v1' },
  { group: 'apps', version: 'v1beta1' },
  { group: 'batch', version: 'v2alpha1' },
];

function enabled(text: string): string[] {
  return enabledVersions(VERSIONS, parseRuntimeConfig(text)).map(apiVersionOf);
}

describe('the runtime config', () => {
  it('leaves beta and alpha versions off by default', () => {
    assert.deepEqual(enabled(''), ['v1', 'apps/v1']);
  });

  it('switches by group-version, maturity or all, the most specific first', () => {
    assert.deepEqual(enabled('api/all=true'), ['v1', 'apps/v1', 'apps/v1beta1', 'batch/v2alpha1']);
    assert.deepEqual(enabled('api/beta'), ['v1', 'apps/v1', 'apps/v1beta1']);
    assert.deepEqual(enabled('api/all=true,api/alpha=false'), ['v1', 'apps/v1', 'apps/v1beta1']);
    assert.deepEqual(enabled('api/all=false,v1=true'), ['v1']);
    assert.deepEqual(enabled('apps/v1=false, batch/v2alpha1=true'), ['v1', 'batch/v2alpha1']);
  });

  it('refuses what it does not know', () => {
    assert.throws(() => enabled('apps/v7=true'), {
      message: 'runtimeConfig: "apps/v7" is not a served API version',
    });
    assert.throws(() => enabled('api/all=yes'), {
      message: 'runtimeConfig: "api/all=yes" is not true or false',
    });
  });
});
