import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkConfig, type Config, timingOf } from './config.ts';
import { TransportError } from './transport-error.ts';

const server = 'https://127.0.0.1:6443';

describe('checkConfig', () => {
  it('returns the URL of the server', () => {
    assert.equal(checkConfig({ server })?.host, '127.0.0.1:6443');
    assert.equal(checkConfig({ server: 'http://api/base/' })?.pathname, '/base/');
  });

  it('returns undefined for a config with its own transport', () => {
    const transport = { request: async () => assert.fail(), [Symbol.asyncDispose]: async () => {} };
    assert.equal(checkConfig({ server: 'in memory', transport }), undefined);
  });

  it('refuses what cannot be meant, names the field, and shows no secret', () => {
    const cases: [Config, RegExp][] = [
      [{ server: 'api.example.com' }, /^server /],
      [{ server: 'ftp://api.example.com' }, /^server /],
      [{ server: 'https://me:secret@api.example.com' }, /^server /],
      [{ server: `${server}?token=secret` }, /^server /],
      [{ server, auth: { token: 'secret', username: 'me', password: 'secret' } }, /^auth /],
      [{ server, auth: { tokenFile: 'secret', username: 'me' } }, /^auth /],
      [{ server, tls: { insecure: true, ca: 'secret' } }, /^tls.insecure /],
      [{ server, tls: { insecure: true, caFile: 'secret' } }, /^tls.insecure /],
      [{ server, tls: { cert: 'secret' } }, /^tls /],
      [{ server, tls: { keyFile: 'secret' } }, /^tls /],
      [{ server, impersonate: { user: '', groups: ['secret'] } }, /^impersonate.user /],
      // As JavaScript can write it.
      [{ server, impersonate: { groups: ['secret'] } as never }, /^impersonate.user /],
      [{ server, qps: 0 }, /^qps /],
      [{ server, qps: 1, burst: -1 }, /^burst /],
      [{ server, timeoutMs: Number.NaN }, /^timeoutMs /],
    ];
    for (const [config, message] of cases) {
      assert.throws(
        () => checkConfig(config),
        (error) => {
          assert.ok(error instanceof TransportError);
          assert.equal(error.code, 'TRANSPORT_CONFIG');
          assert.match(error.message, message);
          assert.doesNotMatch(`${error.message} ${error.hint}`, /secret/);
          return true;
        },
      );
    }
  });

  it('takes certificate and key, each from data or a file', () => {
    const fine: Config[] = [
      { server, tls: { certFile: 'a', key: 'b', caFile: 'c' } },
      { server, tls: { insecure: true } },
      { server, auth: { token: 'a', tokenFile: 'b' } },
    ];
    for (const config of fine) assert.doesNotThrow(() => checkConfig(config));
  });
});

describe('timingOf', () => {
  it('has the defaults of client-go', () => {
    assert.deepEqual(timingOf({}, {}), {
      connectMs: 30_000,
      handshakeMs: 10_000,
      streamWaitMs: 30_000,
      idleMs: 90_000,
      readIdleMs: 30_000,
      pingMs: 15_000,
      fileMaxAgeMs: 1000,
      fileCheckMs: 300_000,
      tokenMaxAgeMs: 50_000,
    });
  });

  it('reads the environment variables of client-go, after the options', () => {
    const env = {
      HTTP2_READ_IDLE_TIMEOUT_SECONDS: '0',
      HTTP2_PING_TIMEOUT_SECONDS: '5',
    };
    const { readIdleMs, pingMs } = timingOf({ pingMs: 1 }, env);
    assert.deepEqual({ readIdleMs, pingMs }, { readIdleMs: 0, pingMs: 1 });
    assert.equal(timingOf({}, env).pingMs, 5000);
    assert.equal(timingOf({}, { HTTP2_PING_TIMEOUT_SECONDS: 'soon' }).pingMs, 15_000);
  });
});
