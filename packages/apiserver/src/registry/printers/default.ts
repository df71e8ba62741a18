import { column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import type { KubernetesObject } from 'client-ts/meta';

/** How a server writes the time of something that was never created: a bookmark. */
const NO_TIME = '0001-01-01T00:00:00Z';

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
