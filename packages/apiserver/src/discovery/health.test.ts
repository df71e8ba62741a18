import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { healthAnswer, healthPaths, isHealthEndpoint } from './health.ts';

function ask(endpoint: 'healthz' | 'livez' | 'readyz', check = '', query = ''): string | undefined {
  return healthAnswer(endpoint, check, new URLSearchParams(query))?.text;
}

describe('health', () => {
  it('has three endpoints', () => {
    for (const name of ['healthz', 'livez', 'readyz']) assert.ok(isHealthEndpoint(name));
    for (const name of ['', 'health', 'constructor']) assert.ok(!isHealthEndpoint(name));
  });

  it('is ok', () => {
    assert.equal(ask('healthz'), 'ok');
    assert.equal(ask('readyz', 'shutdown'), 'ok');
    assert.equal(ask('livez', 'shutdown'), undefined);
    assert.equal(ask('healthz', 'nope'), undefined);
  });

  it('lists every check on request', () => {
    assert.match(
      ask('livez', '', 'verbose') ?? '',
      /^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]loopback-serving-certificate ok\n\[\+\]etcd ok\n[^]*\nlivez check passed\n$/,
    );
    assert.match(
      ask('readyz', '', 'verbose=true') ?? '',
      /\n\[\+\]etcd-readiness ok\n[^]*\n\[\+\]shutdown ok\nreadyz check passed\n$/,
    );
  });

  it('excludes checks on request and reports names that it does not know', () => {
    const text = ask('healthz', '', 'verbose&exclude=etcd&exclude=sun&exclude=moon') ?? '';
    assert.match(text, /\[\+\]etcd excluded: ok\n/);
    assert.match(
      text,
      /warn: some health checks cannot be excluded: no matches for "moon","sun"\nhealthz check passed/,
    );
  });

  it('has a path for every check', () => {
    for (const path of healthPaths()) {
      const [, endpoint = '', ...check] = path.split('/');
      assert.ok(isHealthEndpoint(endpoint));
      assert.equal(ask(endpoint, check.join('/')), 'ok', path);
    }
  });
});
