import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { KubernetesObject, ManagedFieldsEntry } from 'client-ts/meta';
import fc from 'fast-check';

import { emptySet, pathsOf, setOf, union } from './field-set.ts';
import {
  capUpdateManagers,
  decodeManagers,
  encodeManagers,
  ManagedFieldsError,
  type Manager,
  managerKey,
  managerName,
  type Managers,
  equalExceptTimes,
} from './managers.ts';

function entry(rest: Partial<ManagedFieldsEntry>): ManagedFieldsEntry {
  return {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:a': {} },
    ...rest,
  };
}

const early = '2026-01-01T00:00:01Z';
const late = '2026-01-01T00:00:02Z';

describe('managed fields', () => {
  test('are sorted by operation, second, manager, version and subresource', () => {
    // Each entry sorts after the previous one by one property, despite later properties.
    const ordered = [
      entry({ operation: 'Apply', time: late, manager: 'z', apiVersion: 'v9' }),
      entry({ manager: 'y', apiVersion: 'v8' }),
      entry({ time: '2026-01-01T00:00:01.9Z', manager: 'a', apiVersion: 'v7' }),
      entry({ time: '2026-01-01T00:00:01.5Z', manager: 'b', apiVersion: 'v1', subresource: 'z' }),
      entry({ time: early, manager: 'b', apiVersion: 'v2' }),
      entry({ time: early, manager: 'b', apiVersion: 'v2', subresource: 'scale' }),
      entry({ time: early, manager: 'b', apiVersion: 'v2', subresource: 'status' }),
      entry({ time: late, manager: 'a' }),
    ];
    for (let shift = 0; shift < ordered.length; shift++) {
      const shuffled = [...ordered.slice(shift).toReversed(), ...ordered.slice(0, shift)];
      assert.deepEqual(encodeManagers(decodeManagers(shuffled)), ordered);
    }
  });

  test('are absent without managers', () => {
    assert.equal(encodeManagers(decodeManagers([])), undefined);
    assert.equal(encodeManagers(decodeManagers(undefined)), undefined);
  });

  test('have one entry per applier, and one per updater and version', () => {
    const entries = [
      entry({ operation: 'Apply' }),
      entry({ operation: 'Apply', apiVersion: 'v2' }),
      entry({}),
      entry({ apiVersion: 'v2' }),
      entry({ subresource: 'status' }),
    ];
    const encoded = encodeManagers(decodeManagers(entries)) ?? [];
    assert.deepEqual(encoded, [entries[1], entries[2], entries[4], entries[3]]);
  });

  test('keep an empty name', () => {
    const { manager: _, ...unnamed } = entry({});
    assert.deepEqual(encodeManagers(decodeManagers([unnamed])), [unnamed]);
  });

  const broken: readonly [Partial<ManagedFieldsEntry>, string][] = [
    [{ operation: 'Delete' }, 'operation must be `Apply` or `Update`'],
    [{ apiVersion: '' }, 'apiVersion must not be empty'],
    [{ fieldsType: '' }, 'missing fieldsType in managed fields entry 1'],
    [{ fieldsType: 'FieldsV2' }, 'invalid fieldsType "FieldsV2" in managed fields entry 1'],
    [{ fieldsV1: { 'f:a': { b: {} } } }, 'error decoding set: key must be 2 characters long:'],
  ];
  for (const [rest, message] of broken) {
    test(`are rejected if invalid: ${message}`, () => {
      assert.throws(
        () => decodeManagers([entry({}), entry(rest)]),
        (error) => error instanceof ManagedFieldsError && error.message === message,
      );
    });
  }
});

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

  test('are merged into an existing entry', () => {
    const left = capped([manager('ancient-changes', 0), ...many(10)]);
    assert.equal(left.length, 10);
    assert.deepEqual(
      left.find((each) => each.manager === 'ancient-changes'),
      manager('ancient-changes', 0, { set: setOf(['f:ancient-changes'], ['f:m0']) }),
    );
  });

  test('are merged per version, independent of the subresource', () => {
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

  test('do not affect appliers', () => {
    const list = many(12).map((each) => ({ ...each, operation: 'Apply' as const }));
    assert.equal(capped(list).length, 12);
  });

  test('are limited to ten per version and own the same fields together', () => {
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

describe('the name of a manager', () => {
  test('is the parameter, or the program of the user agent', () => {
    assert.equal(managerName('me', 'kubectl/v1.36'), 'me');
    assert.equal(managerName('', 'kubectl/v1.36 (linux)'), 'kubectl');
    assert.equal(managerName(undefined, 'no slash'), 'no slash');
  });

  test('is "unknown" without both', () => {
    assert.equal(managerName(undefined, undefined), 'unknown');
    assert.equal(managerName('', '/v1'), 'unknown');
    assert.equal(managerName(undefined, '\u0000\t/1'), 'unknown');
  });

  test('is cut to 128 bytes without splitting a character', () => {
    assert.equal(managerName(undefined, 'x'.repeat(200)), 'x'.repeat(128));
    assert.equal(managerName(undefined, `${'x'.repeat(127)}é`), 'x'.repeat(127));
    assert.equal(managerName(undefined, 'a\u0001b'), 'ab');
  });
});

function object(time: string, manager: string, labels: Record<string, string>): KubernetesObject {
  return {
    metadata: { labels, managedFields: [{ manager, operation: 'Apply', time, fieldsV1: {} }] },
  };
}

test('a change of times only is no change', () => {
  const old = object('1', 'm', { a: '1' });
  assert.ok(equalExceptTimes(old, object('2', 'm', { a: '1' })));
  assert.ok(!equalExceptTimes(old, object('1', 'm', { a: '2' })));
  assert.ok(!equalExceptTimes(old, object('1', 'n', { a: '1' })));
  assert.ok(!equalExceptTimes(old, { metadata: { labels: { a: '1' } } }));
  assert.ok(equalExceptTimes({ metadata: {} }, { metadata: {} }));
});
