// Upstream: pkg/apis/core/validation/validation.go: ValidateEnv, ValidateEnvFrom
import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Label, validateQualifiedName } from 'client-ts/meta';
import { validateNoBacksteps } from '../choices.ts';
import { type FieldError, invalid, invalidEach, notSupported, required } from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { nameIsDnsSubdomain, validateConfigMapKey, validateRelaxedEnvVarName } from '../names.ts';

/** The pod fields that an environment variable can refer to. */
const ENV_FIELD_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** The pod fields that a downward API file can refer to. */
export const VOLUME_FIELD_PATHS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Every field that the downward API supports anywhere. */
const KNOWN_FIELD_PATHS = new Set([
  ...ENV_FIELD_PATHS,
  ...VOLUME_FIELD_PATHS,
  'spec.host',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** Checks the environment variables of a container. */
export function validateEnv(vars: readonly Loose<core.EnvVar>[], field: string): FieldError[] {
  return vars.flatMap((variable, index) => {
    const { name = '' } = variable;
    const path = `${field}[${index}]`;
    return [
      ...(name === ''
        ? [required(`${path}.name`)]
        : invalidEach(`${path}.name`, name, validateRelaxedEnvVarName(name))),
      ...validateValueFrom(variable, `${path}.valueFrom`),
    ];
  });
}

function validateValueFrom(
  { value = '', valueFrom }: Loose<core.EnvVar>,
  field: string,
): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef];
  const count = sources.filter((source) => source !== undefined).length;
  return [
    ...(fieldRef ? validateFieldRef(fieldRef, ENV_FIELD_PATHS, `${field}.fieldRef`) : []),
    ...(resourceFieldRef
      ? validateResourceFieldRef(resourceFieldRef, `${field}.resourceFieldRef`, false)
      : []),
    ...(configMapKeyRef ? validateKeyRef(configMapKeyRef, `${field}.configMapKeyRef`) : []),
    ...(secretKeyRef ? validateKeyRef(secretKeyRef, `${field}.secretKeyRef`) : []),
    ...(fileKeyRef ? validateFileKeyRef(fileKeyRef, `${field}.fileKeyRef`) : []),
    ...countFault(count, value, field),
  ];
}

function countFault(count: number, value: string, field: string): FieldError[] {
  if (count === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    return [invalid(field, '', detail)];
  }
  if (value !== '') return [invalid(field, '', 'may not be specified when `value` is not empty')];
  return count > 1
    ? [invalid(field, '', 'may not have more than one field specified at a time')]
    : [];
}

/** Checks a reference to a field of the pod. */
export function validateFieldRef(
  { apiVersion = '', fieldPath = '' }: Loose<core.ObjectFieldSelector>,
  allowed: readonly string[],
  field: string,
): FieldError[] {
  if (apiVersion === '') return [required(`${field}.apiVersion`)];
  if (fieldPath === '') return [required(`${field}.fieldPath`)];
  const subscripted = /^([^[]+)\['(.*)'\]$/s.exec(fieldPath);
  const path = subscripted?.[1] ?? fieldPath;
  const problem = fieldPathProblem(apiVersion, fieldPath, path, subscripted !== null);
  if (problem !== undefined) {
    return [invalid(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${problem}`)];
  }
  if (subscripted !== null) {
    const key = subscripted[2] ?? '';
    const shown = path === 'metadata.annotations' ? key.toLowerCase() : key;
    return invalidEach(field, shown, validateQualifiedName(shown));
  }
  const converted = path === 'spec.host' ? 'spec.nodeName' : path;
  return allowed.includes(converted)
    ? []
    : [notSupported(`${field}.fieldPath`, converted, allowed.toSorted())];
}

function fieldPathProblem(
  apiVersion: string,
  fieldPath: string,
  path: string,
  isSubscripted: boolean,
): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (isSubscripted) {
    return path === 'metadata.annotations' || path === 'metadata.labels'
      ? undefined
      : `field label does not support subscript: ${fieldPath}`;
  }
  return KNOWN_FIELD_PATHS.has(path) ? undefined : `field label not supported: ${fieldPath}`;
}

/** Checks a reference to a container resource; only volumes must name the container. */
export function validateResourceFieldRef(
  { containerName = '', resource = '', divisor }: Loose<core.ResourceFieldSelector>,
  field: string,
  isVolume: boolean,
): FieldError[] {
  const isHugePages = /^(limits|requests)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (isVolume && containerName === '') {
    errors.push(required(`${field}.containerName`));
  } else if (resource === '') {
    errors.push(required(`${field}.resource`));
  } else if (!RESOURCES.includes(resource) && !isHugePages) {
    errors.push(notSupported(`${field}.resource`, resource, RESOURCES));
  }
  return [...errors, ...validateDivisor(resource, String(divisor ?? '0'), `${field}.divisor`)];
}

const SIZE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E'].concat([
  '1Ki',
  '1Mi',
  '1Gi',
  '1Ti',
  '1Pi',
  '1Ei',
]);

function validateDivisor(resource: string, divisor: string, field: string): FieldError[] {
  if (divisor === '0') return [];
  if (resource.endsWith('.cpu')) {
    return ['1m', '1'].includes(divisor)
      ? []
      : [
          invalid(
            field,
            resource,
            "only divisor's values 1m and 1 are supported with the cpu resource",
          ),
        ];
  }
  const what = sizeResource(resource);
  if (what === undefined || SIZE_DIVISORS.includes(divisor)) return [];
  const detail = `only divisor's values ${SIZE_DIVISORS.join(', ')} are supported with the ${what} resource`;
  return [invalid(field, resource, detail)];
}

function sizeResource(resource: string): string | undefined {
  const name = resource.replace(/^(limits|requests)\./, '');
  if (name === 'memory') return 'memory';
  if (name === 'ephemeral-storage') return 'local ephemeral storage';
  return name.startsWith('hugepages-') ? 'hugepages' : undefined;
}

function validateKeyRef(
  { name = '', key = '' }: Loose<core.ConfigMapKeySelector | core.SecretKeySelector>,
  field: string,
): FieldError[] {
  return [
    ...invalidEach(`${field}.name`, name, nameIsDnsSubdomain(name, false)),
    ...(key === ''
      ? [required(`${field}.key`)]
      : invalidEach(`${field}.key`, key, validateConfigMapKey(key))),
  ];
}

function validateFileKeyRef(
  { key = '', volumeName = '', path = '' }: Loose<core.FileKeySelector>,
  field: string,
): FieldError[] {
  return [
    ...(key === ''
      ? [required(`${field}.key`)]
      : invalidEach(`${field}.key`, key, validateRelaxedEnvVarName(key))),
    ...(volumeName === ''
      ? [required(`${field}.volumeName`)]
      : invalidEach(`${field}.volumeName`, volumeName, validateDns1123Label(volumeName))),
    ...(path === '' ? [required(`${field}.path`)] : validateNoBacksteps(path, `${field}.path`)),
  ];
}

/** Checks the `envFrom` sources of a container. */
export function validateEnvFrom(
  sources: readonly Loose<core.EnvFromSource>[],
  field: string,
): FieldError[] {
  return sources.flatMap(({ prefix = '', configMapRef, secretRef }, index) => {
    const path = `${field}[${index}]`;
    const count = [configMapRef, secretRef].filter((source) => source !== undefined).length;
    return [
      ...(prefix === ''
        ? []
        : invalidEach(`${path}.prefix`, prefix, validateRelaxedEnvVarName(prefix))),
      ...(configMapRef ? validateEnvSource(configMapRef.name ?? '', `${path}.configMapRef`) : []),
      ...(secretRef ? validateEnvSource(secretRef.name ?? '', `${path}.secretRef`) : []),
      ...(count === 0
        ? [invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`')]
        : []),
      ...(count > 1
        ? [invalid(field, '', 'may not have more than one field specified at a time')]
        : []),
    ];
  });
}

function validateEnvSource(name: string, field: string): FieldError[] {
  return name === ''
    ? [required(`${field}.name`)]
    : invalidEach(`${field}.name`, name, nameIsDnsSubdomain(name, true));
}
