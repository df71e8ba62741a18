import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from './deferred.ts';

describe('Deferred', () => {
  it('resolves from outside, once', async () => {
    const deferred = new Deferred<number>();
    deferred.resolve(1);
    deferred.resolve(2);
    deferred.reject(new Error('late'));
    assert.equal(await deferred.promise, 1);
  });

  it('rejects from outside', async () => {
    const deferred = new Deferred();
    deferred.reject(new Error('no'));
    await assert.rejects(deferred.promise, /no/);
  });

  it('follows another promise', async () => {
    const deferred = new Deferred<string>();
    deferred.resolve(Promise.resolve('there'));
    assert.equal(await deferred.promise, 'there');
  });
});
