import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemEnvironment } from './environment.ts';

it('is the environment of the process, also after a change', () => {
  assert.equal(systemEnvironment()['CLIENT_TS_ENVIRONMENT_TEST'], undefined);
  process.env['CLIENT_TS_ENVIRONMENT_TEST'] = 'here';
  try {
    assert.equal(systemEnvironment()['CLIENT_TS_ENVIRONMENT_TEST'], 'here');
  } finally {
    delete process.env['CLIENT_TS_ENVIRONMENT_TEST'];
  }
});
