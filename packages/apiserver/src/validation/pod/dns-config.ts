import type * as core from 'client-ts/api/core/v1';
import { validateDns1123SubdomainWithUnderscore } from 'client-ts/meta';
import { type FieldError, invalid, invalidEach, required } from '../field-error.ts';
import { validateIP } from '../ip.ts';
import type { Loose } from '../loose.ts';

const MOST_NAMESERVERS = 3;
const MOST_SEARCHES = 32;
const LONGEST_SEARCHES = 2048;

/** Checks the resolver of a pod; it is needed where the policy is to take nothing from the node. */
export function validateDNSConfig(
  { dnsConfig, dnsPolicy }: Loose<core.PodSpec>,
  field: string,
): FieldError[] {
  if (dnsPolicy === 'None' && dnsConfig === undefined) {
    return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (dnsConfig === undefined) return [];
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [required(`${field}.nameservers`, detail)];
  }
  const tooManyOf = (
    what: string,
    values: readonly string[],
    limit: number,
    unit: string,
  ): FieldError => invalid(`${field}.${what}`, values, `must not have more than ${limit} ${unit}`);
  return [
    ...(nameservers.length > MOST_NAMESERVERS
      ? [tooManyOf('nameservers', nameservers, MOST_NAMESERVERS, 'nameservers')]
      : []),
    ...nameservers.flatMap((server, index) => validateIP(`${field}.nameservers[${index}]`, server)),
    ...(searches.length > MOST_SEARCHES
      ? [tooManyOf('searches', searches, MOST_SEARCHES, 'search paths')]
      : []),
    ...(searches.join(' ').length > LONGEST_SEARCHES
      ? [
          tooManyOf(
            'searches',
            searches,
            LONGEST_SEARCHES,
            'characters (including spaces) in the search list',
          ),
        ]
      : []),
    ...searches.flatMap((search, index) => {
      const name = search === '.' ? '' : search.replace(/\.$/, '');
      return search === '.'
        ? []
        : invalidEach(
            `${field}.searches[${index}]`,
            name,
            validateDns1123SubdomainWithUnderscore(name),
          );
    }),
    ...options.flatMap(({ name = '' }, index) =>
      name === '' ? [required(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}
