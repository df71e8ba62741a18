import { compareStrings, formatGo, getKey } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

/** A column definition. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  /** Above 0: only in wide output. */
  readonly priority?: number;
}

/** A row. */
export interface TableRow {
  readonly cells: readonly unknown[];
  /** The object, or its metadata. */
  readonly object?: KubernetesObject | null;
}

/** `meta.k8s.io/v1 Table`. */
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

/** Selects columns. */
export interface TableOptions {
  /** Wide output. */
  readonly wide?: boolean;
  readonly withNamespace?: boolean;
  /** The prefix of names: `deployment.apps`. */
  readonly prefix?: string;
  /** Labels with their own column. */
  readonly labelColumns?: readonly string[];
  readonly showLabels?: boolean;
}

/** The Accept header for a {@link Table}, with objects as the fallback. */
export const TABLE_ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** True for a table; servers without tables send objects. */
export function isTable(answer: object): answer is Table {
  return 'kind' in answer && answer.kind === 'Table';
}

/** The headings of the selected columns. */
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

/** The selected cells of a row. */
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

/** Only the first line, as in kubectl. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return formatGo(cell);
  const end = cell.search(/[\f\n\r]/);
  const line = end === -1 ? cell : `${cell.slice(0, end)}...`;
  return line.replaceAll('\t', ' ');
}
