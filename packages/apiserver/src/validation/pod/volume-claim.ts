// Upstream: pkg/apis/core/validation/validation.go: ValidatePersistentVolumeClaimSpec
import type * as core from 'client-ts/api/core/v1';
import { type ObjectMeta, validateDns1123Subdomain } from 'client-ts/meta';
import { validateOptionalChoice } from '../choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../field-error.ts';
import { validateLabels, validateLabelSelector } from '../labels.ts';
import type { Loose } from '../loose.ts';
import { nameIsDnsLabel, nameIsDnsSubdomain } from '../names.ts';
import { validateAnnotations } from '../object-meta.ts';
import { isPositiveQuantity, quantityText, validateResourceValue } from '../resources.ts';

type ClaimSpec = Loose<core.PersistentVolumeClaimSpec>;

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES: readonly string[] = ['Block', 'Filesystem'];

/** Checks access modes; `ReadWriteOncePod` excludes all others. */
export function validateAccessModes(modes: readonly string[], field: string): FieldError[] {
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  const isMixed =
    known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod');
  return [
    ...modes
      .filter((mode) => !ACCESS_MODES.includes(mode))
      .map((mode) => notSupported(field, mode, ACCESS_MODES)),
    ...(isMixed ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

/** Checks the spec of a claim. */
export function validateClaimSpec(spec: ClaimSpec, field: string): FieldError[] {
  const { accessModes = [], storageClassName = '', volumeMode } = spec;
  const { volumeAttributesClassName = '' } = spec;
  return [
    ...(accessModes.length === 0
      ? [required(`${field}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...validateLabelSelector(spec.selector, `${field}.selector`),
    ...validateAccessModes(accessModes, `${field}.accessModes`),
    ...validateStorageRequest(spec, `${field}.resources[storage]`),
    ...validateClassName(storageClassName, `${field}.storageClassName`),
    ...validateOptionalChoice(volumeMode, VOLUME_MODES, `${field}.volumeMode`),
    ...(spec.dataSource ? validateDataSource(spec.dataSource, `${field}.dataSource`) : []),
    ...(spec.dataSourceRef ? validateDataSource(spec.dataSourceRef, `${field}.dataSourceRef`) : []),
    ...validateDataSourcesAgree(spec, field),
    ...validateClassName(volumeAttributesClassName, `${field}.volumeAttributesClassName`),
  ];
}

/** Checks a class name; the empty name is valid. */
export function validateClassName(name: string, field: string): FieldError[] {
  return name === '' ? [] : invalidEach(field, name, nameIsDnsSubdomain(name, false));
}

function validateStorageRequest(spec: ClaimSpec, field: string): FieldError[] {
  const storage = spec.resources?.requests?.['storage'];
  if (storage === undefined) return [required(field)];
  return isPositiveQuantity(storage)
    ? validateResourceValue('storage', storage, field)
    : [invalid(field, quantityText(storage), 'must be greater than zero')];
}

function validateDataSource(source: Loose<core.TypedObjectReference>, field: string): FieldError[] {
  const { apiGroup = '', kind = '', name = '', namespace = '' } = source;
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(kind === '' ? [required(`${field}.kind`)] : []),
    ...(apiGroup === '' && kind !== 'PersistentVolumeClaim'
      ? [
          invalid(
            field,
            kind,
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
          ),
        ]
      : []),
    ...(apiGroup === ''
      ? []
      : invalidEach(`${field}.apiGroup`, apiGroup, validateDns1123Subdomain(apiGroup))),
    ...(namespace === ''
      ? []
      : invalidEach(`${field}.namespace`, namespace, nameIsDnsLabel(namespace, false))),
  ];
}

function validateDataSourcesAgree(
  { dataSource, dataSourceRef }: ClaimSpec,
  field: string,
): FieldError[] {
  if (dataSource === undefined || dataSourceRef === undefined) return [];
  if ((dataSourceRef.namespace ?? '') !== '') {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    return [invalid(field, `${field}.dataSource`, detail)];
  }
  const agree = (['apiGroup', 'kind', 'name'] as const).every(
    (name) => dataSource[name] === dataSourceRef[name],
  );
  return agree ? [] : [invalid(field, `${field}.dataSource`, 'must match dataSourceRef')];
}

/** Checks a claim template, whose metadata may set labels and annotations only. */
export function validateClaimTemplate(
  { metadata = {}, spec = {} }: Loose<core.PersistentVolumeClaimTemplate>,
  field: string,
): FieldError[] {
  return [
    ...validateAnnotations(metadata.annotations, `${field}.metadata.annotations`),
    ...validateLabels(metadata.labels, `${field}.metadata.labels`),
    ...(Object.keys(metadata) as (keyof ObjectMeta)[])
      .filter((name) => name !== 'annotations' && name !== 'labels')
      .filter((name) => metadata[name] !== undefined)
      .map((name) => forbidden(`${field}.metadata.${name}`, 'cannot be set')),
    ...validateClaimSpec(spec, `${field}.spec`),
  ];
}
