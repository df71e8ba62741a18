import type { Pod, PodTemplate } from 'client-ts/api/core/v1';
import { since } from './ages.ts';
import { holds } from './conditions.ts';
import { containerColumns } from './containers.ts';
import { type PodSummary, summarizePod } from './pod-summary.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
  type RowCondition,
} from './printer.ts';
import { formatLabels, NONE, orNone } from './texts.ts';

type PodRow = Printable<Pod> & { readonly summary: PodSummary };

const podColumns = printer<PodRow>([
  nameColumn(),
  column(
    'Ready',
    'Containers that are ready, of all that the pod runs',
    ({ summary }) => `${summary.ready}/${summary.total}`,
  ),
  column(
    'Status',
    'What the pod is doing, or what keeps it from it',
    ({ summary }) => summary.status,
  ),
  column(
    'Restarts',
    'How often containers were started again, and how long ago the last time was',
    ({ summary }, now) => formatRestarts(summary, now),
  ),
  ageColumn(),
  column(
    'IP',
    'Address of the pod within the cluster',
    ({ status }) => orNone(status?.podIPs?.[0]?.ip),
    {
      wide: true,
    },
  ),
  column('Node', 'Node that the pod was bound to', ({ spec }) => orNone(spec?.nodeName), {
    wide: true,
  }),
  column(
    'Nominated Node',
    'Node on which room is being made for the pod',
    ({ status }) => orNone(status?.nominatedNodeName),
    { wide: true },
  ),
  column(
    'Readiness Gates',
    'Conditions that hold, of those that have to before the pod counts as ready',
    formatReadinessGates,
    { wide: true },
  ),
]);

/** The table of Pods. */
export const podPrinter: Printer<Printable<Pod>> = {
  columns: podColumns.columns,
  cells: (pod, now) => podColumns.cells({ ...pod, summary: summarizePod(pod) }, now),
  conditions: ({ status }) => PHASE_CONDITIONS.get(status?.phase ?? ''),
};

/** Pods that are through are marked, so that clients can leave them out. */
const PHASE_CONDITIONS: ReadonlyMap<string, readonly RowCondition[]> = new Map([
  ['Succeeded', [completed('Succeeded', 'The pod has completed successfully.')]],
  ['Failed', [completed('Failed', 'The pod failed.')]],
]);

function completed(reason: string, message: string): RowCondition {
  return { type: 'Completed', status: 'True', reason, message };
}

function formatRestarts({ restarts, lastRestart }: PodSummary, now: number): string {
  if (restarts === 0 || lastRestart === undefined) return String(restarts);
  return `${restarts} (${since(lastRestart, now)} ago)`;
}

function formatReadinessGates({ spec, status }: Printable<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const open = gates.filter(({ conditionType = '' }) => holds(status?.conditions, conditionType));
  return `${open.length}/${gates.length}`;
}

/** The table of PodTemplates. */
export const podTemplatePrinter: Printer<Printable<PodTemplate>> = printer([
  nameColumn(),
  ...containerColumns<Printable<PodTemplate>>(({ template }) => template?.spec, { wide: false }),
  column('Pod Labels', 'Labels that pods made from the template get', ({ template }) =>
    formatLabels(template?.metadata?.labels),
  ),
]);
