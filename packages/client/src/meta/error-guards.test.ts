import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from './api-error.ts';
import * as create from './error-factories.ts';
import * as guards from './error-guards.ts';
import { newGenericServerResponse } from './error-factories.ts';

const pods = { group: '', resource: 'pods' };

/** Every guard that answers yes to an error. */
function matching(error: unknown): string[] {
  return Object.entries(guards)
    .filter(([name]) => name.startsWith('is'))
    .filter(([, guard]) => (guard as (error: unknown) => boolean)(error))
    .map(([name]) => name);
}

describe('guards', () => {
  const cases: readonly (readonly [string, ApiError])[] = [
    ['isNotFound', create.newNotFound(pods, 'a')],
    ['isAlreadyExists', create.newAlreadyExists(pods, 'a')],
    ['isAlreadyExists', create.newGenerateNameConflict(pods, 'a', 1)],
    ['isConflict', create.newConflict(pods, 'a', 'x')],
    ['isConflict', create.newApplyConflict([], 'x')],
    ['isGone', create.newGone('x')],
    ['isExpired', create.newResourceExpired('x')],
    ['isInvalid', create.newInvalid({ group: '', kind: 'Pod' }, 'a', [])],
    ['isForbidden', create.newForbidden(pods, 'a', 'x')],
    ['isUnauthorized', create.newUnauthorized()],
    ['isTooManyRequests', create.newTooManyRequests('x', 1)],
    ['isTimeout', create.newTimeoutError('x', 1)],
    ['isServerTimeout', create.newServerTimeout(pods, 'get', 1)],
    ['isInternalError', create.newInternalError('x')],
    ['isInternalError', create.newUnknownError('x')],
    ['isBadRequest', create.newBadRequest('x')],
    ['isMethodNotSupported', create.newMethodNotSupported(pods, 'get')],
    ['isNotAcceptable', create.newNotAcceptable([])],
    ['isUnsupportedMediaType', create.newUnsupportedMediaType([])],
    ['isRequestEntityTooLarge', create.newRequestEntityTooLarge('x')],
    ['isServiceUnavailable', create.newServiceUnavailable('x')],
    ['isStoreReadError', new ApiError({ reason: 'StorageReadError', code: 500 })],
  ];
  for (const [name, error] of cases) {
    it(`only ${name} answers to ${error.reason || 'no reason'} ${error.statusCode}`, () => {
      assert.deepEqual(matching(error), [name]);
    });
  }

  it('see through wrapping', () => {
    const wrapped = new Error('reconcile', { cause: create.newConflict(pods, 'a', 'x') });
    assert.deepEqual(matching(wrapped), ['isConflict']);
  });

  it('answer no to everything that came from elsewhere', () => {
    for (const other of [undefined, null, 'NotFound', { code: 404 }, new Error('404')]) {
      assert.deepEqual(matching(other), []);
    }
  });

  it('believe a known reason before the HTTP code', () => {
    assert.deepEqual(matching(new ApiError({ reason: 'Conflict', code: 404 })), ['isConflict']);
    assert.deepEqual(matching(new ApiError({ reason: 'Odd', code: 404 })), ['isNotFound']);
  });

  it('take 429 and 413 whatever the reason', () => {
    const busy = new ApiError({ reason: 'Conflict', code: 429 });
    const large = new ApiError({ reason: 'Conflict', code: 413 });
    assert.deepEqual(matching(busy).toSorted(), ['isConflict', 'isTooManyRequests']);
    assert.deepEqual(matching(large).toSorted(), ['isConflict', 'isRequestEntityTooLarge']);
  });

  it('take a bare 409 for a conflict and a bare 410 for gone', () => {
    assert.deepEqual(matching(new ApiError({ code: 409 })), ['isConflict']);
    assert.deepEqual(matching(new ApiError({ code: 410 })), ['isGone']);
  });

  it('distinguish a version of the future from other timeouts', () => {
    const error = create.newTooLargeResourceVersion(9, 3);
    assert.deepEqual(matching(error).toSorted(), ['isTimeout', 'isTooLargeResourceVersion']);
    const causeAlone = new ApiError({
      reason: 'Conflict',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
    assert.equal(guards.isTooLargeResourceVersion(causeAlone), false);
  });

  it('recognize answers that are not the API server’s', () => {
    const error = newGenericServerResponse({
      code: 502,
      verb: 'GET',
      serverMessage: '<html>',
      isUnexpectedResponse: true,
    });
    assert.deepEqual(matching(error).toSorted(), ['isInternalError', 'isUnexpectedServerError']);
  });
});

describe('reasonForError, statusCause', () => {
  it('read the Status', () => {
    const error = create.newTooManyRequests('x', 0, [{ reason: 'DisruptionBudget', message: 'm' }]);
    assert.equal(guards.reasonForError(error), 'TooManyRequests');
    assert.equal(guards.statusCause(error, 'DisruptionBudget')?.message, 'm');
    assert.equal(guards.hasStatusCause(error, 'FieldValueInvalid'), false);
    assert.equal(guards.reasonForError(new Error('x')), '');
    assert.equal(guards.hasStatusCause(undefined, 'FieldValueInvalid'), false);
  });
});

describe('suggestsClientDelay', () => {
  it('returns the seconds', () => {
    assert.equal(guards.suggestsClientDelay(create.newTooManyRequests('x', 7)), 7);
    assert.equal(guards.suggestsClientDelay(create.newServerTimeout(pods, 'get', 0)), 0);
  });

  it('is a delay that can be waited for, whatever the server sent', () => {
    for (const odd of ['abc', -1e9, NaN, null] as unknown as number[]) {
      assert.equal(guards.suggestsClientDelay(create.newServerTimeout(pods, 'get', odd)), 0);
      assert.equal(guards.suggestsClientDelay(create.newTooManyRequests('x', odd)), undefined);
    }
    assert.equal(guards.suggestsClientDelay(create.newTooManyRequests('x', 1e300)), 300);
  });

  it('returns undefined if the server requests no delay', () => {
    assert.equal(guards.suggestsClientDelay(create.newTooManyRequests('x', 0)), undefined);
    assert.equal(guards.suggestsClientDelay(create.newGone('x')), undefined);
    assert.equal(guards.suggestsClientDelay(new Error('x')), undefined);
  });
});
