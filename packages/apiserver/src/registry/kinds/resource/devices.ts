import type * as resource from 'client-ts/api/resource/v1';
import type { DeviceTaintRule } from 'client-ts/api/resource/v1beta2';
import { jsonEqual } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';
import { type FieldError, invalid, required } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validateCSIDriverName } from '../../../validation/pod/volumes.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';

/* Devices that pods ask for. What is checked here is who may change what; which devices fit is the
 * business of the scheduler and of drivers. */

type Claim = Loose<resource.ResourceClaim>;
type ClaimSpec = Loose<resource.ResourceClaimSpec>;
type ClaimTemplate = Loose<resource.ResourceClaimTemplate>;
type Slice = Loose<resource.ResourceSlice>;
type DeviceClass = Loose<resource.DeviceClass>;
type TaintRule = Loose<DeviceTaintRule>;

const namespacedMeta = metaValidator({ namespaced: true });
const clusterMeta = metaValidator({ namespaced: false });

/** A claim to devices; what it asks for never changes. */
export const resourceClaimStrategy: Strategy<Claim> = {
  setDefaults: ({ spec }) => setClaimDefaults(spec),
  validate: namespacedMeta.create,
  validateUpdate: (claim, old) => [
    ...namespacedMeta.update(claim, old),
    ...specUnchanged(claim.spec, old.spec),
  ],
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: namespacedMeta.update,
  generation: 'none',
  deleteReturnsObject: true,
};

/** A template for claims to devices; it never changes. */
export const resourceClaimTemplateStrategy: Strategy<ClaimTemplate> = {
  setDefaults: ({ spec }) => setClaimDefaults(spec?.spec),
  validate: namespacedMeta.create,
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

/** Who asks for devices without saying how many asks for one. */
function setClaimDefaults(spec: ClaimSpec | undefined): void {
  for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    for (const request of exactly ? [exactly, ...firstAvailable] : firstAvailable) {
      request.allocationMode ||= 'ExactCount';
      if (request.allocationMode === 'ExactCount') request.count ||= 1;
    }
  }
}

/** Devices that a driver offers. */
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

/** A name for devices of one kind. */
export const deviceClassStrategy: Strategy<DeviceClass> = {
  validate: clusterMeta.create,
  validateUpdate: (deviceClass, old) => [
    ...clusterMeta.create(deviceClass),
    ...clusterMeta.update(deviceClass, old),
  ],
  generation: 'spec',
  deleteReturnsObject: true,
};

/** Keeps pods away from devices; the taint is dated by the server. */
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
