import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from './api-error.ts';
import * as guards from './error-guards.ts';
import { failureStatus, isStatus, wellTypedStatus } from './status.ts';
import type { Status } from './types.ts';

describe('isStatus', () => {
  it('is true only for a Status of meta/v1', () => {
    assert.ok(isStatus(failureStatus({ code: 500, message: 'x' })));
    assert.ok(isStatus({ kind: 'Status', apiVersion: 'meta.k8s.io/v1' }));
    assert.equal(isStatus({ kind: 'Status', apiVersion: 'example.com/v1' }), false);
    assert.equal(isStatus({ kind: 'Status' }), false);
    assert.equal(isStatus({ kind: 'Pod', apiVersion: 'v1' }), false);
    assert.equal(isStatus(null), false);
    assert.equal(isStatus('Status'), false);
  });
});

describe('failureStatus', () => {
  it('drops empty details but not the details themselves', () => {
    const details = { name: '', group: '', kind: '', uid: '', causes: [{ field: '' }] };
    assert.deepEqual(failureStatus({ code: 400, message: 'm', details }).details, {
      causes: [{}],
    });
    assert.deepEqual(failureStatus({ code: 400, message: 'm', details: {} }).details, {});
    assert.equal('details' in failureStatus({ code: 400, message: 'm' }), false);
  });

  it('does not touch what it was given', () => {
    const details = Object.freeze({ causes: [Object.freeze({ field: '', message: 'm' })] });
    const status = failureStatus({ code: 400, message: 'm', details });
    assert.notEqual(status.details, details);
    assert.deepEqual(details, { causes: [{ field: '', message: 'm' }] });
  });
});

describe('wellTypedStatus', () => {
  it('keeps a Status whose fields have their types', () => {
    const status = failureStatus({
      code: 429,
      message: 'later',
      details: { retryAfterSeconds: 3, causes: [{ message: 'x' }] },
    });
    assert.equal(wellTypedStatus(status), status);
  });

  it('drops fields of other types, and keeps the rest in order', () => {
    const sent = {
      kind: 'Status',
      message: {},
      reason: 'Timeout',
      details: { retryAfterSeconds: 'abc', kind: 'pods', causes: [7, { field: 'a', reason: 1 }] },
      code: 504,
      extra: 1,
    };
    assert.equal(
      JSON.stringify(wellTypedStatus(sent as unknown as Status)),
      JSON.stringify({
        kind: 'Status',
        reason: 'Timeout',
        details: { kind: 'pods', causes: [{ field: 'a' }] },
        code: 504,
        extra: 1,
      }),
    );
    for (const retryAfterSeconds of [-1e9, -1, '5', null, Number.NaN]) {
      const error = new ApiError({ details: { retryAfterSeconds } } as Status);
      assert.equal(error.retryAfterSeconds, undefined);
    }
  });

  it('makes every Status usable, whatever is in it', () => {
    const field = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ causes: [null, 1] }));
    const names = ['message', 'reason', 'code', 'details', 'status', 'metadata'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), field), (sent) => {
        const error = new ApiError(sent);
        assert.equal(typeof error.message, 'string');
        assert.equal(typeof error.reason, 'string');
        for (const guard of Object.values(guards)) {
          (guard as (error: unknown, type: string) => unknown)(error, 'UnexpectedServerResponse');
        }
      }),
    );
  });
});
