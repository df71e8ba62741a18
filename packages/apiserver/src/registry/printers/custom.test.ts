import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { CustomResourceColumnDefinition } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/internal';
import { customPrinter, customScaleColumns } from './custom.ts';
import type { Cell } from './printer.ts';

/** Columns of a real server, all for one object. */
interface PrintedColumns {
  readonly now: string;
  readonly object: JsonObject;
  readonly columns: readonly {
    readonly jsonPath: string;
    readonly type: string;
    readonly cell?: Cell;
    readonly dropped?: true;
  }[];
}

const file = new URL('../../../testdata/printer-columns.json', import.meta.url);
const { now, object, columns } = JSON.parse(readFileSync(file, 'utf8')) as PrintedColumns;

function column(
  jsonPath: string,
  rest: Partial<CustomResourceColumnDefinition> = {},
): CustomResourceColumnDefinition {
  return { name: 'Column', type: 'string', jsonPath, ...rest };
}

describe('a column of a custom resource', () => {
  for (const { jsonPath, type, cell, dropped } of columns) {
    const outcome = dropped === true ? 'is left out' : `shows ${JSON.stringify(cell)}`;
    it(`of type ${type} at ${jsonPath} ${outcome}, as a real server does`, () => {
      const printer = customPrinter([column(jsonPath, { type })]);
      const cells = printer.cells(object, Date.parse(now));
      assert.deepEqual(cells, dropped === true ? ['one'] : ['one', cell]);
    });
  }
});

describe('the table of a custom resource', () => {
  it('has name and age by default', () => {
    for (const printer of [customPrinter(), customPrinter([])]) {
      const shown = printer.columns.map(({ name, type, format }) => [name, type, format]);
      assert.deepEqual(shown, [
        ['Name', 'string', 'name'],
        ['Age', 'date', ''],
      ]);
      const metadata = { name: 'a', creationTimestamp: '2026-03-01T00:00:00Z' };
      assert.deepEqual(printer.cells({ metadata }, Date.parse('2026-03-01T00:05:00Z')), [
        'a',
        '5m',
      ]);
    }
  });

  it('has the names, formats and priorities of the definition', () => {
    const wanted = {
      name: 'Size',
      type: 'integer',
      format: 'int32',
      description: 'How large',
      priority: 2,
    };
    const [, size, bare] = customPrinter([column('.spec.size', wanted), column('.x')]).columns;
    assert.deepEqual(size, wanted);
    assert.deepEqual(bare, {
      name: 'Column',
      type: 'string',
      format: '',
      description: 'What stands at .x',
      priority: 0,
    });
  });

  it('ends before a column with an invalid path', () => {
    const printer = customPrinter([column('.a'), column('.b['), column('.c')]);
    assert.equal(printer.columns.length, 2);
    assert.deepEqual(printer.cells({ a: '1', c: '3' } as never, 0), ['', '1']);
  });

  it('shows empty cells for a bookmark', () => {
    const printer = customPrinter([column('.spec.a'), column('.status.b', { type: 'integer' })]);
    assert.deepEqual(printer.cells({ metadata: {} }, 0), ['', null, null]);
  });

  it('shows a Scale without its omitted replicas', () => {
    const scale = { metadata: { name: 'a' }, spec: {}, status: { replicas: 0 } };
    assert.deepEqual(customPrinter(customScaleColumns).cells(scale, 0), ['a', null, 0, null]);
  });
});
