// Upstream: pkg/apis/core/helper/helpers.go
// Upstream: pkg/apis/core/validation/validation.go:
//   validateResourceRequirements, ValidateContainerResourceRequirements
import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  validateDns1123Label,
  validateQualifiedName,
} from 'client-ts/meta';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notFound,
  notSupported,
  required,
} from './field-error.ts';
import type { Loose } from './loose.ts';
import { MUST_NOT_BE_NEGATIVE } from './object-meta.ts';

type Requirements = Loose<core.ResourceRequirements>;
type ValidateResourceName = (name: string, field: string) => FieldError[];

/** Checks a resource name: a qualified name or a standard one. */
export function validateResourceName(name: string, field: string): FieldError[] {
  const errors = invalidEach(field, name, validateQualifiedName(name));
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors;
  return [invalid(field, name, 'must be a standard resource type or fully qualified')];
}

/** Checks a resource name in container requests and limits. */
export function validateContainerResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    return isStandardContainerResource(name)
      ? errors
      : [...errors, invalid(field, name, 'must be a standard resource for containers')];
  }
  return isNativeResource(name) || isExtendedResource(name)
    ? errors
    : [...errors, invalid(field, name, "doesn't follow extended resource name standard")];
}

/** Checks a resource name in pod-level requests and limits. */
function validatePodResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (errors.length > 0 || isSupportedPodLevelResource(name)) return errors;
  return [notSupported(field, name, SUPPORTED_POD_LEVEL_RESOURCES)];
}

/** Checks that an amount is not negative, and whole for resources that cannot be divided. */
export function validateResourceValue(name: string, value: Quantity, field: string): FieldError[] {
  return [
    ...(isNegativeQuantity(value)
      ? [invalid(field, quantityText(value), MUST_NOT_BE_NEGATIVE)]
      : []),
    ...(isIntegerResource(name) && !isIntegerQuantity(value)
      ? [invalid(field, quantityText(value), 'must be an integer')]
      : []),
  ];
}

/** Checks the requests and limits of a container. */
export function validateContainerResources(
  requirements: Requirements | undefined,
  claimNames: readonly string[],
  field: string,
): FieldError[] {
  return validateRequirements(requirements ?? {}, validateContainerResourceName, claimNames, field);
}

/** Checks pod-level requests and limits. */
export function validatePodLevelResources(
  requirements: Requirements,
  claimNames: readonly string[],
  field: string,
): FieldError[] {
  return validateRequirements(requirements, validatePodResourceName, claimNames, field);
}

function validateRequirements(
  { limits = {}, requests = {}, claims = [] }: Requirements,
  validateName: ValidateResourceName,
  claimNames: readonly string[],
  field: string,
): FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const lacksCompute = !names.includes('cpu') && !names.includes('memory');
  return [
    ...Object.entries(limits).flatMap(([name, value]) =>
      validateAmount(name, value, validateName, `${field}.limits[${name}]`),
    ),
    ...Object.entries(requests).flatMap(([name, value]) => [
      ...validateNameAndValue(name, value, validateName, `${field}.requests[${name}]`),
      ...validateAgainstLimit(name, value, getKey(limits, name), field),
      ...validateHugePages(name, value, `${field}.requests[${name}]`),
    ]),
    ...(lacksCompute && names.some(isHugePages)
      ? [forbidden(field, 'HugePages require cpu or memory')]
      : []),
    ...validateClaimNames(claims, claimNames, `${field}.claims`),
  ];
}

function validateAmount(
  name: string,
  value: Quantity,
  validateName: ValidateResourceName,
  field: string,
): FieldError[] {
  return [
    ...validateNameAndValue(name, value, validateName, field),
    ...validateHugePages(name, value, field),
  ];
}

function validateNameAndValue(
  name: string,
  value: Quantity,
  validateName: ValidateResourceName,
  field: string,
): FieldError[] {
  return [...validateName(name, field), ...validateResourceValue(name, value, field)];
}

function validateAgainstLimit(
  name: string,
  request: Quantity,
  limit: Quantity | undefined,
  field: string,
): FieldError[] {
  const mayOvercommit = isOvercommitAllowed(name);
  if (limit === undefined) {
    const detail = 'Limit must be set for non overcommitable resources';
    return mayOvercommit ? [] : [required(`${field}.limits`, detail)];
  }
  const order = compareQuantities(request, limit);
  const wrong = (relation: string): FieldError[] => [
    invalid(
      `${field}.requests`,
      quantityText(request),
      `must be ${relation} ${name} limit of ${quantityText(limit)}`,
    ),
  ];
  if (order !== 0 && !mayOvercommit) return wrong('equal to');
  return order > 0 ? wrong('less than or equal to') : [];
}

function validateHugePages(name: string, value: Quantity, field: string): FieldError[] {
  if (!isHugePages(name) || isMultipleOf(value, name.slice('hugepages-'.length))) return [];
  const text = quantityText(value);
  return [invalid(field, text, `${text} is not positive integer multiple of ${name}`)];
}

function validateClaimNames(
  claims: readonly Loose<core.ResourceClaim>[],
  podClaims: readonly string[],
  field: string,
): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap(({ name = '', request = '' }, index) => {
    const path = `${field}[${index}]`;
    if (name === '') return [required(path)];
    return [
      ...validateClaimOnce(name, request, seen, path),
      ...(podClaims.includes(name) ? [] : [claimNotFound(name, podClaims, path)]),
    ];
  });
}

/** Checks that a claim is used once as a whole, or once per request. */
function validateClaimOnce(
  name: string,
  request: string,
  seen: Set<string>,
  field: string,
): FieldError[] {
  if (seen.has(name)) return [duplicate(field, name)];
  const key = request === '' ? name : `${name}/${request}`;
  const errors =
    request === '' ? [] : invalidEach(`${field}.request`, request, validateDns1123Label(request));
  if (seen.has(key)) errors.push(duplicate(field, key));
  else if (request === '') {
    for (const other of seen) {
      if (other.startsWith(`${name}/`)) errors.push(duplicate(field, name));
    }
  }
  seen.add(key);
  return errors;
}

function claimNotFound(name: string, podClaims: readonly string[], field: string): FieldError {
  const choices =
    podClaims.length === 0 ? ' which is empty' : `: ${podClaims.toSorted().join(', ')}`;
  const detail = `must be one of the names in pod.spec.resourceClaims${choices}`;
  return notFound(field, name, detail);
}

/*
 * Classes of resource names. Native resources belong to Kubernetes, extended ones to devices and
 * operators.
 */

const COUNTED_OBJECTS = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];

const QUOTA_RESOURCES = new Set([
  ...COUNTED_OBJECTS,
  'cpu',
  'ephemeral-storage',
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
  'requests.storage',
]);

const INTEGER_RESOURCES = new Set(COUNTED_OBJECTS);
const CONTAINER_RESOURCES = new Set(['cpu', 'ephemeral-storage', 'memory']);

/** Resources that can be set at pod level, with huge pages of any size. */
const SUPPORTED_POD_LEVEL_RESOURCES: readonly string[] = ['cpu', 'hugepages-', 'memory'];

/** Returns true for huge pages of any size. */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Returns true for resources of Kubernetes itself. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Returns true for resources that devices and operators add. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

/** Returns true if limits may exceed requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Returns true for resources that every container can request. */
function isStandardContainerResource(name: string): boolean {
  return CONTAINER_RESOURCES.has(name) || isHugePages(name);
}

/** Returns true for names that need no domain. */
function isStandardResource(name: string): boolean {
  return name === 'storage' || isStandardQuotaResource(name);
}

/** Returns true for unqualified names that a quota can limit. */
export function isStandardQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** Returns true for resources that cannot be divided. */
function isIntegerResource(name: string): boolean {
  return INTEGER_RESOURCES.has(name) || isExtendedResource(name);
}

/** Returns true for resources that can be set at pod level. */
export function isSupportedPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/*
 * Helpers for quantities that are already decoded; none depends on the notation.
 */

/** Returns true for negative amounts; undefined is not negative. */
export function isNegativeQuantity(quantity: Quantity | undefined): boolean {
  return quantity !== undefined && parseQuantity(quantity).sign < 0;
}

/** Returns true for positive amounts. */
export function isPositiveQuantity(quantity: Quantity): boolean {
  return parseQuantity(quantity).sign > 0;
}

/** Returns true for whole numbers, to a precision of one thousandth. */
export function isIntegerQuantity(quantity: Quantity): boolean {
  return parseQuantity(quantity).milliValue() % 1000n === 0n;
}

/** Returns true if `quantity` is a multiple of `unit`, a positive whole number. */
function isMultipleOf(quantity: Quantity, unit: string): boolean {
  if (!/^[1-9][0-9]*([kMGTPE]|[KMGTPE]i)?$/.test(unit)) return false;
  return parseQuantity(quantity).value() % parseQuantity(unit).value() === 0n;
}

/** Returns the sum in the notation of the first. */
export function addQuantities(left: Quantity, right: Quantity): string {
  return parseQuantity(left).add(parseQuantity(right)).toString();
}

/** Returns the larger amount; the first if they are equal. */
export function maxQuantity(left: Quantity, right: Quantity): Quantity {
  return parseQuantity(left).compare(parseQuantity(right)) >= 0 ? left : right;
}

/** Returns the canonical text. */
export function quantityText(quantity: Quantity): string {
  return parseQuantity(quantity).toString();
}
