import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DeleteOptions, formatTime, type ObjectMeta, parseTime } from 'client-ts/meta';

import { type DeletionRules, isReadyToRemove, planDeletion } from './deletion.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number): string => formatTime(NOW + seconds * 1000);

const plain: DeletionRules = { propagation: 'Background' };
const graceful: DeletionRules = {
  propagation: 'Background',
  gracePeriodSeconds: (_object, wanted) => wanted ?? 30,
};

function plan(
  metadata: ObjectMeta,
  options: DeleteOptions = {},
  rules: DeletionRules = plain,
): { kind: string; metadata?: ObjectMeta } {
  const step = planDeletion({ metadata: structuredClone(metadata) }, options, rules, NOW);
  const update = step.kind === 'pending' ? undefined : step.update;
  return { kind: step.kind, ...(update && { metadata: update.metadata }) };
}

describe('planDeletion of a kind without a grace period', () => {
  it('removes an object without finalizers, without another version', () => {
    assert.deepEqual(plan({ name: 'a', generation: 3 }), { kind: 'remove' });
  });

  it('ignores a requested grace period', () => {
    assert.deepEqual(plan({}, { gracePeriodSeconds: 60 }), { kind: 'remove' });
  });

  it('marks an object with finalizers, and increments its generation once', () => {
    const first = plan({ finalizers: ['a/b'], generation: 3 });
    assert.deepEqual(first, {
      kind: 'mark',
      metadata: {
        finalizers: ['a/b'],
        generation: 4,
        deletionTimestamp: at(0),
        deletionGracePeriodSeconds: 0,
      },
    });
    assert.deepEqual(plan(first.metadata ?? {}), first);
  });

  it('does not set a generation for kinds without one', () => {
    assert.equal(plan({ finalizers: ['a/b'] }).metadata?.generation, undefined);
    assert.equal(plan({ finalizers: ['a/b'], generation: 0 }).metadata?.generation, 0);
  });

  it('keeps the time of an earlier mark, unless it is in the future', () => {
    const marked = { finalizers: ['a/b'], deletionTimestamp: at(-60) };
    assert.equal(plan(marked).metadata?.deletionTimestamp, at(-60));
    const ahead = { finalizers: ['a/b'], deletionTimestamp: at(60) };
    assert.equal(plan(ahead).metadata?.deletionTimestamp, at(0));
  });
});

describe('planDeletion and propagation', () => {
  /**
   * Finalizers before, options, finalizers after; without any left the object is removed
   * immediately.
   */
  const cases: readonly [readonly string[], DeleteOptions, readonly string[]][] = [
    [[], { propagationPolicy: 'Background' }, []],
    [[], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
    [[], { propagationPolicy: 'Orphan' }, ['orphan']],
    [[], { orphanDependents: true }, ['orphan']],
    [[], { orphanDependents: false }, []],
    [['a/b'], { propagationPolicy: 'Foreground' }, ['a/b', 'foregroundDeletion']],
    [['a/b'], { propagationPolicy: 'Background' }, ['a/b']],
    // The policy of an earlier delete applies until another one replaces it.
    [['orphan'], {}, ['orphan']],
    [['foregroundDeletion'], {}, ['foregroundDeletion']],
    [['foregroundDeletion'], { propagationPolicy: 'Background' }, []],
    [['orphan'], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
    [['foregroundDeletion', 'a/b'], { propagationPolicy: 'Orphan' }, ['a/b', 'orphan']],
    [['orphan', 'a/b'], { propagationPolicy: 'Orphan' }, ['orphan', 'a/b']],
    [['orphan', 'a/b'], { orphanDependents: false }, ['a/b']],
    [['orphan', 'foregroundDeletion'], { propagationPolicy: 'Orphan' }, ['orphan']],
  ];
  for (const [before, options, after] of cases) {
    it(`[${before.join()}] ${JSON.stringify(options)} → [${after.join()}]`, () => {
      const { kind, metadata } = plan({ finalizers: [...before] }, options);
      assert.equal(kind, after.length === 0 ? 'remove' : 'mark');
      assert.deepEqual(metadata?.finalizers ?? [], after);
    });
  }

  it('orphans by default for kinds that do', () => {
    const orphaning: DeletionRules = { propagation: 'Orphan' };
    assert.deepEqual(plan({}, {}, orphaning).metadata?.finalizers, ['orphan']);
    const explicit = { propagationPolicy: 'Background' };
    assert.deepEqual(plan({}, explicit, orphaning), { kind: 'remove' });
    const foreground = { finalizers: ['foregroundDeletion'] };
    assert.deepEqual(plan(foreground, {}, orphaning).metadata?.finalizers, ['foregroundDeletion']);
  });

  it('adds no propagation finalizers for kinds without dependents', () => {
    const alone: DeletionRules = { propagation: 'None' };
    assert.deepEqual(plan({}, { propagationPolicy: 'Foreground' }, alone), { kind: 'remove' });
    assert.deepEqual(plan({ finalizers: ['orphan'] }, {}, alone), { kind: 'remove' });
  });
});

describe('planDeletion of a kind with a grace period', () => {
  const running = (grace: number, end: number): ObjectMeta => ({
    deletionTimestamp: at(end),
    deletionGracePeriodSeconds: grace,
    generation: 2,
  });

  it('starts with the period of the kind or of the request', () => {
    assert.deepEqual(plan({ generation: 1 }, {}, graceful), {
      kind: 'mark',
      metadata: running(30, 30),
    });
    const short = plan({ generation: 1 }, { gracePeriodSeconds: 5 }, graceful);
    assert.deepEqual(short, { kind: 'mark', metadata: running(5, 5) });
  });

  it('stores a last version with grace period 0 before it removes', () => {
    const { kind, metadata } = plan({ generation: 1 }, { gracePeriodSeconds: 0 }, graceful);
    assert.equal(kind, 'remove');
    assert.deepEqual(metadata, running(0, 0));
  });

  it('treats a negative period as one second', () => {
    const { metadata } = plan({ generation: 1 }, { gracePeriodSeconds: -7 }, graceful);
    assert.deepEqual(metadata, running(1, 1));
    const shortened = plan(running(30, 20), { gracePeriodSeconds: -7 }, graceful);
    assert.deepEqual(shortened.metadata, running(1, 0));
  });

  it('keeps a running period, unless a shorter one is requested', () => {
    const before = running(30, 20);
    assert.deepEqual(plan(before, {}, graceful), { kind: 'pending' });
    assert.deepEqual(plan(before, { gracePeriodSeconds: 30 }, graceful), { kind: 'pending' });
    assert.deepEqual(plan(before, { gracePeriodSeconds: 31 }, graceful), { kind: 'pending' });
    assert.deepEqual(plan(before, { gracePeriodSeconds: 25 }, graceful), {
      kind: 'mark',
      metadata: running(25, 15),
    });
  });

  it('never moves the end into the past', () => {
    const late = running(30, 20);
    assert.deepEqual(plan(late, { gracePeriodSeconds: 5 }, graceful), {
      kind: 'mark',
      metadata: running(1, 0),
    });
    const { kind, metadata } = plan(late, { gracePeriodSeconds: 0 }, graceful);
    assert.equal(kind, 'remove');
    assert.deepEqual(metadata, running(0, 0));
  });

  it('keeps finalizers unchanged while a period runs', () => {
    const waiting = { ...running(30, 20), finalizers: ['foregroundDeletion'] };
    assert.deepEqual(plan(waiting, { propagationPolicy: 'Orphan' }, graceful), {
      kind: 'pending',
    });
  });

  it('depends on finalizers alone when the period has elapsed', () => {
    const held = { ...running(0, -5), finalizers: ['a/b', 'foregroundDeletion'] };
    const { kind, metadata } = plan(held, { propagationPolicy: 'Background' }, graceful);
    assert.equal(kind, 'mark');
    assert.deepEqual(metadata, { ...running(0, -5), finalizers: ['a/b'] });
    assert.deepEqual(plan(running(0, -5), {}, graceful), { kind: 'remove' });
    assert.deepEqual(plan({ deletionTimestamp: at(-5) }, {}, graceful), { kind: 'remove' });
  });

  it('keeps an object with finalizers even with grace period 0', () => {
    const { kind, metadata } = plan({ finalizers: ['a/b'] }, { gracePeriodSeconds: 0 }, graceful);
    assert.equal(kind, 'mark');
    assert.equal(metadata?.deletionGracePeriodSeconds, 0);
  });
});

describe('planDeletion in every combination', () => {
  const states: readonly ObjectMeta[] = [
    {},
    { deletionTimestamp: at(10), deletionGracePeriodSeconds: 30 },
    { deletionTimestamp: at(-10), deletionGracePeriodSeconds: 30 },
    { deletionTimestamp: at(-10), deletionGracePeriodSeconds: 0 },
    { deletionTimestamp: at(-10) },
  ];
  const finalizerSets = [
    [],
    ['a/b'],
    ['orphan'],
    ['foregroundDeletion'],
    ['a/b', 'orphan'],
    ['foregroundDeletion', 'c/d', 'a/b'],
  ];
  const policies: readonly DeleteOptions[] = [
    {},
    ...['Background', 'Foreground', 'Orphan'].map((propagationPolicy) => ({ propagationPolicy })),
    { orphanDependents: true },
    { orphanDependents: false },
  ];
  const periods = [undefined, -1, 0, 5, 60];
  const kinds: readonly DeletionRules[] = [
    plain,
    graceful,
    { propagation: 'Orphan' },
    { propagation: 'None' },
    { ...graceful, propagation: 'Orphan' },
  ];

  it('never drops a foreign finalizer, and never removes an object that has one', () => {
    let count = 0;
    for (const state of states) {
      for (const finalizers of finalizerSets) {
        for (const policy of policies) {
          for (const gracePeriodSeconds of periods) {
            for (const rules of kinds) {
              const before: ObjectMeta = { ...state, finalizers: [...finalizers], generation: 1 };
              const options: DeleteOptions = {
                ...policy,
                ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
              };
              check(before, options, rules);
              count += 1;
            }
          }
        }
      }
    }
    assert.equal(count, 5 * 6 * 6 * 5 * 5);
  });

  function check(before: ObjectMeta, options: DeleteOptions, rules: DeletionRules): void {
    const context = JSON.stringify({ before, options, rules });
    const { kind, metadata: after } = plan(before, options, rules);
    const foreign = (before.finalizers ?? []).filter((name) => name.includes('/'));
    const isMarked = before.deletionTimestamp !== undefined;
    if (kind === 'pending') {
      assert.ok(isMarked && rules.gracePeriodSeconds !== undefined, context);
      return;
    }
    if (after === undefined) {
      assert.equal(kind, 'remove', context);
      assert.deepEqual(foreign, [], context);
      return;
    }
    const { finalizers = [], deletionTimestamp = '', deletionGracePeriodSeconds: grace } = after;
    assert.deepEqual(
      finalizers.filter((name) => name.includes('/')),
      foreign,
      context,
    );
    const own = finalizers.filter((name) => !name.includes('/'));
    assert.ok(own.length <= 1, context);
    if (rules.propagation === 'None') assert.deepEqual(own, [], context);
    assert.equal(kind, isReadyToRemove({ metadata: after }) ? 'remove' : 'mark', context);
    assert.equal(after.generation, isMarked ? 1 : 2, context);
    assert.ok(grace !== undefined && grace >= 0, context);
    if (isMarked) {
      const limit = Math.max(parseTime(before.deletionTimestamp ?? ''), NOW);
      assert.ok(parseTime(deletionTimestamp) <= limit, context);
    } else {
      assert.equal(deletionTimestamp, at(grace ?? 0), context);
    }
  }
});

describe('isReadyToRemove', () => {
  it('is true after the deletion, without finalizers and grace period', () => {
    const ready = (metadata: ObjectMeta): boolean => isReadyToRemove({ metadata });
    assert.equal(ready({}), false);
    assert.equal(ready({ deletionTimestamp: at(0) }), true);
    assert.equal(ready({ deletionTimestamp: at(0), deletionGracePeriodSeconds: 0 }), true);
    assert.equal(ready({ deletionTimestamp: at(0), deletionGracePeriodSeconds: 5 }), false);
    assert.equal(ready({ deletionTimestamp: at(0), finalizers: ['a/b'] }), false);
    assert.equal(ready({ deletionTimestamp: at(0), finalizers: [] }), true);
  });
});
