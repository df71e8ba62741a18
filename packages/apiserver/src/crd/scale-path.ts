import type { CustomResourceSubresourceScale } from 'client-ts/api/apiextensions/v1';
import {
  formatGo,
  getKey,
  goTypeOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'client-ts/internal';

import { type FieldError, invalid } from '../validation/field-error.ts';
import { isInt64 } from './number-rules.ts';

const MAX_REPLICAS = 2 ** 31 - 1;

/** The value at a path such as `.spec.replicas`; undefined if there is none on the way. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  return follow(object, path).value;
}

/** Checks the number that the spec of the scale subresource shows. */
export function validateScaleSpec(
  object: JsonObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  return scale === undefined ? [] : validateReplicas(object, scale.specReplicasPath);
}

/** Checks the number and the selector that the status of the scale subresource shows. */
export function validateScaleStatus(
  object: JsonObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  if (scale === undefined) return [];
  const { statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...validateReplicas(object, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : validateSelector(object, labelSelectorPath)),
  ];
}

function validateReplicas(object: JsonObject, path: string): FieldError[] {
  const { value, problem } = follow(object, path);
  if (problem !== undefined) return [invalid(path, 0, problem)];
  if (value === undefined) return [];
  if (typeof value !== 'number' || !isInt64(value)) {
    return [invalid(path, 0, accessorError(path, value, 'int64'))];
  }
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > MAX_REPLICAS
    ? [invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`)]
    : [];
}

function validateSelector(object: JsonObject, path: string): FieldError[] {
  const { value, problem } = follow(object, path);
  if (problem !== undefined) return [invalid(path, '', problem)];
  return value === undefined || typeof value === 'string'
    ? []
    : [invalid(path, '', accessorError(path, value, 'string'))];
}

function follow(
  object: JsonObject,
  path: string,
): { value?: JsonValue | undefined; problem?: string } {
  let value: JsonValue | undefined = object;
  let at = '';
  for (const name of path.replace(/^\./, '').split('.')) {
    if (value === undefined || value === null) return {};
    at += `.${name}`;
    if (!isJsonObject(value)) {
      return { problem: accessorError(at, value, 'map[string]interface{}') };
    }
    value = getKey(value, name);
  }
  return { value };
}

function accessorError(path: string, value: JsonValue, wanted: string): string {
  const dotted = `.${path.replace(/^\./, '')}`;
  return `${dotted} accessor error: ${formatGo(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`;
}
