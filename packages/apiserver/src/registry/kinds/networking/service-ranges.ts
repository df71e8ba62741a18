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

/* The addresses that Services get: the ranges they come from, and each that is taken. */

type IPAddress = Loose<networking.IPAddress>;
type ServiceCIDR = Loose<networking.ServiceCIDR>;

/** An IPAddress is called what it is. */
const addressMeta = metaValidator({ namespaced: false, validateName: canonicalIPProblems });

/** An address that is taken; it is called what it is. */
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

/** A range that addresses of services come from. */
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

/** A range stays as it is, except that one of the other family may come to it. */
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
  column('CIDRs', 'Ranges that services get their addresses from', ({ spec }) =>
    (spec?.cidrs ?? []).join(','),
  ),
  ageColumn(),
]);

const ipAddressColumns = printer<Printable<IPAddress>>([
  nameColumn(),
  column('ParentRef', 'What the address was given to', ({ spec }) => {
    if (spec?.parentRef === undefined) return NONE;
    const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef;
    const parts = [groupResourceName({ group, resource }).toLowerCase(), namespace, name];
    return parts.filter((part, index) => index !== 1 || part !== '').join('/');
  }),
]);

/** The table of IPAddresses. A real server sends the age too, though it has no column for it. */
export const ipAddressPrinter: Printer<Printable<IPAddress>> = {
  ...ipAddressColumns,
  cells: (address, now) => [
    ...ipAddressColumns.cells(address, now),
    since(address.metadata?.creationTimestamp, now),
  ],
};
