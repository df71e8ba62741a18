import type { CommandContext } from '../frame/context.ts';
import { stylesFor } from '../frame/styles.ts';
import type { JSONPath } from 'client-ts/jsonpath';
import { Columns } from '../print/align.ts';
import { tableOfObjects } from '../print/object-table.ts';
import {
  cellsOf,
  type ColumnDefinition,
  headingsOf,
  type TableOptions,
  type TableRow,
} from '../print/table.ts';
import type { Answer, Shape } from '../resources/fetch.ts';
import type { Selection } from '../resources/resolve.ts';
import { sortByPath } from './sort.ts';

/** Options of tables. */
export interface TablesOptions {
  readonly headers: boolean;
  readonly showLabels: boolean;
  readonly labelColumns: readonly string[];
  /** Prefix names with their type, also if there is only one. */
  readonly showKind?: boolean;
}

interface PrintOptions extends TablesOptions {
  readonly wide: boolean;
  readonly allNamespaces: boolean;
  readonly ignoreNotFound: boolean;
  readonly sortBy: JSONPath | undefined;
}

/** The source of tables. */
export interface TableSource {
  readonly namespace: string;
  readonly hasFailed: boolean;
  read(selection: Selection, shape: Shape): AsyncIterable<Answer>;
}

/** The rows of one resource. */
interface Gathered {
  readonly columns: readonly ColumnDefinition[];
  readonly rows: readonly TableRow[];
}

/** Prints a table per non-empty selection, separated by empty lines. */
export async function printTables(
  selections: readonly Selection[],
  source: TableSource,
  options: PrintOptions,
  context: CommandContext,
): Promise<void> {
  const types = new Set(selections.map(({ resource }) => prefixOf(resource)));
  const isMixed = options.showKind === true || types.size > 1;
  let isFirst = true;
  for (const selection of selections) {
    const { columns, rows } = await gather(selection, source, options, context);
    if (rows.length === 0) continue;
    if (!isFirst && options.headers) context.out('');
    isFirst = false;
    const tableOptions: TableOptions = {
      ...options,
      withNamespace: options.allNamespaces && selection.resource.scope === 'Namespaced',
      ...(isMixed && { prefix: prefixOf(selection.resource) }),
    };
    const headings = options.headers ? [headingsOf(columns, tableOptions)] : [];
    const cells = rows.map((row) => cellsOf(row, columns, tableOptions));
    await printLines(new Columns().align([...headings, ...cells]), options.headers, context);
  }
  if (isFirst && !options.ignoreNotFound && !source.hasFailed) {
    const isEverywhere = options.allNamespaces || selections.some(isClusterWide);
    const place = isEverywhere ? '' : ` in ${source.namespace} namespace.`;
    context.err(`No resources found${place}`);
  }
}

async function gather(
  selection: Selection,
  source: TableSource,
  { sortBy }: PrintOptions,
  { clock }: CommandContext,
): Promise<Gathered> {
  const shape: Shape = { as: 'table', withObjects: sortBy !== undefined };
  let columns: readonly ColumnDefinition[] = [];
  const rows: TableRow[] = [];
  for await (const answer of source.read(selection, shape)) {
    const table = 'table' in answer ? answer.table : tableOfObjects(answer.objects, clock.now());
    // Only the first page needs column definitions.
    if (columns.length === 0) columns = table.columnDefinitions ?? [];
    for (const row of table.rows ?? []) rows.push(row);
  }
  if (sortBy === undefined) return { columns, rows };
  return { columns, rows: sortByPath<TableRow>(rows, sortBy, ({ object }) => object ?? {}) };
}

/** Waits for a slow reader; ends when the reader is gone. */
async function printLines(
  lines: readonly string[],
  hasHeadings: boolean,
  context: CommandContext,
): Promise<void> {
  const { bold } = stylesFor(context.stdout);
  for (const [index, line] of lines.entries()) {
    context.out(hasHeadings && index === 0 ? bold(line) : line);
    await context.stdout.drained();
    context.signal.throwIfAborted();
  }
}

function isClusterWide({ resource }: Selection): boolean {
  return resource.scope === 'Cluster';
}

/** `pod`, `deployment.apps`: the prefix of names in mixed output. */
export function prefixOf({
  group,
  kind,
}: {
  readonly group: string;
  readonly kind: string;
}): string {
  return (group === '' ? kind : `${kind}.${group}`).toLowerCase();
}
