import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureStatus, isStatus } from './status.ts';

describe('isStatus', () => {
  it('knows a Status of meta/v1 and nothing else', () => {
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
