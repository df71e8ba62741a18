import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ManagedFieldsEntry } from 'client-ts/meta';
import { decodeManagers, encodeManagers, ManagedFieldsError } from './managers.ts';

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
  test('are ordered by operation, second, manager, version and subresource', () => {
    // Each entry has one property that puts it behind the one before, and later ones that do not.
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

  test('have one entry per applier, and per updater and version', () => {
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

  test('without a name are kept without one', () => {
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
    test(`are refused if broken: ${message}`, () => {
      assert.throws(
        () => decodeManagers([entry({}), entry(rest)]),
        (error) => error instanceof ManagedFieldsError && error.message === message,
      );
    });
  }
});
