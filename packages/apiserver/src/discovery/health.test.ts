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

  it('is good, in one word', () => {
    assert.equal(ask('healthz'), 'ok');
    assert.equal(ask('readyz', 'shutdown'), 'ok');
    assert.equal(ask('livez', 'shutdown'), undefined);
    assert.equal(ask('healthz', 'nope'), undefined);
  });

  it('is told check by check to those who ask', () => {
    assert.equal(
      ask('livez', '', 'verbose'),
      '[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n',
    );
    assert.match(
      ask('readyz', '', 'verbose=true') ?? '',
      /\[\+\]shutdown ok\nreadyz check passed\n$/,
    );
  });

  it('leaves out what it is told to, and says what it could not', () => {
    const text = ask('healthz', '', 'verbose&exclude=etcd&exclude=moon') ?? '';
    assert.match(text, /\[\+\]etcd excluded: ok\n/);
    assert.match(
      text,
      /warn: some health checks cannot be excluded: no matches for "moon"\nhealthz check passed/,
    );
  });

  it('has a path for every check', () => {
    for (const path of healthPaths()) {
      const [, endpoint = '', check = ''] = path.split('/');
      assert.ok(isHealthEndpoint(endpoint));
      assert.equal(ask(endpoint, check), 'ok', path);
    }
  });
});
