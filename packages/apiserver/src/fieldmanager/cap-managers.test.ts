import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { capUpdateManagers } from './cap-managers.ts';
import { emptySet, pathsOf, setOf, union } from './field-set.ts';
import { type Manager, managerKey, type Managers } from './managers.ts';

function time(second: number): string {
  return `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
}

/** A manager that owns a field with its own name. */
function manager(name: string, second: number, rest: Partial<Manager> = {}): Manager {
  return {
    manager: name,
    operation: 'Update',
    apiVersion: 'v1',
    subresource: '',
    time: time(second),
    set: setOf([`f:${name}`]),
    ...rest,
  };
}

function capped(list: readonly Manager[]): Manager[] {
  const managers: Managers = new Map(list.map((each) => [managerKey(each), each]));
  capUpdateManagers(managers);
  return [...managers.values()];
}

const many = (count: number): Manager[] =>
  Array.from({ length: count }, (_, index) => manager(`m${index}`, index));

describe('more than ten managers that update', () => {
  test('have their oldest entries merged, with the time of the newest of them', () => {
    const left = capped(many(13));
    assert.deepEqual(left.map((each) => each.manager).toSorted(), [
      'ancient-changes',
      'm10',
      'm11',
      'm12',
      'm4',
      'm5',
      'm6',
      'm7',
      'm8',
      'm9',
    ]);
    assert.deepEqual(
      left.find((each) => each.manager === 'ancient-changes'),
      manager('ancient-changes', 3, { set: setOf(['f:m0'], ['f:m1'], ['f:m2'], ['f:m3']) }),
    );
  });

  test('go into the entry that is there already', () => {
    const left = capped([manager('ancient-changes', 0), ...many(10)]);
    assert.equal(left.length, 10);
    assert.deepEqual(
      left.find((each) => each.manager === 'ancient-changes'),
      manager('ancient-changes', 0, { set: setOf(['f:ancient-changes'], ['f:m0']) }),
    );
  });

  test('are merged per version, whatever their subresource', () => {
    const list = many(11).map((each, index) => ({
      ...each,
      apiVersion: index % 2 === 0 ? 'v1' : 'v2',
      subresource: index === 0 ? 'status' : '',
    }));
    assert.deepEqual(
      capped(list).map((each) => `${each.manager} ${each.apiVersion}`),
      [
        'm1 v2',
        ...[3, 4, 5, 6, 7, 8, 9, 10].map((index) => `m${index} v${index % 2 === 0 ? 1 : 2}`),
        'ancient-changes v1',
      ],
    );
  });

  test('leave appliers alone', () => {
    const list = many(12).map((each) => ({ ...each, operation: 'Apply' as const }));
    assert.equal(capped(list).length, 12);
  });

  test('are ten at most per version, and own together what they did before', () => {
    const names = fc.constantFrom('a', 'ancient-changes', ...many(14).map((each) => each.manager));
    const managers = fc.uniqueArray(
      fc
        .tuple(names, fc.integer({ min: 0, max: 3 }))
        .map(([name, second]) => manager(name, second)),
      { selector: managerKey, minLength: 8, maxLength: 16 },
    );
    fc.assert(
      fc.property(managers, (list) => {
        const left = capped(list);
        assert.equal(left.length, Math.min(list.length, 10));
        const owned = (all: readonly Manager[]): string[] =>
          Array.from(pathsOf(all.map(({ set }) => set).reduce(union, emptySet)), String);
        assert.deepEqual(owned(left), owned(list));
      }),
      { numRuns: 300 },
    );
  });
});
