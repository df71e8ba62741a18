// Upstream: pkg/apis/networking/validation/validation.go: ValidateIPAddress, ValidateServiceCIDR
// Upstream: pkg/registry/networking/ipaddress/strategy.go
// Upstream: pkg/registry/networking/servicecidr/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printIPAddress, printServiceCIDR
import type * as networking from 'client-ts/api/networking/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  groupResourceName,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from 'client-ts/meta';
import {
  type FieldError,
  invalid,
  invalidEach,
  required,
} from '../../../validation/field-error.ts';
import { canonicalIPProblems, parseCIDR, validateCanonicalCIDR } from '../../../validation/ip.ts';
import type { Loose } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, metaValidator } from '../../../validation/object-meta.ts';
import { since } from '../../printers/ages.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { NONE } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';

/*
 * ServiceCIDRs, the ranges of cluster IPs, and IPAddresses, the allocated ones.
 */

type IPAddress = Loose<networking.IPAddress>;
type ServiceCIDR = Loose<networking.ServiceCIDR>;

/** The name of an IPAddress is the address itself. */
const addressMeta = metaValidator({ namespaced: false, validateName: canonicalIPProblems });

/** Rules of IPAddresses. */
export const ipAddressStrategy: Strategy<IPAddress> = {
  validate: (address) => [
    ...addressMeta.create(address),
    ...validateParent(address.spec?.parentRef, 'spec.parentRef'),
  ],
  validateUpdate: (address, old) => [
    ...addressMeta.update(address, old),
    ...(jsonEqual(address.spec?.parentRef, old.spec?.parentRef)
      ? []
      : [invalid('spec.parentRef', printableParent(address.spec?.parentRef), FIELD_IS_IMMUTABLE)]),
  ],
  validateName: canonicalIPProblems,
  generation: 'none',
};

function printableParent(parent: Loose<networking.ParentReference> | undefined): unknown {
  if (parent === undefined) return undefined;
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  return { Group: group, Resource: resource, Namespace: namespace, Name: name };
}

function validateParent(
  parent: Loose<networking.ParentReference> | undefined,
  field: string,
): FieldError[] {
  if (parent === undefined) return [required(field)];
  const { group = '', resource = '', name = '', namespace = '' } = parent;
  return [
    ...(group === '' ? [] : invalidEach(`${field}.group`, group, validateDns1123Subdomain(group))),
    ...(resource === ''
      ? [required(`${field}.resource`)]
      : invalidEach(`${field}.resource`, resource, validatePathSegmentName(resource))),
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, validatePathSegmentName(name))),
    ...invalidEach(`${field}.namespace`, namespace, validatePathSegmentName(namespace)),
  ];
}

const rangeMeta = metaValidator({ namespaced: false });

/** Rules of ServiceCIDRs. */
export const serviceCIDRStrategy: Strategy<ServiceCIDR> = {
  validate: (range) => [...rangeMeta.create(range), ...validateRanges(range)],
  validateUpdate: (range, old) => [...rangeMeta.update(range, old), ...validateUpdate(range, old)],
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: rangeMeta.update,
  generation: 'none',
};

function validateRanges({ spec = {} }: ServiceCIDR): FieldError[] {
  const field = 'spec.cidrs';
  const { cidrs = [] } = spec;
  if (cidrs.length === 0) return [required(field, 'at least one CIDR required')];
  if (cidrs.length > 2) {
    return [invalid(field, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  }
  const [first, second] = cidrs.map((cidr) => parseCIDR(cidr)?.family);
  return [
    ...cidrs.flatMap((cidr, index) => validateCanonicalCIDR(`${field}[${index}]`, cidr)),
    ...(cidrs.length === 2 && first === second && first !== undefined
      ? [
          invalid(
            field,
            cidrs,
            'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
          ),
        ]
      : []),
  ];
}

/** A ServiceCIDR is immutable, except that a range of the other family may be added. */
function validateUpdate(range: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  const field = 'spec.cidrs';
  const before = old.spec?.cidrs ?? [];
  const after = range.spec?.cidrs ?? [];
  const gains = before.length === 1 && after.length === 2;
  if (before.length !== after.length && !gains) return [invalid(field, after, FIELD_IS_IMMUTABLE)];
  return [
    ...before.flatMap((cidr, index) =>
      cidr === after[index]
        ? []
        : [invalid(`${field}[${index}]`, after[index], FIELD_IS_IMMUTABLE)],
    ),
    ...(gains ? validateRanges(range) : []),
  ];
}

/** The table of ServiceCIDRs. */
export const serviceCidrPrinter: Printer<Printable<ServiceCIDR>> = printer([
  nameColumn(),
  column('CIDRs', 'Ranges of the cluster IPs', ({ spec }) => (spec?.cidrs ?? []).join(',')),
  ageColumn(),
]);

const ipAddressColumns = printer<Printable<IPAddress>>([
  nameColumn(),
  column('ParentRef', 'Object that the address is allocated to', ({ spec }) => {
    if (spec?.parentRef === undefined) return NONE;
    const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef;
    const parts = [groupResourceName({ group, resource }).toLowerCase(), namespace, name];
    return parts.filter((part, index) => index !== 1 || part !== '').join('/');
  }),
]);

/** The table of IPAddresses. kube-apiserver adds a cell for the age, without a column for it. */
export const ipAddressPrinter: Printer<Printable<IPAddress>> = {
  ...ipAddressColumns,
  cells: (address, now) => [
    ...ipAddressColumns.cells(address, now),
    since(address.metadata?.creationTimestamp, now),
  ],
};
