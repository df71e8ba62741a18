import type {
  ComponentStatus,
  ConfigMap,
  Namespace,
  Node,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import { labelsOf } from 'client-ts/meta';
import { UNKNOWN } from './ages.ts';
import { findCondition } from './conditions.ts';
import { ageColumn, column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import { inOrder, NONE, orNone } from './texts.ts';

/** The table of Namespaces. */
export const namespacePrinter: Printer<Printable<Namespace>> = printer([
  nameColumn(),
  column(
    'Status',
    'Whether the namespace is in use or on its way out',
    ({ status }) => status?.phase ?? '',
  ),
  ageColumn(),
]);

/** The table of ConfigMaps. */
export const configMapPrinter: Printer<Printable<ConfigMap>> = printer([
  nameColumn(),
  column('Data', 'Number of keys', ({ data, binaryData }) => sizeOf(data) + sizeOf(binaryData)),
  ageColumn(),
]);

/** The table of Secrets, of which it shows no value. */
export const secretPrinter: Printer<Printable<Secret>> = printer([
  nameColumn(),
  column('Type', 'What the secret is for', ({ type }) => type ?? ''),
  column('Data', 'Number of keys', ({ data }) => sizeOf(data)),
  ageColumn(),
]);

function sizeOf(map: object | null | undefined): number {
  return Object.keys(map ?? {}).length;
}

/** The table of ServiceAccounts. */
export const serviceAccountPrinter: Printer<Printable<ServiceAccount>> = printer([
  nameColumn(),
  ageColumn(),
]);

/** The table of Nodes. */
export const nodePrinter: Printer<Printable<Node>> = printer([
  nameColumn(),
  column('Status', 'Whether the node is ready and takes new pods', nodeStatus),
  column('Roles', 'Roles that labels give to the node', (node) =>
    orNone(nodeRoles(node).join(',')),
  ),
  ageColumn(),
  column(
    'Version',
    'Version of the kubelet',
    ({ status }) => status?.nodeInfo?.kubeletVersion ?? '',
  ),
  column('Internal-IP', 'Address within the cluster', (node) => nodeAddress(node, 'InternalIP'), {
    wide: true,
  }),
  column(
    'External-IP',
    'Address outside of the cluster',
    (node) => nodeAddress(node, 'ExternalIP'),
    { wide: true },
  ),
  column('OS-Image', 'Operating system', ({ status }) => orUnknown(status?.nodeInfo?.osImage), {
    wide: true,
  }),
  column('Kernel-Version', 'Version of the kernel, and what processors it is for', kernelVersion, {
    wide: true,
  }),
  column(
    'Container-Runtime',
    'What runs the containers, and in which version',
    ({ status }) => orUnknown(status?.nodeInfo?.containerRuntimeVersion),
    { wide: true },
  ),
]);

function nodeStatus({ spec, status }: Printable<Node>): string {
  // Should the condition stand there twice, the last one counts.
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

function nodeRoles(node: Printable<Node>): string[] {
  const roles = Object.entries(labelsOf(node)).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === ROLE_LABEL ? value : '';
  });
  return inOrder(roles.filter((role) => role !== ''));
}

function nodeAddress({ status }: Printable<Node>, wanted: string): string {
  return (status?.addresses ?? []).find(({ type }) => type === wanted)?.address ?? NONE;
}

function kernelVersion({ status }: Printable<Node>): string {
  const { kernelVersion: version, architecture = '' } = status?.nodeInfo ?? {};
  return architecture === '' ? orUnknown(version) : `${orUnknown(version)} (${architecture})`;
}

function orUnknown(text: string | undefined): string {
  return text === undefined || text === '' ? UNKNOWN : text;
}

/** The table of ResourceQuotas. */
export const resourceQuotaPrinter: Printer<Printable<ResourceQuota>> = printer([
  nameColumn(),
  column('Request', 'What is used, of what may be asked for', (quota) => formatQuota(quota, false)),
  column('Limit', 'What is used, of what limits may add up to', (quota) =>
    formatQuota(quota, true),
  ),
  ageColumn(),
]);

/** Half of a quota: that on limits, or that on everything else. */
function formatQuota({ status }: Printable<ResourceQuota>, ofLimits: boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([resource]) => resource.startsWith('limits.') === ofLimits)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(
      ([resource, hard]) => `${resource}: ${getKey(status?.used ?? {}, resource) ?? '0'}/${hard}`,
    )
    .join(', ');
}

/** The table of ComponentStatuses. */
export const componentStatusPrinter: Printer<Printable<ComponentStatus>> = printer([
  nameColumn(),
  column('Status', 'Whether the component is well', (component) => {
    const condition = healthOf(component);
    if (condition === undefined) return 'Unknown';
    return condition.status === 'True' ? 'Healthy' : 'Unhealthy';
  }),
  column('Message', 'What the component said', (component) => healthOf(component)?.message ?? ''),
  column('Error', 'What went wrong in asking it', (component) => healthOf(component)?.error ?? ''),
]);

function healthOf({
  conditions,
}: Printable<ComponentStatus>):
  | NonNullable<Printable<ComponentStatus>['conditions']>[number]
  | undefined {
  return findCondition(conditions, 'Healthy');
}
