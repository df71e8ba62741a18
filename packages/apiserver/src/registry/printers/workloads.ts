import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from 'client-ts/api/apps/v1';
import type { Scale } from 'client-ts/api/autoscaling/v1';
import type { ReplicationController } from 'client-ts/api/core/v1';
import { getControllerOf, groupKindName, parseApiVersion } from 'client-ts/meta';
import { containerColumns } from './containers.ts';
import {
  ageColumn,
  type Column,
  column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
} from './printer.ts';
import { formatLabels, formatSelector, NONE, selectorText } from './texts.ts';

const integer = { type: 'integer' } as const;
const wide = { wide: true } as const;

/** The table of Deployments. */
export const deploymentPrinter: Printer<Printable<Deployment>> = printer([
  nameColumn(),
  column(
    'Ready',
    'Replicas that are ready, of those that are wanted',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  column(
    'Up-to-date',
    'Replicas made from the present template',
    ({ status }) => status?.updatedReplicas ?? 0,
  ),
  column(
    'Available',
    'Replicas that have been ready for long enough',
    ({ status }) => status?.availableReplicas ?? 0,
  ),
  ageColumn(),
  ...containerColumns<Printable<Deployment>>(({ spec }) => spec?.template?.spec),
  column(
    'Selector',
    'Labels by which the deployment knows its pods',
    ({ spec }) => selectorText(spec?.selector, '<invalid>'),
    wide,
  ),
]);

/** What a ReplicaSet and its ancestor, the ReplicationController, have in common. */
type Replicated = Printable<{
  metadata?: NonNullable<ReplicaSet['metadata']>;
  spec?: Pick<NonNullable<ReplicaSet['spec']>, 'replicas' | 'template'>;
  status?: Pick<NonNullable<ReplicaSet['status']>, 'readyReplicas' | 'replicas'>;
}>;

function replicaColumns<T extends Replicated>(selector: (object: T) => string): Column<T>[] {
  return [
    nameColumn(),
    column('Desired', 'Replicas that are wanted', ({ spec }) => spec?.replicas ?? 0, integer),
    column('Current', 'Replicas that exist', ({ status }) => status?.replicas ?? 0, integer),
    column('Ready', 'Replicas that are ready', ({ status }) => status?.readyReplicas ?? 0, integer),
    ageColumn(),
    ...containerColumns<T>(({ spec }) => spec?.template?.spec),
    column('Selector', 'Labels by which the object knows its pods', selector, wide),
  ];
}

/** The table of ReplicaSets. */
export const replicaSetPrinter: Printer<Printable<ReplicaSet>> = printer(
  replicaColumns<Printable<ReplicaSet>>(({ spec }) => formatSelector(spec?.selector)),
);

/** The table of ReplicationControllers. */
export const replicationControllerPrinter: Printer<Printable<ReplicationController>> = printer(
  replicaColumns<Printable<ReplicationController>>(({ spec }) => formatLabels(spec?.selector)),
);

/** The table of StatefulSets. */
export const statefulSetPrinter: Printer<Printable<StatefulSet>> = printer([
  nameColumn(),
  column(
    'Ready',
    'Replicas that are ready, of those that are wanted',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  ageColumn(),
  ...containerColumns<Printable<StatefulSet>>(({ spec }) => spec?.template?.spec),
]);

/** The table of DaemonSets. */
export const daemonSetPrinter: Printer<Printable<DaemonSet>> = printer([
  nameColumn(),
  column(
    'Desired',
    'Nodes that are to run the pod',
    ({ status }) => status?.desiredNumberScheduled ?? 0,
    integer,
  ),
  column(
    'Current',
    'Nodes, of those, that run it',
    ({ status }) => status?.currentNumberScheduled ?? 0,
    integer,
  ),
  column('Ready', 'Nodes on which it is ready', ({ status }) => status?.numberReady ?? 0, integer),
  column(
    'Up-to-date',
    'Nodes that run it as the present template has it',
    ({ status }) => status?.updatedNumberScheduled ?? 0,
    integer,
  ),
  column(
    'Available',
    'Nodes on which it has been ready for long enough',
    ({ status }) => status?.numberAvailable ?? 0,
    integer,
  ),
  column('Node Selector', 'Labels of the nodes that are to run it', ({ spec }) =>
    formatLabels(spec?.template?.spec?.nodeSelector),
  ),
  ageColumn(),
  ...containerColumns<Printable<DaemonSet>>(({ spec }) => spec?.template?.spec),
  column(
    'Selector',
    'Labels by which the daemon set knows its pods',
    ({ spec }) => formatSelector(spec?.selector),
    wide,
  ),
]);

/** The table of ControllerRevisions. */
export const controllerRevisionPrinter: Printer<Printable<ControllerRevision>> = printer([
  nameColumn(),
  column('Controller', 'Object that the revision belongs to', formatController),
  column('Revision', 'Number of the revision', ({ revision }) => revision ?? 0),
  ageColumn(),
]);

function formatController(revision: Printable<ControllerRevision>): string {
  const owner = getControllerOf(revision);
  if (owner === undefined) return NONE;
  const { group } = parseApiVersion(owner.apiVersion);
  return `${groupKindName({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}

/** The table of Scales of built-in kinds. */
export const scalePrinter: Printer<Printable<Scale>> = printer([
  // Of all names, this one is not marked as such.
  column('Name', 'Name of what is scaled', ({ metadata }) => metadata?.name ?? ''),
  column('Desired', 'Replicas that are wanted', ({ spec }) => spec?.replicas ?? 0, integer),
  column('Available', 'Replicas that exist', ({ status }) => status?.replicas ?? 0, integer),
  ageColumn(),
]);
