import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
  type StatusCondition,
} from './conditions.ts';
import type { Condition } from './types.ts';

const clock = { now: () => Date.UTC(2026, 0, 2) };
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Up',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
};
const other: Condition = { ...ready, type: 'Other', status: 'False' };
const conditions: readonly Condition[] = Object.freeze([ready, other]);

describe('asking', () => {
  it('finds a condition', () => {
    assert.equal(findStatusCondition(conditions, 'Other'), other);
    assert.equal(findStatusCondition(conditions, 'Nope'), undefined);
    assert.equal(findStatusCondition<Condition>(undefined, 'Ready'), undefined);
    assert.equal(findStatusCondition<Condition>(null, 'Ready'), undefined);
  });

  it('treats a missing condition as neither true nor false', () => {
    assert.ok(isStatusConditionTrue(conditions, 'Ready'));
    assert.equal(isStatusConditionFalse(conditions, 'Ready'), false);
    assert.ok(isStatusConditionFalse(conditions, 'Other'));
    assert.equal(isStatusConditionTrue(conditions, 'Nope'), false);
    assert.equal(isStatusConditionFalse(undefined, 'Ready'), false);
    const unknown = [{ type: 'Ready', status: 'Unknown' }];
    assert.ok(isStatusConditionPresentAndEqual(unknown, 'Ready', 'Unknown'));
  });
});

describe('setStatusCondition', () => {
  const { lastTransitionTime: _, ...wanted } = ready;

  it('appends a new condition with the time of the clock', () => {
    const result = setStatusCondition([other], wanted, { clock });
    assert.deepEqual(result, [other, { ...ready, lastTransitionTime: '2026-01-02T00:00:00Z' }]);
  });

  it('keeps a time that is given', () => {
    const lastTransitionTime = '2025-01-01T00:00:00Z';
    const [added] = setStatusCondition([], { ...wanted, lastTransitionTime }, { clock });
    assert.equal(added?.lastTransitionTime, lastTransitionTime);
    const moved = setStatusCondition(
      conditions,
      { ...wanted, status: 'False', lastTransitionTime },
      { clock },
    );
    assert.equal(moved[0]?.lastTransitionTime, lastTransitionTime);
  });

  it('moves the time when the status changes', () => {
    const result = setStatusCondition(conditions, { ...wanted, status: 'False' }, { clock });
    assert.deepEqual(result, [
      { ...ready, status: 'False', lastTransitionTime: '2026-01-02T00:00:00Z' },
      other,
    ]);
  });

  it('leaves the time when only the words change', () => {
    for (const change of [{ reason: 'X' }, { message: 'X' }, { observedGeneration: 2 }]) {
      const result = setStatusCondition(
        conditions,
        { ...wanted, ...change, lastTransitionTime: '2030-01-01T00:00:00Z' },
        { clock },
      );
      assert.deepEqual(result[0], { ...ready, ...change });
    }
  });

  it('drops an observed generation that is no longer set', () => {
    const { observedGeneration: __, ...untold } = wanted;
    const [changed] = setStatusCondition(conditions, untold, { clock });
    assert.equal(changed !== undefined && 'observedGeneration' in changed, false);
  });

  it('returns the very same list when nothing changes', () => {
    assert.equal(setStatusCondition(conditions, wanted, { clock }), conditions);
  });
});

describe('removeStatusCondition', () => {
  it('treats fields that the server leaves out as empty', () => {
    const condition: StatusCondition = { type: 'Ready', status: 'True', reason: 'Up' };
    const stored = [condition];
    assert.equal(setStatusCondition(stored, { ...condition, message: '' }, { clock }), stored);
  });

  it('returns the very same list when there is nothing to remove', () => {
    assert.deepEqual(removeStatusCondition(conditions, 'Ready'), [other]);
    assert.equal(removeStatusCondition(conditions, 'Nope'), conditions);
  });
});
