import type { PodSpec } from 'client-ts/api/core/v1';
import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';
import type { Loose } from '../../validation/loose.ts';
import { NO_TIME, since } from './ages.ts';

/** An object to print. Any field may be missing, because bookmarks are printed too. */
export type Printable<T> = DeepReadonly<Loose<T>>;

/** One cell of a row. */
export type Cell = boolean | number | string | null;

/** A column definition of `meta.k8s.io`. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  /** `name` for the column of the object's name, otherwise mostly empty. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, higher values in wide tables only. */
  readonly priority: number;
}

/** A condition of a row that clients may act on, such as hiding the row. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Prints the objects of one kind as rows. Pure: the row depends on the object and `now` only. */
export interface Printer<T = never> {
  readonly columns: readonly ColumnDefinition[];
  /** Returns one cell per column; `now` is for ages. */
  readonly cells: (object: T, now: number) => Cell[];
  readonly conditions?: (object: T) => readonly RowCondition[] | undefined;
  /** Sorts lists of kinds that are not sorted by name. */
  readonly compare?: (left: T, right: T) => number;
  /** Writes the rows of an empty list as null instead of `[]`. */
  readonly nullWhenEmpty?: boolean;
  /** Repeats the columns in every watch event, not only in the first. */
  readonly alwaysWithColumns?: boolean;
}

/** A column with the function that fills it. */
export interface Column<T> {
  readonly definition: ColumnDefinition;
  readonly cell: (object: T, now: number) => Cell;
}

interface ColumnOptions {
  /** Default `string`, also for columns with numbers, as in kube-apiserver. */
  readonly type?: 'boolean' | 'date' | 'integer' | 'string';
  readonly format?: string;
  /** Shown in wide tables only. */
  readonly wide?: boolean;
}

/** Column options: numbers, booleans, and columns of wide tables. */
export const integer = { type: 'integer' } as const;
export const boolean = { type: 'boolean' } as const;
export const wide = { wide: true } as const;

/** Creates a column. The description is part of the table that clients get. */
export function column<T>(
  name: string,
  description: string,
  cell: (object: T, now: number) => Cell,
  { type = 'string', format = '', wide = false }: ColumnOptions = {},
): Column<T> {
  return { definition: { name, type, format, description, priority: wide ? 1 : 0 }, cell };
}

/** The metadata that common columns use. */
type AnyObject = DeepReadonly<{ metadata?: { name?: string; creationTimestamp?: string } }>;

/** The column of the object's name, the first of nearly every table. */
export function nameColumn<T extends AnyObject>(
  suffix: (object: T) => string = () => '',
): Column<T> {
  return column(
    'Name',
    'Name of the object, unique among its kind in the namespace',
    (object) => `${object.metadata?.name ?? ''}${suffix(object)}`,
    { format: 'name' },
  );
}

/** The column of the object's age. */
export function ageColumn<T extends AnyObject>(): Column<T> {
  return column('Age', 'Time since the object was created', (object, now) =>
    since(object.metadata?.creationTimestamp, now),
  );
}

/** Creates a printer from its columns. */
export function printer<T>(
  columns: readonly Column<T>[],
  extras: Omit<Printer<T>, 'cells' | 'columns'> = {},
): Printer<T> {
  return {
    ...extras,
    columns: columns.map(({ definition }) => definition),
    cells: (object, now) => columns.map(({ cell }) => cell(object, now)),
  };
}

/** The table of kinds without columns of their own. */
export const defaultPrinter: Printer<Printable<KubernetesObject>> = printer(
  [
    nameColumn(),
    column(
      'Created At',
      'When the object was created',
      ({ metadata }) => metadata?.creationTimestamp ?? NO_TIME,
      { type: 'date' },
    ),
  ],
  { nullWhenEmpty: true },
);

/** Two columns with the names and images of a template's containers. */
export function containerColumns<T>(
  specOf: (object: T) => Printable<PodSpec> | undefined,
  { wide = true }: { readonly wide?: boolean } = {},
): Column<T>[] {
  const list = (object: T, field: 'image' | 'name'): string =>
    (specOf(object)?.containers ?? []).map((container) => container[field] ?? '').join(',');
  return [
    column('Containers', 'Names of the containers', (object) => list(object, 'name'), { wide }),
    column('Images', 'Images of the containers', (object) => list(object, 'image'), { wide }),
  ];
}
