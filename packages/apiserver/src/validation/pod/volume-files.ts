import type * as core from 'client-ts/api/core/v1';
import { requireFields } from '../choices.ts';
import { validateFieldRef, validateResourceFieldRef, VOLUME_FIELD_PATHS } from './env.ts';
import { type FieldError, invalid, required } from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { validateFileMode, validateNonReservedPath } from '../paths.ts';

/** Checks which keys of a ConfigMap or Secret become which files. */
export function validateKeysToPaths(
  items: readonly Loose<core.KeyToPath>[],
  field: string,
): FieldError[] {
  return items.flatMap((item, index) => validateKeyToPath(item, `${field}[${index}]`));
}

function validateKeyToPath(item: Loose<core.KeyToPath>, field: string): FieldError[] {
  return [
    ...requireFields(item, field, ['key', 'path']),
    ...validateNonReservedPath(item.path ?? '', `${field}.path`),
    ...validateFileMode(item.mode, `${field}.mode`),
  ];
}

/** Checks a file that shows a field or a resource of the pod. */
export function validateDownwardAPIFile(
  file: Loose<core.DownwardAPIVolumeFile>,
  field: string,
): FieldError[] {
  const { path = '', fieldRef, resourceFieldRef, mode } = file;
  const errors: FieldError[] = [
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...validateNonReservedPath(path, `${field}.path`),
  ];
  if (fieldRef !== undefined) {
    errors.push(...validateFieldRef(fieldRef, VOLUME_FIELD_PATHS, `${field}.fieldRef`));
    if (resourceFieldRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalid(field, 'resource', detail));
    }
  } else if (resourceFieldRef !== undefined) {
    errors.push(...validateResourceFieldRef(resourceFieldRef, `${field}.resourceFieldRef`, true));
  } else {
    errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...validateFileMode(mode, `${field}.mode`)];
}
