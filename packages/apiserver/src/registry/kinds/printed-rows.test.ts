import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import type { JsonObject } from 'client-ts/internal';
import { emptyObject } from '../../schema/zero.ts';
import { loadModel } from '../../schema/model.ts';
import { printerFor } from './kinds.ts';
import type { Cell, RowCondition } from '../printers/printer.ts';

/** Tables of a real server. */
interface PrintedTable {
  readonly group: string;
  readonly resource: string;
  /** Name, type, format and priority of each column. */
  readonly columns: readonly (readonly [string, string, string, number])[];
  readonly now: string;
  /** The row of an empty object. */
  readonly bookmark?: readonly Cell[];
  readonly rows: readonly {
    readonly cells: readonly Cell[];
    readonly conditions?: readonly RowCondition[];
    readonly object: JsonObject & { readonly metadata: { readonly name: string } };
  }[];
}

const file = new URL('../../../testdata/printed-rows.json', import.meta.url);
const { tables } = JSON.parse(readFileSync(file, 'utf8')) as { tables: readonly PrintedTable[] };
const model = loadModel();

for (const { group, resource, columns, now, bookmark, rows } of tables) {
  describe(`the table of ${resource}`, () => {
    const printer = printerFor(group, resource);

    it('has the columns of a real server', () => {
      assert.deepEqual(
        printer.columns.map(({ name, type, format, priority }) => [name, type, format, priority]),
        columns,
      );
    });

    for (const { cells, conditions, object } of rows) {
      it(`shows ${object.metadata.name} as a real server does`, () => {
        assert.deepEqual(printer.cells(object as never, Date.parse(now)), cells);
        assert.deepEqual(printer.conditions?.(object as never), conditions);
      });
    }

    if (bookmark === undefined) return;
    it('shows a bookmark as a real server does', () => {
      const info = model.groupVersions
        .filter((each) => each.group === group)
        .flatMap((each) => model.resources(each.group, each.version))
        .find((each) => each.resource === resource);
      assert.ok(info !== undefined);
      assert.deepEqual(printer.cells({ ...emptyObject(info), metadata: {} } as never, 0), bookmark);
    });
  });
}

describe('tables', () => {
  const served = model.groupVersions.flatMap(({ group, version }) =>
    model
      .resources(group, version)
      .filter(({ verbs }) => verbs.includes('list'))
      .map(({ resource }) => `${group}/${resource}`),
  );

  it('are recorded for every kind that can be listed, except kinds that share one', () => {
    const printed = new Set(tables.map(({ group, resource }) => `${group}/${resource}`));
    printed.add('events.k8s.io/events');
    assert.deepEqual([...printed].toSorted(), [...new Set(served)].toSorted());
  });

  it('sort FlowSchemas by precedence, and no other kind', () => {
    for (const { group, resource, rows } of tables) {
      const { compare } = printerFor(group, resource);
      assert.equal(compare !== undefined, resource === 'flowschemas', resource);
      if (compare === undefined) continue;
      const objects = rows.map(({ object }) => object);
      const names = (items: typeof objects): string[] => items.map(({ metadata }) => metadata.name);
      const shuffled = objects.toSorted((left, right) =>
        left.metadata.name < right.metadata.name ? 1 : -1,
      );
      assert.notDeepEqual(names(shuffled), names(objects));
      const inOrder = shuffled.toSorted((left, right) => compare(left as never, right as never));
      assert.deepEqual(names(inOrder), names(objects));
    }
  });

  it('describe every column', () => {
    for (const { group, resource } of tables) {
      for (const { name, description } of printerFor(group, resource).columns) {
        assert.match(description, /^[A-Z].{7,}[^.]$/, `${resource}: ${name}`);
      }
    }
  });
});
