import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Difference } from './difference.ts';
import { deviations, type ExpectedDifferences, UNEXPLAINED, updated } from './expected.ts';
import type { Outcome } from './replay.ts';
import type { GroupResult } from './report.ts';

const STATUS: Difference = { path: '/response/status', expected: 422, got: 201 };
const KIND: Difference = { path: '/response/body/kind', expected: 'Status', got: 'Pod' };

function group(exchanges: Readonly<Record<string, readonly Difference[]>>): GroupResult {
  const outcomes = Object.entries(exchanges).map(([id, differences]): Outcome => ({
    exchange: {
      id,
      about: id,
      request: { method: 'GET', path: '/', headers: {} },
      response: { status: 200, headers: {} },
    },
    result: differences.length === 0 ? 'passed' : 'failed',
    differences,
  }));
  return { group: 'crd', outcomes };
}

const results = [group({ cel: [STATUS, KIND], plain: [] })];

const list: ExpectedDifferences = {
  causes: { cel: 'the server does not evaluate CEL' },
  exchanges: {
    crd: {
      cel: {
        cause: 'cel',
        differences: {
          '/response/body/kind': "'Status' → 'Pod'",
          '/response/status': '422 → 201',
        },
      },
    },
  },
};

function problems(found: readonly GroupResult[], expected = list): string[] {
  return deviations(found, expected, true).map(({ at, problem }) => `${at}: ${problem}`);
}

function withCause(cause: string): ExpectedDifferences {
  const { differences = {} } = list.exchanges['crd']?.['cel'] ?? {};
  return { ...list, exchanges: { crd: { cel: { cause, differences } } } };
}

describe('the list of expected differences', () => {
  it('accepts exactly the listed differences', () => {
    assert.deepEqual(problems(results), []);
  });

  it('rejects a new difference, in a listed exchange and in another', () => {
    const extra: Difference = { path: '/response/body/code', expected: 1, got: undefined };
    assert.deepEqual(problems([group({ cel: [STATUS, KIND, extra], plain: [STATUS] })]), [
      'crd/cel: new difference at /response/body/code: 1 → (absent)',
      'crd/plain: new difference at /response/status: 422 → 201',
    ]);
  });

  it('rejects a difference that is gone, alone and with its whole exchange', () => {
    assert.deepEqual(problems([group({ cel: [KIND], plain: [] })]), [
      'crd/cel: no difference at /response/status any more',
    ]);
    assert.equal(problems([group({ cel: [], plain: [] })]).length, 2);
    assert.deepEqual(problems([group({ plain: [] })]), [
      'crd/cel: listed, but there is no such exchange',
    ]);
  });

  it('rejects a difference that has changed', () => {
    assert.deepEqual(problems([group({ cel: [{ ...STATUS, got: 200 }, KIND] })]), [
      'crd/cel: difference at /response/status is now 422 → 200, listed as 422 → 201',
    ]);
  });

  it('rejects a missing response', () => {
    const [result] = results;
    assert.ok(result !== undefined);
    const outcomes = result.outcomes.map((outcome): Outcome =>
      outcome.exchange.id === 'plain'
        ? { ...outcome, result: 'failed', reason: 'no answer within 30 s' }
        : outcome,
    );
    assert.deepEqual(problems([{ ...result, outcomes }]), [
      "crd/plain: new difference at /response: 'an answer' → 'no answer within 30 s'",
    ]);
  });

  it('rejects an entry without a cause, a cause without a reason, and an unused cause', () => {
    assert.deepEqual(problems(results, withCause(UNEXPLAINED)), [
      'crd/cel: listed without a cause',
      'causes: cause "cel" is not used',
    ]);
    assert.deepEqual(problems(results, { ...withCause('other'), causes: { other: ' ' } }), [
      'crd/cel: cause "other" has no reason in the list',
    ]);
  });

  it('ignores the rest of the list when only some groups were run', () => {
    assert.deepEqual(deviations([], list, false), []);
  });
});

describe('an update of the list', () => {
  const causes = (next: ExpectedDifferences): Record<string, string> =>
    Object.fromEntries(
      Object.entries(next.exchanges['crd'] ?? {}).map(([id, { cause }]) => [id, cause]),
    );

  it('keeps the cause of differences at the same paths, or at fewer', () => {
    assert.deepEqual(updated(results, list, true), list);
    const changed = updated([group({ cel: [{ ...STATUS, got: 200 }] })], list, true);
    assert.deepEqual(causes(changed), { cel: 'cel' });
    assert.deepEqual(problems([group({ cel: [{ ...STATUS, got: 200 }] })], changed), []);
  });

  it('writes an invalid cause for new differences', () => {
    const now = [group({ plain: [STATUS], cel: [STATUS, KIND], a: [KIND] })];
    const next = updated(now, list, true);
    assert.deepEqual(Object.entries(causes(next)), [
      ['a', UNEXPLAINED],
      ['cel', 'cel'],
      ['plain', UNEXPLAINED],
    ]);
    assert.deepEqual(problems(now, next), [
      'crd/a: listed without a cause',
      'crd/plain: listed without a cause',
    ]);
    const extra: Difference = { path: '/response/body/code', expected: 1, got: 2 };
    const wider = updated([group({ cel: [STATUS, KIND, extra] })], list, true);
    assert.deepEqual(causes(wider), { cel: UNEXPLAINED });
  });

  it('removes differences that are gone, and unused causes', () => {
    const next = updated([group({ cel: [], plain: [] })], list, true);
    assert.deepEqual(next, { causes: {}, exchanges: {} });
  });

  it('keeps groups that were not run', () => {
    assert.deepEqual(updated([], list, false), list);
  });
});
