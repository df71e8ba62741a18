import type { PodSpec } from 'client-ts/api/core/v1';
import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';
import type { Loose } from '../../validation/loose.ts';
import { NO_TIME, since } from './ages.ts';

/** An object on its way into a table. Bookmarks go there too, so any field may be missing. */
export type Printable<T> = DeepReadonly<Loose<T>>;

/** What stands in one column of one row. */
export type Cell = boolean | number | string | null;

/** The heading of a column, as `meta.k8s.io` writes it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  /** `name` marks the column that names the object; otherwise mostly empty. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only when somebody asks for a wide table. */
  readonly priority: number;
}

/** Something about the whole row that clients may act on, such as hiding it. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** How the objects of one kind become rows. Pure: the same object and time give the same row. */
export interface Printer<T = never> {
  readonly columns: readonly ColumnDefinition[];
  /** The cells of a row, one for each column; `now` is for ages. */
  readonly cells: (object: T, now: number) => Cell[];
  readonly conditions?: (object: T) => readonly RowCondition[] | undefined;
  /** The order of a list, where it is not that of the names. */
  readonly compare?: (left: T, right: T) => number;
  /** Writes the rows of an empty list as null, and not as an empty list. */
  readonly nullWhenEmpty?: boolean;
  /** Repeats the columns with every event of a watch, and not just with the first. */
  readonly alwaysWithColumns?: boolean;
}

/** One column: its heading, and what it shows of an object. */
export interface Column<T> {
  readonly definition: ColumnDefinition;
  readonly cell: (object: T, now: number) => Cell;
}

interface ColumnOptions {
  /** The default is `string`, also for columns that hold numbers: a real server is not strict. */
  readonly type?: 'boolean' | 'date' | 'integer' | 'string';
  readonly format?: string;
  /** Only shown in wide tables. */
  readonly wide?: boolean;
}

/** Options of a column that holds numbers, holds booleans, or appears in wide tables only. */
export const integer = { type: 'integer' } as const;
export const boolean = { type: 'boolean' } as const;
export const wide = { wide: true } as const;

/** A column of a table. Descriptions say what the column shows, for `-o wide` and its like. */
export function column<T>(
  name: string,
  description: string,
  cell: (object: T, now: number) => Cell,
  { type = 'string', format = '', wide = false }: ColumnOptions = {},
): Column<T> {
  return { definition: { name, type, format, description, priority: wide ? 1 : 0 }, cell };
}

/** What every object has; enough for the columns that all kinds share. */
type AnyObject = DeepReadonly<{ metadata?: { name?: string; creationTimestamp?: string } }>;

/** The name of the object: the first column of nearly every table. */
export function nameColumn<T extends AnyObject>(
  suffix: (object: T) => string = () => '',
): Column<T> {
  return column(
    'Name',
    'What the object is called; no other of its kind in the same namespace has this name',
    (object) => `${object.metadata?.name ?? ''}${suffix(object)}`,
    { format: 'name' },
  );
}

/** How long the object has existed. */
export function ageColumn<T extends AnyObject>(): Column<T> {
  return column('Age', 'Time since the object was created', (object, now) =>
    since(object.metadata?.creationTimestamp, now),
  );
}

/** A printer out of its columns, from left to right. */
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

/** The table of kinds that have no columns of their own. */
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

/** The names and images of the containers in a template, as two columns. */
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
