import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhooks } from '../webhook/webhooks.ts';
import { Manager } from './manager.ts';

const config = { server: 'http://127.0.0.1:1' };

/** Calls as plain JavaScript may. */
const make = (...values: readonly unknown[]): unknown => Reflect.construct(Manager, values);

describe('the options of a manager', () => {
  for (const [options, message] of [
    [null, 'options: must be an object, not null'],
    [5, 'options: must be an object, not number'],
    [
      { health: { port: 70_000 } },
      'health.port: 70000 is not a port: a whole number from 0 to 65535',
    ],
    [{ health: {} }, 'health.port: undefined is not a port: a whole number from 0 to 65535'],
    [{ metrics: 8080 }, 'metrics: must be an object, not number'],
    [{ metrics: { port: 8080, host: '' } }, 'metrics.host: must be a string that is not empty'],
    [{ leaderElection: {} }, 'leaderElection.name: must be a string that is not empty'],
    [{ leaderElection: true }, 'leaderElection: must be an object, not boolean'],
    [{ webhooks: {} }, 'webhooks.certDir: must be a string that is not empty'],
    [{ logger: 5 }, 'logger: must have the methods debug, info, warn, error'],
    [
      { logger: { warn: () => undefined } },
      'logger: must have the methods debug, info, warn, error',
    ],
    [{ loopGuard: true }, 'loopGuard: must be an object, not boolean'],
  ] as const) {
    it(`${JSON.stringify(options)} is refused with the name of the option`, () => {
      assert.throws(() => make(config, options), { code: 'OPTION_INVALID', message });
    });
  }

  it('a config that is missing is refused', () => {
    assert.throws(() => make(undefined), {
      code: 'OPTION_INVALID',
      message: 'config: must be an object, not undefined',
    });
  });

  it('webhooks name the argument that is wrong', () => {
    const webhooks = new Webhooks();
    const call = (name: 'conversion' | 'mutating' | 'validating', ...values: unknown[]): unknown =>
      Reflect.apply(webhooks[name], webhooks, values);
    const resource = { group: '', version: 'v1', resource: 'pods', kind: 'Pod' };
    const handle = (): undefined => undefined;
    const refused = (option: string) => ({ code: 'OPTION_INVALID', option });
    assert.throws(() => call('validating', '/path', handle), refused('resource'));
    assert.throws(() => call('validating', resource), refused('handle'));
    assert.throws(() => call('validating', resource, { handle, path: 'x' }), refused('path'));
    assert.throws(() => call('mutating', resource, { handle }), refused('mutate'));
    assert.throws(() => call('conversion', resource, {}), refused('versions'));
    assert.throws(() => call('conversion', [], {}), refused('versions'));
    assert.throws(() => call('conversion', [resource], {}), refused('convert'));
  });
});
