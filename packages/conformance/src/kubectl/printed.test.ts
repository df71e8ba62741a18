import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import { textAt } from '../json/pointer.ts';
import { printed } from './printed.ts';
import { loadRecordedCommands, type RecordedCommand } from './recorded-commands.ts';

const { commands } = await loadRecordedCommands();

function command(id: string): RecordedCommand {
  const found = commands.find((each) => each.id === id);
  assert.ok(found !== undefined, id);
  return found;
}

function table(...names: string[]): JsonObject {
  const columns = ['Name', 'Ready', 'Status', 'Restarts', 'Age'];
  return {
    kind: 'Table',
    columnDefinitions: [
      ...columns.map((name) => ({ name, priority: 0 })),
      { name: 'IP', priority: 1 },
    ],
    rows: names.map((name) => ({
      cells: [name, '0/1', 'Pending', 0, '1s', '<none>'],
      object: { metadata: { name, namespace: 'rec-kubectl', labels: { app: 'p' } } },
    })),
  };
}

describe('what kubectl printed', () => {
  const same = (id: string, ...bodies: JsonValue[]): void => {
    const output = printed(command(id), bodies);
    assert.deepEqual(output?.own, output?.recorded, id);
    assert.ok(output !== undefined, id);
  };

  it('is a Table, over all its pages, with namespaces and labels', () => {
    same('get-pods', table('p1', 'p2'));
    same('get-pods-chunk', table('p1'), table('p2'));
    same('get-pods-all', table('p1', 'p2'));
    const labelled = printed(command('get-labels-show'), [table('p1', 'p2')]);
    assert.equal(textAt(labelled?.own, '/0'), 'NAME READY STATUS RESTARTS AGE APP LABELS');
  });

  it('differs with a cell, a row and a column', () => {
    const other = (body: JsonValue): void => {
      const output = printed(command('get-pods'), [body]);
      assert.notDeepEqual(output?.own, output?.recorded);
    };
    other(table('p1'));
    other(table('p1', 'p3'));
    other({ ...table('p1', 'p2'), columnDefinitions: [{ name: 'Name', priority: 0 }] });
  });

  it('is a document without managed fields', () => {
    const output = printed(command('get-pod-json'), [
      { kind: 'ConfigMap', metadata: { uid: 'u', managedFields: [] } },
    ]);
    assert.deepEqual(output?.own, [{ kind: 'ConfigMap', metadata: { uid: 'u' } }]);
    assert.equal(textAt(output?.recorded, '/0/kind'), 'ConfigMap');
  });

  it('is not compared after an error', () => {
    assert.equal(printed(command('get-missing'), [table('p1')]), undefined);
  });
});
