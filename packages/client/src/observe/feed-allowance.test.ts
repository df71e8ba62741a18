import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Allowance, RecordRate } from './feed-allowance.ts';

it('grants records by the clock without processor time', () => {
  const rate = new RecordRate(250, undefined);
  assert.deepEqual([rate.grant(100), rate.grant(2000), rate.grant(0)], [25, 500, 0]);
});

it('grants records by processor time, at most by the clock and at least a fifth of that', () => {
  let usedMs = 40;
  const rate = new RecordRate(250, () => usedMs);
  const grantAfter = (processorMs: number): number => {
    usedMs += processorMs;
    return rate.grant(100);
  };
  assert.deepEqual([50, 100, 180, 0, 21].map(grantAfter), [12.5, 25, 25, 5, 5.25]);
});

it('saves what is not used, up to a second of it', () => {
  const allowance = new Allowance(250, 25);
  assert.equal(allowance.left, 25);
  for (let count = 0; count < 30; count += 1) allowance.take();
  assert.equal(allowance.left, 0);
  assert.equal(allowance.add(12.5), 12);
  assert.equal(allowance.add(12.5), 25);
  assert.equal(allowance.add(1000), 250);
});

it('admits one record at a time if the rate is below one', () => {
  const allowance = new Allowance(0.5, 0.05);
  assert.equal(allowance.left, 1);
  allowance.take();
  assert.equal(allowance.add(0.4), 0);
  assert.equal(allowance.add(0.6), 1);
  assert.equal(allowance.add(5), 1);
});
