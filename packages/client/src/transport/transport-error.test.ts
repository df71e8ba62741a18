import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ClientError } from '../lib/errors.ts';
import {
  connectionError,
  TRANSPORT_ERRORS,
  TransportError,
  type TransportErrorCode,
} from './transport-error.ts';

describe('TransportError', () => {
  it('has a code, its hint, and what is known', () => {
    const cause = new Error('why');
    const error = new TransportError('TRANSPORT_DNS', 'no such host', {
      cause,
      server: 'api:6443',
    });
    assert.ok(error instanceof ClientError);
    assert.equal(error.name, 'TransportError');
    assert.equal(error.code, 'TRANSPORT_DNS');
    assert.equal(error.hint, TRANSPORT_ERRORS.TRANSPORT_DNS.hint);
    assert.equal(error.cause, cause);
    assert.equal(error.server, 'api:6443');
    assert.equal(error.mayHaveBeenHandled, false);
    assert.deepEqual(error.previous, []);
  });

  it('is distinguished from other client errors', () => {
    assert.equal(
      new ClientError('TRANSPORT_DNS', 'of another module') instanceof TransportError,
      false,
    );
    assert.equal(new Error('any') instanceof TransportError, false);
  });

  it('names its request, the attempts and the last failure, and keeps everything else', () => {
    const cause = new Error('read ECONNRESET');
    const options = { server: 'api:6443', hint: 'own', mayHaveBeenHandled: true, cause };
    const error = new TransportError('TRANSPORT_CONNECTION_RESET', 'api:6443: lost', options);
    const request = { verb: 'GET', path: '/api/v1/pods', server: 'api:6443' };
    const previous = [{ status: 503 }, { error }];
    const named = error.withRequest(request, { attempts: 3, previous });
    assert.equal(named.message, 'GET /api/v1/pods: api:6443: lost (after 3 attempts)');
    const { code, hint, retry, server, mayHaveBeenHandled } = named;
    assert.deepEqual(
      { code, hint, retry, server, mayHaveBeenHandled, cause: named.cause },
      { ...options, code: 'TRANSPORT_CONNECTION_RESET', retry: 'unsafe' },
    );
    assert.deepEqual(named.request, request);
    assert.equal(named.previous, previous);
    assert.equal(named.withRequest({ verb: 'PUT', path: '/' }), named);
  });

  it('names the last failure before a timeout', () => {
    const reset = new TransportError('TRANSPORT_CONNECTION_RESET', 'api:6443: reset', {
      server: 'api:6443',
    });
    const late = new TransportError('TRANSPORT_TIMEOUT', 'no answer within 5 s');
    const request = { verb: 'GET', path: '/version', server: 'api:6443' };
    const error = late.withRequest(request, { attempts: 1, previous: [{ error: reset }] });
    assert.equal(
      error.message,
      'GET /version: api:6443: no answer within 5 s (after 1 attempt; the last failure: api:6443: reset)',
    );
    assert.equal(error.cause, reset);
  });

  it('has a retry that depends on whether the request may have been processed', () => {
    const retryOfError = (code: TransportErrorCode, mayHaveBeenHandled: boolean): string =>
      new TransportError(code, 'x', { mayHaveBeenHandled }).retry;
    assert.equal(retryOfError('TRANSPORT_CONNECTION_RESET', true), 'unsafe');
    assert.equal(retryOfError('TRANSPORT_CONNECTION_RESET', false), 'later');
    assert.equal(retryOfError('TRANSPORT_CONNECTION_REFUSED', false), 'later');
    assert.equal(retryOfError('TRANSPORT_TLS_UNTRUSTED', false), 'never');
    assert.equal(retryOfError('TRANSPORT_PROTOCOL', true), 'never');
  });
});

describe('connectionError', () => {
  const context = { server: 'api:6443', mayHaveBeenHandled: false };
  const system = (code: string): Error => Object.assign(new Error(code), { code });

  it('maps errors of Node to codes and messages', () => {
    const cases = {
      ECONNREFUSED: 'TRANSPORT_CONNECTION_REFUSED',
      ECONNRESET: 'TRANSPORT_CONNECTION_RESET',
      EPIPE: 'TRANSPORT_CONNECTION_RESET',
      ENOTFOUND: 'TRANSPORT_DNS',
      EAI_AGAIN: 'TRANSPORT_DNS',
      ETIMEDOUT: 'TRANSPORT_TIMEOUT',
      EHOSTUNREACH: 'TRANSPORT_UNREACHABLE',
      CERT_HAS_EXPIRED: 'TRANSPORT_TLS_EXPIRED',
      ERR_TLS_CERT_ALTNAME_INVALID: 'TRANSPORT_TLS_NAME',
      SELF_SIGNED_CERT_IN_CHAIN: 'TRANSPORT_TLS_UNTRUSTED',
      ERR_SSL_WRONG_VERSION_NUMBER: 'TRANSPORT_TLS_HANDSHAKE',
      ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'TRANSPORT_TLS_HANDSHAKE',
      ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'TRANSPORT_TLS_CLIENT_CERTIFICATE',
      ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'TRANSPORT_TLS_CLIENT_CERTIFICATE',
      'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': 'TRANSPORT_TLS_CLIENT_CERTIFICATE',
      ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'TRANSPORT_TLS_CLIENT_CERTIFICATE',
      HPE_INVALID_CONSTANT: 'TRANSPORT_PROTOCOL',
      SOMETHING_NEW: 'TRANSPORT_CONNECTION_RESET',
    };
    for (const [code, expected] of Object.entries(cases)) {
      const cause = system(code);
      const error = connectionError(cause, context);
      assert.equal(error.code, expected, code);
      assert.ok(error.message.startsWith('api:6443: '));
      assert.equal(error.cause, cause);
    }
  });

  it('calls it a failure of the proxy when it was one', () => {
    const error = connectionError(system('ECONNREFUSED'), { ...context, proxy: 'proxy:3128' });
    assert.equal(error.code, 'TRANSPORT_PROXY');
    assert.equal(error.message, 'api:6443 through the proxy proxy:3128: connection refused');
  });

  it('returns a TransportError unchanged', () => {
    const error = new TransportError('TRANSPORT_TLS_CONFIG', 'no certificate');
    assert.equal(connectionError(error, context), error);
  });
});
