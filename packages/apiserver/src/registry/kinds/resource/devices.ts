// Upstream: pkg/apis/resource/v1/defaults.go
// Upstream: pkg/apis/resource/validation/validation.go
// Upstream: pkg/registry/resource/resourceclaim/strategy.go
// Upstream: pkg/registry/resource/resourceclaimtemplate/strategy.go
// Upstream: pkg/registry/resource/resourceslice/strategy.go
// Upstream: pkg/registry/resource/deviceclass/strategy.go
// Upstream: pkg/registry/resource/devicetaintrule/strategy.go
// Upstream: pkg/printers/internalversion/printers.go
import type * as resource from 'client-ts/api/resource/v1';
import type { ResourcePoolStatusRequest } from 'client-ts/api/resource/v1alpha3';
import type { DeviceTaintRule } from 'client-ts/api/resource/v1beta2';
import { jsonEqual } from 'client-ts/internal';
import { formatTime, isBeingDeleted } from 'client-ts/meta';
import { type FieldError, forbidden, invalid, required } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validateCSIDriverName } from '../../../validation/pod/volumes.ts';
import { since } from '../../printers/ages.ts';
import {
  ageColumn,
  column,
  type Column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { NONE } from '../../printers/texts.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';

/*
 * Dynamic resource allocation. These rules check who may change what; the scheduler and the drivers
 * check which devices fit.
 */

type Claim = Loose<resource.ResourceClaim>;
type ClaimSpec = Loose<resource.ResourceClaimSpec>;
type ClaimTemplate = Loose<resource.ResourceClaimTemplate>;
type Slice = Loose<resource.ResourceSlice>;
type DeviceClass = Loose<resource.DeviceClass>;
type TaintRule = Loose<DeviceTaintRule>;

const ADMIN_ACCESS = 'resource.kubernetes.io/admin-access';
const namespacedMeta = metaValidator({ namespaced: true });
const clusterMeta = metaValidator({ namespaced: false });

/** Rules of ResourceClaims, whose spec is immutable. */
export const resourceClaimStrategy: Strategy<Claim> = {
  setDefaults: ({ spec }) => setClaimDefaults(spec),
  validate: (claim, context) => [
    ...namespacedMeta.create(claim),
    ...validateAdminAccess(claim.spec, context),
  ],
  validateUpdate: (claim, old) => [
    ...namespacedMeta.update(claim, old),
    ...specUnchanged(claim.spec, old.spec),
  ],
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: namespacedMeta.update,
  generation: 'none',
  deleteReturnsObject: true,
};

/** Rules of ResourceClaimTemplates, which are immutable. */
export const resourceClaimTemplateStrategy: Strategy<ClaimTemplate> = {
  setDefaults: ({ spec }) => setClaimDefaults(spec?.spec),
  validate: (template, context) => [
    ...namespacedMeta.create(template),
    ...validateAdminAccess(template.spec?.spec, context),
  ],
  validateUpdate: (template, old) => [
    ...namespacedMeta.create(template),
    ...namespacedMeta.update(template, old),
    ...specUnchanged(template.spec, old.spec),
  ],
  generation: 'none',
  deleteReturnsObject: true,
};

function specUnchanged(spec: object | undefined, old: object | undefined): FieldError[] {
  return jsonEqual(spec, old) ? [] : [invalid('spec', spec, FIELD_IS_IMMUTABLE)];
}

/** Devices in use can be monitored from namespaces of administrators only. */
function validateAdminAccess(
  spec: ClaimSpec | undefined,
  { lookup, namespace }: StrategyContext,
): FieldError[] {
  const labels = lookup('', 'namespaces', '', namespace)?.metadata?.labels ?? {};
  if (labels[ADMIN_ACCESS] === 'true') return [];
  return (spec?.devices?.requests ?? []).flatMap(({ exactly }, index) =>
    exactly?.adminAccess === true
      ? [
          forbidden(
            `spec.devices.requests[${index}].adminAccess`,
            `admin access to devices requires the \`${ADMIN_ACCESS}: true\` label on the containing namespace`,
          ),
        ]
      : [],
  );
}

/** Sets the default allocation of a request: exactly one device. */
function setClaimDefaults(spec: ClaimSpec | undefined): void {
  for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    for (const request of exactly ? [exactly, ...firstAvailable] : firstAvailable) {
      request.allocationMode ||= 'ExactCount';
      if (request.allocationMode === 'ExactCount') request.count ||= 1;
    }
  }
}

/** Rules of ResourceSlices. */
export const resourceSliceStrategy: Strategy<Slice> = {
  prepareForCreate: dateSliceTaints,
  prepareForUpdate: (slice, _, context) => dateSliceTaints(slice, context),
  validate: (slice) => [...clusterMeta.create(slice), ...validateSlice(slice)],
  validateUpdate: (slice, old) => [
    ...clusterMeta.create(slice),
    ...clusterMeta.update(slice, old),
    ...validateSlice(slice),
    ...immutable(slice.spec?.driver ?? '', old.spec?.driver ?? '', 'spec.driver'),
    ...immutable(slice.spec?.nodeName, old.spec?.nodeName, 'spec.nodeName'),
  ],
  selectableFields: ({ spec }) => ({
    'spec.nodeName': spec?.nodeName ?? '',
    'spec.driver': spec?.driver ?? '',
  }),
  selectableFieldNames: ['metadata.name', 'spec.nodeName', 'spec.driver'],
  generation: 'spec',
  deleteReturnsObject: true,
};

function dateSliceTaints({ spec }: Slice, { clock }: StrategyContext): void {
  for (const { taints = [] } of spec?.devices ?? []) {
    for (const taint of taints) taint.timeAdded ??= formatTime(clock.now());
  }
}

function validateSlice({ spec = {} }: Slice): FieldError[] {
  const { driver = '', pool } = spec;
  return [
    ...validateCSIDriverName(driver, 'spec.driver'),
    ...((pool?.name ?? '') === '' ? [required('spec.pool.name')] : []),
  ];
}

/** Rules of DeviceClasses. */
export const deviceClassStrategy: Strategy<DeviceClass> = {
  validate: clusterMeta.create,
  validateUpdate: (deviceClass, old) => [
    ...clusterMeta.create(deviceClass),
    ...clusterMeta.update(deviceClass, old),
  ],
  generation: 'spec',
  deleteReturnsObject: true,
};

/** Rules of DeviceTaintRules. The server sets `timeAdded` of the taint. */
export const deviceTaintRuleStrategy: Strategy<TaintRule> = {
  prepareForCreate: ({ spec }, { clock }) => {
    if (spec?.taint) spec.taint.timeAdded ??= formatTime(clock.now());
  },
  prepareForUpdate: ({ spec }, old, { clock }) => {
    const taint = spec?.taint;
    const before = old.spec?.taint;
    if (taint === undefined) return;
    const isNew = taint.effect !== before?.effect && taint.timeAdded === before?.timeAdded;
    if (isNew || taint.timeAdded === undefined) taint.timeAdded = formatTime(clock.now());
  },
  validate: clusterMeta.create,
  validateUpdate: clusterMeta.update,
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: clusterMeta.update,
  generation: 'spec',
  deleteReturnsObject: true,
};

/** The table of DeviceClasses. */
export const deviceClassPrinter: Printer<Printable<DeviceClass>> = printer([
  nameColumn(),
  ageColumn(),
]);

/** The table of ResourceClaimTemplates. */
export const resourceClaimTemplatePrinter: Printer<Printable<resource.ResourceClaimTemplate>> =
  printer([nameColumn(), ageColumn()]);

/** The table of ResourceClaims. */
export const resourceClaimPrinter: Printer<Printable<resource.ResourceClaim>> = printer([
  nameColumn(),
  column('State', 'Allocation and reservation of the claim', claimState),
  ageColumn(),
]);

function claimState(claim: Printable<resource.ResourceClaim>): string {
  const { allocation, reservedFor } = claim.status ?? {};
  const isDeleted = isBeingDeleted(claim);
  const states = isDeleted ? ['deleted'] : [];
  if (allocation === undefined) return isDeleted ? 'deleted' : 'pending';
  states.push('allocated');
  if ((reservedFor ?? []).length > 0) states.push('reserved');
  return states.join(',');
}

/** The table of ResourceSlices. */
export const resourceSlicePrinter: Printer<Printable<resource.ResourceSlice>> = printer([
  nameColumn(),
  column('Node', 'Node of the devices', ({ spec }) => spec?.nodeName ?? ''),
  column('Driver', 'Driver of the devices', ({ spec }) => spec?.driver ?? ''),
  column('Pool', 'Pool of the devices', ({ spec }) => spec?.pool?.name ?? ''),
  ageColumn(),
]);

/** The table of DeviceTaintRules. */
export const deviceTaintRulePrinter: Printer<Printable<DeviceTaintRule>> = printer([
  nameColumn(),
  column('Key', 'Key of the taint', ({ spec }) => spec?.taint?.key ?? ''),
  column('Value', 'Value of the taint', ({ spec }) => spec?.taint?.value ?? ''),
  column(
    'Effect',
    'Effect on claims that do not tolerate the taint',
    ({ spec }) => spec?.taint?.effect ?? '',
  ),
  column('TimeAdded', 'Time since the taint was added', ({ spec }, now) =>
    spec?.taint?.timeAdded === undefined ? '' : since(spec.taint.timeAdded, now),
  ),
  ageColumn(),
]);

type PoolRequest = Printable<ResourcePoolStatusRequest>;
type Pool = NonNullable<NonNullable<PoolRequest['status']>['pools']>[number];

/** The table of ResourcePoolStatusRequests. */
export const resourcePoolStatusRequestPrinter: Printer<PoolRequest> = printer<PoolRequest>([
  nameColumn(),
  column('Driver', 'Driver of the pools', ({ spec }) => spec?.driver ?? ''),
  sumColumn('Total', 'Number of devices in all pools', ({ totalDevices = 0 }) => totalDevices),
  sumColumn('Available', 'Number of free devices', ({ availableDevices = 0 }) => availableDevices),
  sumColumn(
    'Allocated',
    'Number of allocated devices',
    ({ allocatedDevices = 0 }) => allocatedDevices,
  ),
  sumColumn(
    'Unavailable',
    'Number of unavailable devices',
    ({ unavailableDevices = 0 }) => unavailableDevices,
  ),
  sumColumn('Errors', 'Number of invalid pools', ({ validationError }) =>
    validationError === undefined ? 0 : 1,
  ),
  column('Pools', 'Number of pools', ({ status }) => status?.poolCount ?? 0, { type: 'integer' }),
  column('Status', 'Progress of the request', requestStatus),
  column('Completed', 'Time since the request was completed', (request, now) => {
    const outcome = outcomeOf(request);
    return outcome?.type === 'Complete' ? since(outcome.lastTransitionTime, now) : NONE;
  }),
]);

/** A column with the sum over all pools, empty until the request is completed. */
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
