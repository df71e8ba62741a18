import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from 'client-ts/api/resource/v1';
import type { ResourcePoolStatusRequest } from 'client-ts/api/resource/v1alpha3';
import type { DeviceTaintRule } from 'client-ts/api/resource/v1beta2';
import { isBeingDeleted } from 'client-ts/meta';
import { since } from './ages.ts';
import {
  ageColumn,
  type Column,
  column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
} from './printer.ts';
import { NONE } from './texts.ts';

/** The table of DeviceClasses. */
export const deviceClassPrinter: Printer<Printable<DeviceClass>> = printer([
  nameColumn(),
  ageColumn(),
]);

/** The table of ResourceClaimTemplates. */
export const resourceClaimTemplatePrinter: Printer<Printable<ResourceClaimTemplate>> = printer([
  nameColumn(),
  ageColumn(),
]);

/** The table of ResourceClaims. */
export const resourceClaimPrinter: Printer<Printable<ResourceClaim>> = printer([
  nameColumn(),
  column('State', 'Whether the claim has got its devices, and whether they are in use', claimState),
  ageColumn(),
]);

function claimState(claim: Printable<ResourceClaim>): string {
  const { allocation, reservedFor } = claim.status ?? {};
  const isDeleted = isBeingDeleted(claim);
  const states = isDeleted ? ['deleted'] : [];
  if (allocation === undefined) return isDeleted ? 'deleted' : 'pending';
  states.push('allocated');
  if ((reservedFor ?? []).length > 0) states.push('reserved');
  return states.join(',');
}

/** The table of ResourceSlices. */
export const resourceSlicePrinter: Printer<Printable<ResourceSlice>> = printer([
  nameColumn(),
  column('Node', 'Node that has the devices', ({ spec }) => spec?.nodeName ?? ''),
  column('Driver', 'Driver that offers them', ({ spec }) => spec?.driver ?? ''),
  column('Pool', 'Pool that they belong to', ({ spec }) => spec?.pool?.name ?? ''),
  ageColumn(),
]);

/** The table of DeviceTaintRules. */
export const deviceTaintRulePrinter: Printer<Printable<DeviceTaintRule>> = printer([
  nameColumn(),
  column('Key', 'Key of the taint', ({ spec }) => spec?.taint?.key ?? ''),
  column('Value', 'Value of the taint', ({ spec }) => spec?.taint?.value ?? ''),
  column(
    'Effect',
    'What it does to claims that do not tolerate it',
    ({ spec }) => spec?.taint?.effect ?? '',
  ),
  column('TimeAdded', 'Time since the devices were tainted', ({ spec }, now) =>
    spec?.taint?.timeAdded === undefined ? '' : since(spec.taint.timeAdded, now),
  ),
  ageColumn(),
]);

type PoolRequest = Printable<ResourcePoolStatusRequest>;
type Pool = NonNullable<NonNullable<PoolRequest['status']>['pools']>[number];

/** The table of ResourcePoolStatusRequests. */
export const resourcePoolStatusRequestPrinter: Printer<PoolRequest> = printer<PoolRequest>([
  nameColumn(),
  column('Driver', 'Driver whose pools are looked at', ({ spec }) => spec?.driver ?? ''),
  sumColumn('Total', 'Devices in all pools', ({ totalDevices = 0 }) => totalDevices),
  sumColumn('Available', 'Devices that are free', ({ availableDevices = 0 }) => availableDevices),
  sumColumn('Allocated', 'Devices that are taken', ({ allocatedDevices = 0 }) => allocatedDevices),
  sumColumn(
    'Unavailable',
    'Devices that cannot be used',
    ({ unavailableDevices = 0 }) => unavailableDevices,
  ),
  sumColumn('Errors', 'Pools with something wrong', ({ validationError }) =>
    validationError === undefined ? 0 : 1,
  ),
  column('Pools', 'Number of pools', ({ status }) => status?.poolCount ?? 0, { type: 'integer' }),
  column('Status', 'How far the request has come', requestStatus),
  column('Completed', 'Time since the answer was complete', (request, now) => {
    const outcome = outcomeOf(request);
    return outcome?.type === 'Complete' ? since(outcome.lastTransitionTime, now) : NONE;
  }),
]);

/** A number that is added up over all pools, once there is an answer. */
function sumColumn(
  name: string,
  description: string,
  count: (pool: Pool) => number,
): Column<PoolRequest> {
  return column(name, description, (request) => {
    const { status } = request;
    if (status === undefined || outcomeOf(request)?.type === 'Failed') return '-';
    return String((status.pools ?? []).reduce((sum, pool) => sum + count(pool), 0));
  });
}

function outcomeOf({
  status,
}: PoolRequest): NonNullable<NonNullable<PoolRequest['status']>['conditions']>[number] | undefined {
  return (status?.conditions ?? []).find(
    (condition) =>
      (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}

function requestStatus(request: PoolRequest): string {
  const outcome = outcomeOf(request)?.type ?? 'Pending';
  const count = request.status?.poolCount ?? 0;
  const listed = (request.status?.pools ?? []).length;
  return outcome === 'Complete' && count > listed ? `Complete (${listed}/${count} pools)` : outcome;
}
