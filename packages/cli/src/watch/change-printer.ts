import type { KubernetesObject } from 'client-ts/meta';

import type { CommandContext } from '../frame/context.ts';
import { printableJson, writeExactly } from '../frame/printable.ts';
import { type Style, stylesFor } from '../frame/styles.ts';
import type { TablesOptions } from '../get/tables.ts';
import { Columns } from '../print/align.ts';
import { formatObject, type ObjectFormat, withoutManagedFields } from '../print/object-printer.ts';
import type { OutputFormat } from '../print/output-format.ts';
import { cellsOf, type ColumnDefinition, headingsOf, type TableOptions } from '../print/table.ts';
import type { Change, ChangeType } from './follow.ts';

/** Options of a change printer. */
export interface ChangePrinterOptions extends TablesOptions {
  readonly format: OutputFormat;
  readonly showEvents: boolean;
  readonly showManagedFields: boolean;
}

/** The resource of a change. */
export interface ChangeOrigin {
  readonly columns: readonly ColumnDefinition[];
  readonly prefix: string | undefined;
  readonly withNamespace: boolean;
}

/** Prints changes that are known at the same time. */
export type ChangePrinter = (changes: readonly Change[], origin: ChangeOrigin) => void;

/** Prints changes in columns that only grow, and repeats the headings when they change. */
export function changePrinter(
  options: ChangePrinterOptions,
  context: CommandContext,
): ChangePrinter {
  const { format } = options;
  if (format.type === 'table') return tablePrinter({ ...options, ...format }, context);
  return (changes) => {
    for (const { type, object } of changes) {
      const shown = options.showManagedFields ? object : withoutManagedFields(object);
      writeExactly(context.stdout, formatChange(type, shown, { ...options, format }));
    }
  };
}

function tablePrinter(
  options: ChangePrinterOptions & { readonly wide: boolean },
  context: CommandContext,
): ChangePrinter {
  const styles = stylesFor(context.stdout);
  const colors: Readonly<Record<ChangeType, Style>> = {
    ADDED: styles.green,
    MODIFIED: styles.yellow,
    DELETED: styles.red,
  };
  const columnsOf = new Map<string, Columns>();
  let shown = '';
  return (changes, { columns: definitions, prefix, withNamespace }) => {
    const table: TableOptions = {
      ...options,
      withNamespace,
      ...(prefix !== undefined && { prefix }),
    };
    // Padded to the longest word, so that the first column does not grow.
    const event = (word: string): string[] => (options.showEvents ? [word.padEnd(8)] : []);
    const headings = [...event('EVENT'), ...headingsOf(definitions, table)];
    const rows = changes.flatMap(({ type, row }) =>
      row === undefined
        ? []
        : [{ type, cells: [...event(type), ...cellsOf(row, definitions, table)] }],
    );
    if (rows.length === 0) return;
    const heading = headings.join('\t');
    const columns = columnsOf.get(heading) ?? new Columns();
    columnsOf.set(heading, columns);
    const isNew = heading !== shown;
    shown = heading;
    const cells = rows.map((row) => row.cells);
    const lines = columns.align(isNew ? [headings, ...cells] : cells);
    if (isNew) {
      const first = lines.shift() ?? '';
      if (options.headers) context.out(styles.bold(first));
    }
    for (const [index, { type }] of rows.entries()) {
      const line = lines[index] ?? '';
      context.out(options.showEvents ? colored(line, type, colors) : line);
    }
  };
}

function colored(
  line: string,
  type: ChangeType,
  colors: Readonly<Record<ChangeType, Style>>,
): string {
  return colors[type](line.slice(0, type.length)) + line.slice(type.length);
}

function formatChange(
  type: ChangeType,
  object: KubernetesObject,
  { format, showEvents, headers }: ChangePrinterOptions & { readonly format: ObjectFormat },
): string {
  switch (format.type) {
    case 'json':
      // One line each, for other programs.
      return `${printableJson(JSON.stringify(showEvents ? { type, object } : object))}\n`;
    case 'yaml':
      return `---\n${formatObject(showEvents ? ({ type, object } as KubernetesObject) : object, format, { headers })}`;
    case 'name':
      return `${showEvents ? `${type.padEnd(8)} ` : ''}${formatObject(object, format, { headers })}`;
    case 'jsonpath':
    case 'custom-columns':
      return endLine(formatObject(object, format, { headers: false }));
  }
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
