import type { Endpoints, Service } from 'client-ts/api/core/v1';
import type { EndpointSlice } from 'client-ts/api/discovery/v1';
import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from 'client-ts/api/networking/v1';
import { annotationsOf, groupResourceName } from 'client-ts/meta';
import { since, UNKNOWN } from './ages.ts';
import { ageColumn, column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import {
  firstFew,
  formatLabels,
  formatSelector,
  hostPort,
  inOrder,
  NONE,
  orNone,
  UNSET,
} from './texts.ts';

/** The table of Services. */
export const servicePrinter: Printer<Printable<Service>> = printer([
  nameColumn(),
  column('Type', 'How far the service can be reached', ({ spec }) => spec?.type ?? ''),
  column('Cluster-IP', 'Address within the cluster', ({ spec }) => spec?.clusterIPs?.[0] ?? NONE),
  column('External-IP', 'Addresses or name outside of the cluster', externalAddress),
  column('Port(s)', 'Ports, with those on the nodes behind a colon', formatServicePorts),
  ageColumn(),
  column(
    'Selector',
    'Labels of the pods behind the service',
    ({ spec }) => formatLabels(spec?.selector),
    {
      wide: true,
    },
  ),
]);

function externalAddress({ spec, status }: Printable<Service>): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(external.join(','));
    case 'LoadBalancer': {
      const all = [...balancerAddresses(status?.loadBalancer?.ingress), ...external];
      return all.length === 0 ? '<pending>' : all.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

/** Where a load balancer can be reached: addresses, or names where it has none. */
function balancerAddresses(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | null | undefined,
): string[] {
  const found = (ingress ?? []).map(({ ip = '', hostname = '' }) => (ip === '' ? hostname : ip));
  return inOrder(found.filter((address) => address !== ''));
}

function formatServicePorts({ spec }: Printable<Service>): string {
  const ports = (spec?.ports ?? []).map(({ port = 0, nodePort = 0, protocol = '' }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return orNone(ports.join(','));
}

/** The table of Endpoints. */
export const endpointsPrinter: Printer<Printable<Endpoints>> = printer([
  nameColumn(),
  column('Endpoints', 'Addresses and ports that answer for the service', formatEndpoints),
  ageColumn(),
]);

function formatEndpoints({ subsets }: Printable<Endpoints>): string {
  if ((subsets ?? []).length === 0) return NONE;
  const all = (subsets ?? []).flatMap(({ addresses, ports }) => {
    const hosts = (addresses ?? []).map(({ ip = '' }) => ip);
    if ((ports ?? []).length === 0) return hosts;
    return (ports ?? []).flatMap(({ port = 0 }) => hosts.map((host) => hostPort(host, port)));
  });
  return firstFew(all);
}

/** The table of EndpointSlices. */
export const endpointSlicePrinter: Printer<Printable<EndpointSlice>> = printer([
  nameColumn(),
  column('AddressType', 'What kind of addresses these are', ({ addressType }) => addressType ?? ''),
  column('Ports', 'Ports of all endpoints', ({ ports }) => {
    const all = (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'));
    return orUnset(firstFew(all));
  }),
  column('Endpoints', 'Addresses of all endpoints', ({ endpoints }) =>
    orUnset(firstFew((endpoints ?? []).flatMap(({ addresses }) => addresses ?? []))),
  ),
  ageColumn(),
]);

function orUnset(text: string): string {
  return text === '' ? UNSET : text;
}

/** The table of Ingresses. */
export const ingressPrinter: Printer<Printable<Ingress>> = printer([
  nameColumn(),
  column(
    'Class',
    'Class that says who looks after the ingress',
    ({ spec }) => spec?.ingressClassName ?? NONE,
  ),
  column('Hosts', 'Names that requests are told apart by', formatHosts),
  column('Address', 'Where the ingress can be reached', ({ status }) =>
    balancerAddresses(status?.loadBalancer?.ingress).join(','),
  ),
  column('Ports', 'Ports that it listens on', ({ spec }) =>
    (spec?.tls ?? []).length > 0 ? '80, 443' : '80',
  ),
  ageColumn(),
]);

const MOST_HOSTS = 3;

function formatHosts({ spec }: Printable<Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let hasMore = false;
  for (const { host = '' } of rules) {
    if (hosts.length === MOST_HOSTS) hasMore = true;
    else if (host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  // What is left is counted by rules, also those without a host.
  return hasMore ? `${hosts.join(',')} + ${rules.length - MOST_HOSTS} more...` : hosts.join(',');
}

const DEFAULT_INGRESS_CLASS = 'ingressclass.kubernetes.io/is-default-class';

/** The table of IngressClasses. */
export const ingressClassPrinter: Printer<Printable<IngressClass>> = printer([
  nameColumn((ingressClass) =>
    annotationsOf(ingressClass)[DEFAULT_INGRESS_CLASS] === 'true' ? ' (default)' : '',
  ),
  column(
    'Controller',
    'Who looks after ingresses of the class',
    ({ spec }) => spec?.controller ?? '',
  ),
  column('Parameters', 'Where the class has its settings', ({ spec }) => {
    if (spec?.parameters === undefined) return NONE;
    const { apiGroup, kind = '', name = '' } = spec.parameters;
    return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
  }),
  ageColumn(),
]);

/** The table of NetworkPolicies. */
export const networkPolicyPrinter: Printer<Printable<NetworkPolicy>> = printer([
  nameColumn(),
  column('Pod-Selector', 'Labels of the pods that the policy is for', ({ spec }) =>
    formatSelector(spec?.podSelector),
  ),
  ageColumn(),
]);

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
