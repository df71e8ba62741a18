import type { APIService } from 'client-ts/api/apiregistration/v1';
import type { StorageVersion } from 'client-ts/api/apiserverinternal/v1alpha1';
import type { Lease } from 'client-ts/api/coordination/v1';
import type { LeaseCandidate } from 'client-ts/api/coordination/v1beta1';
import type { FlowSchema, PriorityLevelConfiguration } from 'client-ts/api/flowcontrol/v1';
import type { RuntimeClass } from 'client-ts/api/node/v1';
import type { PodDisruptionBudget } from 'client-ts/api/policy/v1';
import type { PriorityClass } from 'client-ts/api/scheduling/v1';
import { nameOf } from 'client-ts/meta';
import { findCondition } from './conditions.ts';
import { ageColumn, column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import { firstFew, NONE, UNSET } from './texts.ts';

/** The table of Leases. */
export const leasePrinter: Printer<Printable<Lease>> = printer([
  nameColumn(),
  column('Holder', 'Who holds the lease', ({ spec }) => spec?.holderIdentity ?? ''),
  ageColumn(),
]);

/** The table of LeaseCandidates. */
export const leaseCandidatePrinter: Printer<Printable<LeaseCandidate>> = printer([
  nameColumn(),
  column('LeaseName', 'Lease that the candidate stands for', ({ spec }) => spec?.leaseName ?? ''),
  column('BinaryVersion', 'Version of the program', ({ spec }) => spec?.binaryVersion ?? ''),
  column(
    'EmulationVersion',
    'Version that it behaves like',
    ({ spec }) => spec?.emulationVersion ?? '',
  ),
  ageColumn(),
]);

/** The table of PodDisruptionBudgets. */
export const podDisruptionBudgetPrinter: Printer<Printable<PodDisruptionBudget>> = printer([
  nameColumn(),
  column('Min Available', 'Pods that have to stay, as a number or share', ({ spec }) =>
    String(spec?.minAvailable ?? 'N/A'),
  ),
  column('Max Unavailable', 'Pods that may be missing, as a number or share', ({ spec }) =>
    String(spec?.maxUnavailable ?? 'N/A'),
  ),
  column(
    'Allowed Disruptions',
    'Pods that may be evicted now',
    ({ status }) => status?.disruptionsAllowed ?? 0,
    {
      type: 'integer',
    },
  ),
  ageColumn(),
]);

/** The table of PriorityClasses. */
export const priorityClassPrinter: Printer<Printable<PriorityClass>> = printer([
  nameColumn(),
  column('Value', 'Priority of the pods; the highest goes first', ({ value }) => value ?? 0, {
    type: 'integer',
  }),
  column(
    'Global-Default',
    'Whether pods without a class are of this one',
    ({ globalDefault }) => globalDefault ?? false,
    {
      type: 'boolean',
    },
  ),
  ageColumn(),
  column(
    'PreemptionPolicy',
    'Whether pods may drive out others of lower priority',
    ({ preemptionPolicy }) => preemptionPolicy ?? '',
  ),
]);

/** The table of RuntimeClasses. */
export const runtimeClassPrinter: Printer<Printable<RuntimeClass>> = printer([
  nameColumn(),
  column('Handler', 'Configuration of the container runtime', ({ handler }) => handler ?? ''),
  ageColumn(),
]);

type Flow = Printable<FlowSchema>;

/** The table of FlowSchemas, in the order in which they are tried. */
export const flowSchemaPrinter: Printer<Flow> = printer<Flow>(
  [
    nameColumn(),
    column(
      'PriorityLevel',
      'Priority level of the requests',
      ({ spec }) => spec?.priorityLevelConfiguration?.name ?? '',
    ),
    column(
      'MatchingPrecedence',
      'Order in which schemas are tried; the lowest goes first',
      precedenceOf,
    ),
    column(
      'DistinguisherMethod',
      'How requests are told apart to share fairly',
      ({ spec }) => spec?.distinguisherMethod?.type ?? NONE,
    ),
    ageColumn(),
    column(
      'MissingPL',
      'Whether there is no such priority level',
      ({ status }) => findCondition(status?.conditions, 'Dangling')?.status ?? '?',
    ),
  ],
  {
    compare: (left, right) =>
      precedenceOf(left) - precedenceOf(right) || (nameOf(left) < nameOf(right) ? -1 : 1),
  },
);

function precedenceOf({ spec }: Flow): number {
  return spec?.matchingPrecedence ?? 0;
}

/** The table of PriorityLevelConfigurations. */
export const priorityLevelConfigurationPrinter: Printer<Printable<PriorityLevelConfiguration>> =
  printer([
    nameColumn(),
    column('Type', 'Whether requests of this level are limited', ({ spec }) => spec?.type ?? ''),
    column('NominalConcurrencyShares', 'Share of all requests that may run at once', ({ spec }) =>
      spec?.limited === undefined ? NONE : (spec.limited.nominalConcurrencyShares ?? 0),
    ),
    column('Queues', 'Number of queues', (level) => queuing(level, 'queues')),
    column('HandSize', 'Number of queues that one flow is spread over', (level) =>
      queuing(level, 'handSize'),
    ),
    column('QueueLengthLimit', 'Most requests in one queue', (level) =>
      queuing(level, 'queueLengthLimit'),
    ),
    ageColumn(),
  ]);

function queuing(
  { spec }: Printable<PriorityLevelConfiguration>,
  field: 'handSize' | 'queueLengthLimit' | 'queues',
): number | string {
  const settings = spec?.limited?.limitResponse?.queuing;
  return settings === undefined ? NONE : (settings[field] ?? 0);
}

/** The table of StorageVersions. */
export const storageVersionPrinter: Printer<Printable<StorageVersion>> = printer([
  nameColumn(),
  column(
    'CommonEncodingVersion',
    'Version that all servers write',
    ({ status }) => status?.commonEncodingVersion ?? UNSET,
  ),
  column('StorageVersions', 'Version that each server writes', ({ status }) => {
    const versions = (status?.storageVersions ?? []).map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    );
    return versions.length === 0 ? UNSET : firstFew(versions);
  }),
  ageColumn(),
]);

/** The table of APIServices. */
export const apiServicePrinter: Printer<Printable<APIService>> = printer(
  [
    nameColumn(),
    column('Service', 'Service that answers for the group', ({ spec }) =>
      spec?.service === undefined
        ? 'Local'
        : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
    ),
    column('Available', 'Whether it does, and if not, why', ({ status }) => {
      const condition = findCondition(status?.conditions, 'Available');
      const { status: state = 'Unknown', reason = '' } = condition ?? {};
      return state === 'True' || reason === '' ? state : `${state} (${reason})`;
    }),
    ageColumn(),
  ],
  { alwaysWithColumns: true },
);
