// Upstream: pkg/printers/internalversion/printers.go: printComponentStatus
import type { ComponentStatus } from 'client-ts/api/core/v1';
import { findStatusCondition } from 'client-ts/meta';
import {
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';

/** The table of ComponentStatuses. */
export const componentStatusPrinter: Printer<Printable<ComponentStatus>> = printer([
  nameColumn(),
  column('Status', 'Health of the component', (component) => {
    const condition = healthOf(component);
    if (condition === undefined) return 'Unknown';
    return condition.status === 'True' ? 'Healthy' : 'Unhealthy';
  }),
  column(
    'Message',
    'Message of the health check',
    (component) => healthOf(component)?.message ?? '',
  ),
  column('Error', 'Error of the health check', (component) => healthOf(component)?.error ?? ''),
]);

function healthOf({
  conditions,
}: Printable<ComponentStatus>):
  | NonNullable<Printable<ComponentStatus>['conditions']>[number]
  | undefined {
  return findStatusCondition(conditions, 'Healthy');
}
