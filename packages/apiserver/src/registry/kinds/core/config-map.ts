// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_ConfigMap
// Upstream: pkg/apis/core/validation/validation.go: ValidateConfigMap, ValidateConfigMapUpdate
// Upstream: pkg/registry/core/configmap/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printConfigMap
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  tooLong,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { validateConfigMapKey } from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';

type ConfigMap = Loose<core.ConfigMap>;

/** Size limit of the values in a ConfigMap or Secret. */
export const MAX_DATA_SIZE: number = 1024 * 1024;

const meta = metaValidator({ namespaced: true });

/** Rules of ConfigMaps. */
export const configMapStrategy: Strategy<ConfigMap> = {
  validate,
  validateUpdate: (configMap, old) => [
    ...meta.update(configMap, old),
    ...validateImmutable(configMap, old, ['data', 'binaryData']),
    ...validate(configMap),
  ],
  generation: 'none',
};

function validate(configMap: ConfigMap): FieldError[] {
  const { data = {}, binaryData = {} } = configMap;
  const size =
    Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
    base64Size(binaryData);
  return [
    ...meta.create(configMap),
    ...Object.keys(data).flatMap((key) => [
      ...invalidEach(`data[${key}]`, key, validateConfigMapKey(key)),
      ...(Object.hasOwn(binaryData, key)
        ? [invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')]
        : []),
    ]),
    ...Object.keys(binaryData).flatMap((key) =>
      invalidEach(`binaryData[${key}]`, key, validateConfigMapKey(key)),
    ),
    // The error belongs to no field, which kube-apiserver writes as `[]`.
    ...(size > MAX_DATA_SIZE ? [tooLong('[]', MAX_DATA_SIZE)] : []),
  ];
}

/** Returns the decoded size of base64 values. */
export function base64Size(data: Readonly<Record<string, string>>): number {
  return Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text, 'base64'), 0);
}

/** Checks that an object marked immutable keeps its content and the mark. */
export function validateImmutable<T extends { immutable?: boolean }>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  return [
    ...(object.immutable === true ? [] : [forbidden('immutable', detail)]),
    ...fields
      .filter((field) => !jsonEqual(object[field] ?? {}, old[field] ?? {}))
      .map((field) => forbidden(field, detail)),
  ];
}

/** The table of ConfigMaps. */
export const configMapPrinter: Printer<Printable<ConfigMap>> = printer([
  nameColumn(),
  column('Data', 'Number of keys', ({ data, binaryData }) => sizeOf(data) + sizeOf(binaryData)),
  ageColumn(),
]);

export function sizeOf(map: object | null | undefined): number {
  return Object.keys(map ?? {}).length;
}
