import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { Milestone } from './milestone.ts';

describe('Milestone', () => {
  it('is reached once and for good', async () => {
    const milestone = new Milestone();
    assert.equal(milestone.isReached, false);
    const waiting = milestone.promise;
    milestone.reach();
    await waiting;
    milestone.fail(new Error('too late'));
    milestone.renew();
    await milestone.promise;
    assert.equal(milestone.isReached, true);
  });

  it('rejects pending and new waits while it is impossible', async () => {
    const milestone = new Milestone();
    const waiting = milestone.promise;
    milestone.fail(new Error('stopped'));
    milestone.fail(new Error('stopped again'));
    await assert.rejects(waiting, /^Error: stopped$/);
    await assert.rejects(milestone.promise, /^Error: stopped$/);
    milestone.renew();
    const again = milestone.promise;
    milestone.reach();
    await again;
  });

  it('can be reached after it was impossible, without an unhandled rejection', async () => {
    const milestone = new Milestone();
    milestone.fail(new Error('stopped'));
    await nextTurn();
    milestone.reach();
    await milestone.promise;
    assert.equal(milestone.isReached, true);
  });
});
