// Upstream: pkg/apis/core/validation/validation.go: ValidateServiceClusterIPsRelatedFields
import type * as core from 'client-ts/api/core/v1';
import { validateOptionalChoice } from '../../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  required,
} from '../../../../validation/field-error.ts';
import { isDualStack, parseIP, validateIP } from '../../../../validation/ip.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { isHeadless, needsClusterIP } from './types.ts';

type Service = Loose<core.Service>;
type ServiceSpec = Loose<core.ServiceSpec>;

const FIELD = 'spec.clusterIPs';

/** Checks cluster IPs, IP families and IP family policy against each other. */
export function validateClusterIPs({ spec = {} }: Service, old: Service | undefined): FieldError[] {
  if (!needsClusterIP(spec)) return [];
  const { clusterIP = '', clusterIPs = [], ipFamilies = [] } = spec;
  const addresses = validateAddresses(clusterIPs, old?.spec?.clusterIPs ?? []);
  const errors = [
    ...validateFirst(clusterIP, clusterIPs),
    ...ipFamilies.flatMap((family, index) => [
      ...validateOptionalChoice(family, ['IPv4', 'IPv6'], `spec.ipFamilies[${index}]`),
      ...(ipFamilies.indexOf(family) < index
        ? [duplicate(`spec.ipFamilies[${index}]`, family)]
        : []),
    ]),
    ...validateOptionalChoice(
      spec.ipFamilyPolicy,
      ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
      'spec.ipFamilyPolicy',
    ),
    ...addresses,
    ...(clusterIPs.length > 2 ? [invalid(FIELD, clusterIPs, 'may only hold up to 2 values')] : []),
  ];
  if (addresses.length > 0) return errors;
  return [
    ...errors,
    ...(clusterIPs.length > 1 && !isDualStack(clusterIPs.map(parseIP))
      ? [invalid(FIELD, clusterIPs, 'may specify no more than one IP for each IP family')]
      : []),
    ...(isHeadless(spec) ? [] : validateFamilies(clusterIPs, ipFamilies)),
  ];
}

function validateFirst(clusterIP: string, clusterIPs: readonly string[]): FieldError[] {
  if (clusterIP === '') {
    const detail = 'must be empty when `clusterIP` is not specified';
    return clusterIPs.length === 0 ? [] : [invalid(FIELD, clusterIPs, detail)];
  }
  if (clusterIPs.length === 0) return [required(FIELD)];
  return clusterIPs[0] === clusterIP
    ? []
    : [invalid(FIELD, clusterIPs, 'first value must match `clusterIP`')];
}

function validateAddresses(
  clusterIPs: readonly string[],
  existing: readonly string[],
): FieldError[] {
  return clusterIPs.flatMap((address, index) => {
    if (index > 0 || address !== 'None') {
      return validateIP(`${FIELD}[${index}]`, address, existing);
    }
    return clusterIPs.length > 1
      ? [invalid(FIELD, clusterIPs, "'None' must be the first and only value")]
      : [];
  });
}

function validateFamilies(
  clusterIPs: readonly string[],
  ipFamilies: readonly string[],
): FieldError[] {
  return clusterIPs.slice(0, ipFamilies.length).flatMap((address, index) => {
    const family = ipFamilies[index];
    const isKnown = family === 'IPv4' || family === 'IPv6';
    if (!isKnown || parseIP(address)?.family === family) return [];
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    return [invalid(`${FIELD}[${index}]`, address, detail)];
  });
}

/** The primary cluster IP and family are immutable; the secondary ones may be added and removed. */
export function validateClusterIPsUpdate(service: Service, old: Service): FieldError[] {
  const spec = service.spec ?? {};
  const before = old.spec ?? {};
  if (!needsClusterIP(spec) || !needsClusterIP(before)) return [];
  return [...validateKeptAddresses(spec, before), ...validateKeptFamilies(spec, before)];
}

function validateKeptAddresses(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  if (isHeadless(spec) && isHeadless(before)) return [];
  const { clusterIPs = [] } = spec;
  const { clusterIPs: oldIPs = [] } = before;
  const changed = (index: number): FieldError =>
    invalid(`${FIELD}[${index}]`, clusterIPs, 'may not change once set');
  if (oldIPs.length === clusterIPs.length) {
    return oldIPs.flatMap((address, index) =>
      address === clusterIPs[index] ? [] : [changed(index)],
    );
  }
  const firstChanged =
    oldIPs.length > 0 && clusterIPs.length > 0 && clusterIPs[0] !== oldIPs[0] ? [changed(0)] : [];
  if (oldIPs.length < clusterIPs.length) return firstChanged;
  return [
    ...(clusterIPs.length === 0
      ? [invalid(`${FIELD}[0]`, undefined, 'primary clusterIP can not be unset')]
      : []),
    ...firstChanged,
    ...(clusterIPs.length === 1 ? releasing(spec, 'clusterIP') : []),
  ];
}

function releasing({ ipFamilyPolicy }: ServiceSpec, what: string): FieldError[] {
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return ipFamilyPolicy === 'SingleStack'
    ? []
    : [invalid('spec.ipFamilyPolicy', ipFamilyPolicy, detail)];
}

function validateKeptFamilies(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  if (isHeadless(spec) || isHeadless(before)) return [];
  const field = 'spec.ipFamilies[0]';
  const { ipFamilies = [], clusterIPs = [] } = spec;
  const { ipFamilies: oldFamilies = [] } = before;
  if (oldFamilies.length === ipFamilies.length) {
    return oldFamilies.flatMap((family, index) =>
      family === ipFamilies[index] ? [] : [invalid(field, ipFamilies, 'may not change once set')],
    );
  }
  const firstChanged =
    oldFamilies.length > 0 && ipFamilies.length > 0 && ipFamilies[0] !== oldFamilies[0]
      ? [invalid(field, clusterIPs, 'may not change once set')]
      : [];
  if (oldFamilies.length < ipFamilies.length) return firstChanged;
  return [
    ...(clusterIPs.length === 0
      ? [invalid(field, ipFamilies, 'primary ipFamily can not be unset')]
      : []),
    ...firstChanged,
    ...(ipFamilies.length === 1 ? releasing(spec, 'ipFamily') : []),
  ];
}
