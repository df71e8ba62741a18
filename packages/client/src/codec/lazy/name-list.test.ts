import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NameList } from './name-list.ts';

describe('a list of names', () => {
  const empty = NameList.empty<string>();

  it('is the same for the same names in the same order', () => {
    const list = empty.with('metadata').with('spec');
    assert.equal(empty.with('metadata').with('spec'), list);
    assert.notEqual(empty.with('spec').with('metadata'), list);
    assert.notEqual(NameList.empty<string>().with('metadata').with('spec'), list);
  });

  it('knows the position of its names', () => {
    const list = empty.with('metadata').with('spec').with('status');
    assert.equal(list.length, 3);
    const names = ['metadata', 'spec', 'status', 'other'];
    assert.deepEqual(
      names.map((name) => list.indexOf(name)),
      [0, 1, 2, -1],
    );
    assert.equal(empty.indexOf('metadata'), -1);
    assert.equal(empty.length, 0);
  });

  it('is complete also where there are too many to share', () => {
    for (let index = 0; index < 10_000; index++) empty.with(`name-${index}`);
    const list = empty.with('late').with('later');
    assert.equal(list.indexOf('late'), 0);
    assert.equal(list.indexOf('later'), 1);
    assert.notEqual(empty.with('late'), empty.with('late'));
  });
});
