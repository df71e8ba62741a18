import type { KubernetesObject } from 'client-ts/meta';
import { NO_TIME } from './ages.ts';
import { column, nameColumn, type Printable, printer, type Printer } from './printer.ts';

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
