import { compareStrings, formatGo, getKey } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

/** A column, as the server describes it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  /** Above 0: only shown to those who want everything. */
  readonly priority?: number;
}

/** An object as the server shows it. */
export interface TableRow {
  readonly cells: readonly unknown[];
  /** Its metadata, or all of it if that was asked for. */
  readonly object?: KubernetesObject | null;
}

/** What a server gives to those who ask for something to print (`meta.k8s.io/v1 Table`). */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion?: string;
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions?: readonly ColumnDefinition[] | null;
  readonly rows?: readonly TableRow[] | null;
}

/** Which columns are shown. */
export interface TableOptions {
  /** Also those that not everybody needs. */
  readonly wide?: boolean;
  readonly withNamespace?: boolean;
  /** Put before the names: `deployment.apps`. */
  readonly prefix?: string;
  /** Labels with a column of their own. */
  readonly labelColumns?: readonly string[];
  readonly showLabels?: boolean;
}

/** What to ask a server for to get a {@link Table} if it can make one. */
export const TABLE_ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** True if the server made a table; one that cannot sends objects. */
export function isTable(answer: object): answer is Table {
  return 'kind' in answer && answer.kind === 'Table';
}

/** The headings of the columns that are shown. */
export function headingsOf(
  columns: readonly ColumnDefinition[],
  options: TableOptions = {},
): string[] {
  const { withNamespace = false, labelColumns = [], showLabels = false } = options;
  return [
    ...(withNamespace ? ['NAMESPACE'] : []),
    ...columns.filter((column) => isShown(column, options)).map(({ name }) => name.toUpperCase()),
    ...labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
    ...(showLabels ? ['LABELS'] : []),
  ];
}

/** The cells of one row that are shown. */
export function cellsOf(
  { cells, object }: TableRow,
  columns: readonly ColumnDefinition[],
  options: TableOptions = {},
): string[] {
  const { withNamespace = false, labelColumns = [], showLabels = false, prefix } = options;
  const labels = object?.metadata?.labels ?? {};
  const named = prefix === undefined ? -1 : columns.findIndex(isNameColumn);
  return [
    ...(withNamespace ? [object?.metadata?.namespace ?? ''] : []),
    ...columns.flatMap((column, index) => {
      if (!isShown(column, options)) return [];
      const text = cellText(cells[index]);
      return [index === named ? `${prefix}/${text}` : text];
    }),
    ...labelColumns.map((label) => getKey(labels, label) ?? ''),
    ...(showLabels ? [labelsText(labels)] : []),
  ];
}

function isShown({ priority = 0 }: ColumnDefinition, { wide = false }: TableOptions): boolean {
  return wide || priority === 0;
}

function isNameColumn({ format, type }: ColumnDefinition): boolean {
  return format === 'name' && type === 'string';
}

function labelsText(labels: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.keys(labels)
    .sort(compareStrings)
    .map((key) => `${key}=${getKey(labels, key)}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** Only the first line, as kubectl shows it. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return formatGo(cell);
  const end = cell.search(/[\f\n\r]/);
  const line = end === -1 ? cell : `${cell.slice(0, end)}...`;
  return line.replaceAll('\t', ' ');
}
