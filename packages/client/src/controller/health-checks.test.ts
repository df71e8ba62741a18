import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HealthChecks } from './health-checks.ts';

describe('HealthChecks', () => {
  const checks = (): HealthChecks => {
    const all = new HealthChecks('readyz');
    all.add('ping', () => undefined);
    all.add('remark', async () => 'slow');
    return all;
  };

  it('answers ok, and shows every check on request', async () => {
    assert.deepEqual(await checks().run(), { status: 200, text: 'ok' });
    assert.deepEqual(await checks().run({ verbose: true }), {
      status: 200,
      text: '[+]ping ok\n[+]remark ok: slow\nreadyz check passed\n',
    });
  });

  it('shows every check if one fails, synchronously or later', async () => {
    const failing = checks();
    failing.add('sync', () => {
      throw new Error('no disk');
    });
    failing.addGroup(() => [['late', () => Promise.reject(new Error('no network'))]]);
    assert.deepEqual(await failing.run(), {
      status: 503,
      text: [
        '[+]ping ok',
        '[+]remark ok: slow',
        '[-]sync failed: no disk',
        '[-]late failed: no network',
        'readyz check failed',
        '',
      ].join('\n'),
    });
    assert.equal((await failing.run({ exclude: ['sync', 'late'] }))?.status, 200);
  });

  it('runs a single check, and none of an unknown name', async () => {
    assert.deepEqual(await checks().run({ only: 'remark' }), { status: 200, text: 'ok' });
    assert.equal(await checks().run({ only: 'nothing' }), undefined);
  });
});
