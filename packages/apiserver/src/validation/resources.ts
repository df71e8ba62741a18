import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import {
  compareQuantities,
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
import { isIntegerQuantity, isMultipleOf, isNegativeQuantity, quantityText } from './quantities.ts';
import {
  isExtendedResource,
  isHugePages,
  isIntegerResource,
  isNativeResource,
  isOvercommitAllowed,
  isStandardContainerResource,
  isStandardResource,
  isSupportedPodLevelResource,
  SUPPORTED_POD_LEVEL_RESOURCES,
} from './resource-names.ts';

type Requirements = Loose<core.ResourceRequirements>;
type ValidateResourceName = (name: string, field: string) => FieldError[];

/** A qualified name, or one of the names that Kubernetes itself gives meaning to. */
export function validateResourceName(name: string, field: string): FieldError[] {
  const errors = invalidEach(field, name, validateQualifiedName(name));
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors;
  return [invalid(field, name, 'must be a standard resource type or fully qualified')];
}

/** A resource that a container can ask for. */
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

/** A resource that a pod as a whole can ask for. */
function validatePodResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (errors.length > 0 || isSupportedPodLevelResource(name)) return errors;
  return [notSupported(field, name, SUPPORTED_POD_LEVEL_RESOURCES)];
}

/** Not negative, and whole where only whole numbers make sense. */
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

/** Checks the requests and limits of one container. */
export function validateContainerResources(
  requirements: Requirements | undefined,
  claimNames: readonly string[],
  field: string,
): FieldError[] {
  return validateRequirements(requirements ?? {}, validateContainerResourceName, claimNames, field);
}

/** Checks the requests and limits of a pod as a whole. */
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

/** A claim may be used as a whole once, or by each of its requests once. */
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
