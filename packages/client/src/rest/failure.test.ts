import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { protobufCodec } from '../codec/codec.ts';
import { isConflict, isNotFound, isUnexpectedServerError } from '../meta/error-guards.ts';
import { failureIn, failureOfResponse, isSuccess } from './failure.ts';

const json = { 'content-type': 'application/json' };
const pods = { group: '', resource: 'pods' };
const context = {
  verb: 'GET',
  path: '/api/v1/pods/web?secret=1',
  server: 'host:6443',
  resource: pods,
  name: 'web',
  namespace: 'default',
};

function failure(status: number, headers: object, body: string | Uint8Array, verb = 'GET') {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return failureOfResponse(status, { ...headers }, bytes, { ...context, verb });
}

const notFound = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'pods "web" not found',
  reason: 'NotFound',
  details: { name: 'web', kind: 'pods' },
  code: 404,
};

describe('failureOfResponse', () => {
  it('uses the Status in the body, in either encoding', () => {
    for (const [type, body] of [
      ['application/json', Buffer.from(JSON.stringify(notFound))],
      [protobufCodec.mediaType, protobufCodec.encode(notFound)],
    ] as const) {
      const error = failure(404, { 'content-type': type }, body);
      assert.equal(error.message, 'pods "web" not found (GET /api/v1/pods/web on host:6443)');
      assert.equal(error.code, 'API_NOT_FOUND');
      assert.deepEqual(error.status, notFound);
      assert.deepEqual(error.request, {
        verb: 'GET',
        path: '/api/v1/pods/web',
        server: 'host:6443',
      });
    }
  });

  it('prefers the Status to the HTTP status', () => {
    const error = failure(
      500,
      json,
      JSON.stringify({ ...notFound, reason: 'Conflict', code: 409 }),
    );
    assert.ok(isConflict(error));
    assert.equal(error.statusCode, 409);
  });

  it('accepts a failure without kind and code as a Status', () => {
    const error = failure(409, json, '{"status":"Failure","message":"taken"}');
    assert.equal(error.status.message, 'taken');
    assert.equal(error.statusCode, 409);
    assert.ok(!isUnexpectedServerError(error));
  });

  it('follows the HTTP status without a Status and quotes the body', () => {
    const error = failure(404, { 'content-type': 'text/plain' }, '404 page not found\n');
    assert.ok(isNotFound(error));
    assert.ok(isUnexpectedServerError(error));
    assert.equal(
      error.status.message,
      'the server could not find the requested resource (get pods web): 404 page not found',
    );
    assert.equal(
      failure(400, json, '{"error":"no such tenant"}').status.message?.endsWith(
        ': {"error":"no such tenant"}',
      ),
      true,
    );
  });

  it('quotes a text once and an HTML page never', () => {
    assert.equal(
      failure(502, {}, 'upstream gone').status.message,
      'an error on the server ("upstream gone") has prevented the request from succeeding (get pods web)',
    );
    assert.equal(
      failure(401, { 'content-type': 'text/html' }, '<html>Log in</html>').status.message,
      'the server has asked for the client to provide credentials (get pods web)',
    );
    assert.equal(
      failure(403, { 'content-type': 'text/plain' }, 'go away').status.message,
      'go away (get pods web)',
    );
  });

  it('does not quote binary bodies', () => {
    const error = failure(500, { 'content-type': 'application/octet-stream' }, 'abc');
    assert.match(error.message, /"unknown"/);
    assert.match(
      failure(500, { 'content-type': protobufCodec.mediaType }, 'k8s').message,
      /"unknown"/,
    );
  });

  it('truncates long texts at 2048 bytes, between characters', () => {
    const error = failure(404, {}, 'ä'.repeat(3000));
    assert.equal(error.message.match(/ä/g)?.length, 1024);
    assert.ok(!failure(404, {}, `x${'ä'.repeat(3000)}`).message.includes('\uFFFD'));
  });

  it('distinguishes a conflict of a creation from others by the verb', () => {
    assert.equal(failure(409, {}, '', 'POST').reason, 'AlreadyExists');
    assert.equal(failure(409, {}, '', 'PUT').reason, 'Conflict');
  });

  it('reads Retry-After in seconds', () => {
    assert.equal(failure(429, { 'retry-after': '7' }, '').retryAfterSeconds, 7);
    assert.equal(
      failure(429, { 'retry-after': 'Tue, 15 Nov 1994 08:12:31 GMT' }, '').retryAfterSeconds,
      undefined,
    );
  });
});

describe('failureIn', () => {
  it('returns Status objects other than Success', () => {
    assert.equal(failureIn(notFound), notFound);
    assert.deepEqual(failureIn({ kind: 'Status', apiVersion: 'v1' }), {
      kind: 'Status',
      apiVersion: 'v1',
    });
    assert.equal(failureIn({ kind: 'Status', apiVersion: 'v1', status: 'Success' }), undefined);
    assert.equal(
      failureIn({ kind: 'Status', apiVersion: 'example.com/v1', status: 'Failure' }),
      undefined,
    );
    assert.equal(failureIn({ kind: 'Pod', status: 'Failure' }), undefined);
  });
});

describe('isSuccess', () => {
  it('is 200 to 206', () => {
    assert.deepEqual([199, 200, 206, 207, 301].map(isSuccess), [false, true, true, false, false]);
  });
});
