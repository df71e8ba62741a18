import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from '../lib/errors.ts';
import {
  ApiError,
  apiErrorCatalogue,
  apiErrorOf,
  errorFromObject,
  failureOf,
  UnexpectedObjectError,
} from './api-error.ts';
import { newNotFound } from './error-factories.ts';

describe('ApiError', () => {
  it('keeps the whole Status and the message of the server', () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'pods "a" not found',
      reason: 'NotFound',
      code: 404,
      details: { name: 'a', kind: 'pods', retryAfterSeconds: 3 },
    };
    const error = new ApiError(status);
    assert.equal(error.status, status);
    assert.equal(error.message, 'pods "a" not found');
    assert.equal(error.reason, 'NotFound');
    assert.equal(error.statusCode, 404);
    assert.equal(error.code, 'API_NOT_FOUND');
    assert.equal(error.retryAfterSeconds, 3);
    assert.equal(error.name, 'ApiError');
    assert.ok(error instanceof ClientError);
  });

  it('names the request without its query', () => {
    const request = { verb: 'get', path: '/api/v1/pods/a/proxy?access_token=secret' };
    const error = new ApiError({ message: 'no' }, { request });
    assert.deepEqual(error.request, { verb: 'get', path: '/api/v1/pods/a/proxy' });
    assert.equal(JSON.stringify(error).includes('secret'), false);
  });

  it('keeps the cause', () => {
    const cause = new Error('below');
    assert.equal(new ApiError({}, { cause }).cause, cause);
  });

  it('has something to say about an empty Status', () => {
    const error = new ApiError({});
    assert.equal(error.code, 'API_ERROR');
    assert.equal(error.reason, '');
    assert.equal(error.statusCode, 0);
    assert.match(error.message, /without a message \(no reason, code 0\)/);
  });

  it('takes the HTTP code where the reason is none of the known', () => {
    assert.equal(new ApiError({ code: 409 }).code, 'API_CONFLICT');
    assert.equal(new ApiError({ code: 404, reason: 'Lost' }).code, 'API_NOT_FOUND');
    assert.equal(new ApiError({ code: 404, reason: 'Gone' }).code, 'API_GONE');
    assert.equal(new ApiError({ code: 418 }).code, 'API_ERROR');
    assert.equal(failureOf({ reason: 'constructor' }), undefined);
  });

  it('is recognised by its brand, and only by its own', () => {
    assert.equal((new ClientError('C', 'm') as unknown) instanceof ApiError, false);
    assert.equal(new Error('x') instanceof ApiError, false);
  });
});

describe('apiErrorCatalogue', () => {
  it('lists every code once', () => {
    const codes = apiErrorCatalogue.map(({ code }) => code);
    assert.equal(new Set(codes).size, codes.length);
    assert.ok(codes.includes('API_ERROR'));
    for (const code of codes) assert.match(code, /^API_[A-Z_]+$/);
  });

  it('holds what the errors carry', () => {
    for (const { code, reason, hint } of apiErrorCatalogue) {
      const error = new ApiError({ reason });
      assert.equal(error.code, code);
      assert.equal(error.hint, hint);
    }
  });
});

describe('apiErrorOf', () => {
  const refused = newNotFound({ group: '', resource: 'pods' }, 'a');

  it('finds wrapped errors', () => {
    assert.equal(apiErrorOf(refused), refused);
    assert.equal(apiErrorOf(new Error('sync', { cause: refused })), refused);
    assert.equal(apiErrorOf(new AggregateError([new Error('x'), refused])), refused);
  });

  it('finds nothing in anything else', () => {
    for (const other of [undefined, null, 'text', 7, {}, new Error('x')]) {
      assert.equal(apiErrorOf(other), undefined);
    }
  });
});

describe('errorFromObject', () => {
  it('accepts a Status without an apiVersion', () => {
    const error = errorFromObject({ kind: 'Status', reason: 'Expired', code: 410 });
    assert.ok(error instanceof ApiError);
    assert.equal(error.status.apiVersion, 'v1');
  });

  it('makes an ApiError of a Status in either of its groups', () => {
    for (const apiVersion of ['v1', 'meta.k8s.io/v1']) {
      const error = errorFromObject({ kind: 'Status', apiVersion, reason: 'Expired', code: 410 });
      assert.equal(error.code, 'API_EXPIRED');
    }
  });

  it('reports everything else as unexpected', () => {
    const pod = { kind: 'Pod', apiVersion: 'v1' };
    const error = errorFromObject(pod);
    assert.ok(error instanceof UnexpectedObjectError);
    assert.equal(error.object, pod);
    assert.equal(error.code, 'META_UNEXPECTED_OBJECT');
    assert.match(error.message, /kind Pod/);
    const foreign = errorFromObject({ kind: 'Status', apiVersion: 'example.com/v1' });
    assert.ok(foreign instanceof UnexpectedObjectError);
    assert.match(errorFromObject(undefined).message, /nothing/);
    assert.match(errorFromObject({}).message, /without a kind/);
    assert.match(errorFromObject('x').message, /a string/);
  });
});
