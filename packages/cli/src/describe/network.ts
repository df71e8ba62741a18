import type { Endpoints, Service, ServicePort } from 'client-ts/api/core/v1';
import type { Endpoint, EndpointSlice } from 'client-ts/api/discovery/v1';
import type {
  Ingress,
  IngressBackend,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  ServiceCIDR,
} from 'client-ts/api/networking/v1';
import { ApiError, type Condition } from 'client-ts/meta';

import { hostPort } from './containers.ts';
import type { Describer, Surroundings } from './describer.ts';
import { block, field, indent, type Lines, optional, table, type Value } from './lines.ts';
import {
  annotations,
  formatLabels,
  formatSelector,
  goTime,
  identity,
  labels,
  labelsAndAnnotations,
  localTime,
  type Loose,
  orNone,
  orUnset,
} from './values.ts';
import { joined } from './volumes.ts';

/** A service, with the addresses behind it. */
export const serviceDescriber: Describer<Service> = {
  hasEvents: true,
  lines: async (service, surroundings) => {
    const { metadata, spec = {}, status = {} } = service;
    const slices = await slicesOf(metadata?.namespace, metadata?.name, surroundings);
    const ingress = status.loadBalancer?.ingress ?? [];
    return [
      identity(service),
      labelsAndAnnotations(service),
      field('Selector', formatLabels(spec.selector)),
      field('Type', spec.type),
      optional('IP Family Policy', spec.ipFamilyPolicy),
      field('IP Families', joined(spec.ipFamilies)),
      field('IP', spec.clusterIP),
      field('IPs', joined(spec.clusterIPs)),
      optional('External IPs', spec.externalIPs?.join(',')),
      optional('Desired LoadBalancer IP', spec.loadBalancerIP),
      optional('External Name', spec.externalName),
      optional(
        'LoadBalancer Ingress',
        ingress
          .map(({ ip, ipMode, hostname = '' }) =>
            ip ? `${ip}${ipMode === undefined ? '' : ` (${ipMode})`}` : hostname,
          )
          .join(', '),
      ),
      spec.ports?.map((port) => portLines(port, slices)),
      field('Session Affinity', spec.sessionAffinity),
      optional('External Traffic Policy', spec.externalTrafficPolicy),
      optional('Internal Traffic Policy', spec.internalTrafficPolicy),
      optional('HealthCheck NodePort', spec.healthCheckNodePort || undefined),
      optional('LoadBalancer Source Ranges', spec.loadBalancerSourceRanges?.join(',')),
      optional('Traffic Distribution', spec.trafficDistribution),
    ];
  },
};

function portLines(service: Loose<ServicePort>, slices: readonly EndpointSlice[]): Lines {
  const { name = '', protocol = '', port, targetPort, nodePort = 0 } = service;
  const shownName = name === '' ? '<unset>' : name;
  return [
    field('Port', `${shownName}\t${port}/${protocol}`),
    field('TargetPort', `${targetPort ?? 0}/${protocol}`),
    optional('AppProtocol', service.appProtocol),
    nodePort !== 0 && field('NodePort', `${shownName}\t${nodePort}/${protocol}`),
    field('Endpoints', endpointList(slices, name)),
  ];
}

/** How many addresses are listed. */
const shownAddresses = 3;

async function slicesOf(
  namespace = '',
  service = '',
  { client, signal }: Surroundings,
): Promise<EndpointSlice[]> {
  const labelSelector = `kubernetes.io/service-name=${service}`;
  const slices = client.discoveryV1.endpointSlices(namespace);
  return (await slices.listAll({ labelSelector, signal }).toList()).items;
}

/** The first ready addresses of a port. */
function endpointList(slices: readonly EndpointSlice[], port: string): string {
  if (slices.length === 0) return '<none>';
  const all = slices.flatMap(({ ports, endpoints }) => {
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    const addresses = ready.map(({ addresses: [first = ''] }) => first);
    if (ports == null || ports.length === 0) return addresses;
    return ports
      .filter(({ name = '' }) => name === port)
      .flatMap((each) => addresses.map((address) => hostPort(address, each.port ?? 0)));
  });
  const more = all.length - shownAddresses;
  const shown = all.slice(0, shownAddresses).join(',');
  return more > 0 ? `${shown} + ${more} more...` : shown;
}

/** Endpoints. */
export const endpointsDescriber: Describer<Endpoints> = {
  hasEvents: true,
  lines: (endpoints) => [
    identity(endpoints),
    labelsAndAnnotations(endpoints),
    'Subsets:',
    endpoints.subsets?.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
      indent([
        field('Addresses', orNone(addresses.map(({ ip }) => ip).join(','))),
        field('NotReadyAddresses', orNone(notReadyAddresses.map(({ ip }) => ip).join(','))),
        ports.length > 0 && block('Ports', portTable(ports)),
      ]),
      '',
    ]),
  ],
};

function portTable(
  ports: readonly Loose<{ name: string; port: number; protocol: string }>[],
): Lines {
  return table(
    ['Name', 'Port', 'Protocol'],
    ports.map(({ name, port, protocol }) => [name || '<unset>', orUnset(port), protocol]),
  );
}

/** A slice of endpoints. */
export const endpointSliceDescriber: Describer<EndpointSlice> = {
  hasEvents: true,
  lines: (slice) => {
    const { ports = [], endpoints = [] } = slice;
    return [
      identity(slice),
      labelsAndAnnotations(slice),
      field('AddressType', slice.addressType),
      ports.length === 0 ? 'Ports: <unset>' : block('Ports', portTable(ports)),
      endpoints.length === 0
        ? 'Endpoints: <none>'
        : block('Endpoints', endpoints.map(endpointLines)),
    ];
  },
};

function endpointLines(endpoint: Loose<Endpoint>): Lines {
  const { addresses = [], conditions, hostname, targetRef, nodeName, zone } = endpoint;
  const ready = conditions?.ready;
  return [
    field('- Addresses', orNone(addresses.join(', '))),
    indent([
      block('Conditions', field('Ready', ready === undefined ? '<unset>' : ready)),
      field('Hostname', orUnset(hostname)),
      targetRef !== undefined &&
        field('TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`),
      field('NodeName', orUnset(nodeName)),
      field('Zone', orUnset(zone)),
    ]),
  ];
}

/** An ingress, with the addresses behind its rules. */
export const ingressDescriber: Describer<Ingress> = {
  hasEvents: true,
  lines: async (ingress, surroundings) => {
    const { metadata, spec = {}, status = {} } = ingress;
    const show = (each: Loose<IngressBackend> | undefined): Promise<string> =>
      backend(each, metadata?.namespace, surroundings);
    const fallback =
      spec.defaultBackend === undefined ? '<default>' : await show(spec.defaultBackend);
    const rows: Lines[] = [];
    for (const { host, http } of spec.rules ?? []) {
      if (http === undefined) continue;
      rows.push(`${host || '*'}\t`);
      for (const { path = '', backend: each } of http.paths ?? []) {
        rows.push(`  \t${path} \t${await show(each)}`);
      }
    }
    const addresses = (status.loadBalancer?.ingress ?? []).flatMap(
      ({ ip = '', hostname = '' }) => ip || hostname || [],
    );
    return [
      field('Name', metadata?.name),
      labels('Labels', metadata?.labels),
      field('Namespace', metadata?.namespace),
      field('Address', [...new Set(addresses)].toSorted().join(',')),
      field('Ingress Class', spec.ingressClassName ?? '<none>'),
      field('Default backend', fallback),
      (spec.tls ?? []).length > 0 &&
        block(
          'TLS',
          spec.tls?.map(({ hosts = [], secretName }) =>
            secretName
              ? `${secretName} terminates ${hosts.join(',')}`
              : `SNI routes ${hosts.join(',')}`,
          ),
        ),
      block(
        'Rules',
        table(['Host', 'Path', 'Backends'], []),
        rows.length === 0 ? `*\t*\t${fallback}` : rows,
      ),
      annotations('Annotations', metadata?.annotations),
    ];
  },
};

async function backend(
  shown: Loose<IngressBackend> | undefined,
  namespace: string | undefined,
  surroundings: Surroundings,
): Promise<string> {
  const { service, resource } = shown ?? {};
  if (service !== undefined) {
    const { name = '', port } = service;
    const text = `${name}:${port?.number ?? port?.name ?? ''}`;
    try {
      const slices = await slicesOf(namespace, name, surroundings);
      const { client, signal } = surroundings;
      const { spec } = await client.coreV1.services(namespace ?? '').get(name, { signal });
      const match = spec?.ports?.findLast((each) =>
        port?.number === undefined ? each.name === port?.name : each.port === port.number,
      );
      return `${text} (${endpointList(slices, match?.name ?? '')})`;
    } catch (error) {
      surroundings.signal.throwIfAborted();
      return `${text} (<error: ${messageOf(error)}>)`;
    }
  }
  if (resource === undefined) return '';
  const { apiGroup = '<none>', kind = '', name = '' } = resource;
  return `APIGroup: ${apiGroup}, Kind: ${kind}, Name: ${name}`;
}

/** The message of the server, without the request. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.status.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** A class of ingresses. */
export const ingressClassDescriber: Describer<IngressClass> = {
  hasEvents: true,
  lines: (ingressClass) => {
    const { metadata, spec = {} } = ingressClass;
    const { parameters } = spec;
    return [
      field('Name', metadata?.name),
      labelsAndAnnotations(ingressClass),
      field('Controller', spec.controller),
      parameters !== undefined &&
        block('Parameters', [
          optional('APIGroup', parameters.apiGroup),
          field('Kind', parameters.kind),
          field('Name', parameters.name),
        ]),
    ];
  },
};

/** A range of addresses of services. */
export const serviceCidrDescriber: Describer<ServiceCIDR> = {
  hasEvents: true,
  lines: (cidr) => {
    const { metadata, spec = {}, status = {} } = cidr;
    const { conditions = [] } = status;
    return [
      field('Name', metadata?.name),
      labelsAndAnnotations(cidr),
      field('CIDRs', spec.cidrs?.join(', ')),
      conditions.length > 0 && [
        'Status:',
        block('Conditions', table(conditionColumns, conditions.map(conditionRow))),
      ],
    ];
  },
};

/** The columns of {@link conditionRow}. */
export const conditionColumns: readonly string[] = [
  'Type',
  'Status',
  'LastTransitionTime',
  'Reason',
  'Message',
];

/** A condition with its time. */
export function conditionRow(condition: Loose<Condition>): Value[] {
  const { type, status, lastTransitionTime, reason, message } = condition;
  return [type, status, localTime(lastTransitionTime), reason, message];
}

/** An address of a service. */
export const ipAddressDescriber: Describer<IPAddress> = {
  hasEvents: true,
  lines: (address) => {
    const parent = address.spec?.parentRef;
    return [
      field('Name', address.metadata?.name),
      labelsAndAnnotations(address),
      parent !== undefined &&
        block('Parent Reference', [
          field('Group', parent.group),
          field('Resource', parent.resource),
          field('Namespace', parent.namespace),
          field('Name', parent.name),
        ]),
    ];
  },
};

/** A network policy. */
export const networkPolicyDescriber: Describer<NetworkPolicy> = {
  hasEvents: false,
  lines: (policy) => {
    const { metadata, spec = {} } = policy;
    const { podSelector, policyTypes = [], ingress = [], egress = [] } = spec;
    const pods = formatSelector(podSelector);
    const selected =
      pods === '<none>'
        ? '<none> (Allowing the specific traffic to all pods in this namespace)'
        : pods;
    return [
      identity(policy),
      field('Created on', goTime(metadata?.creationTimestamp)),
      labelsAndAnnotations(policy),
      block(
        'Spec',
        `PodSelector:     ${selected}`,
        policyTypes.includes('Ingress')
          ? traffic(
              'ingress',
              ingress.map(({ ports, from }) => ({ ports, peers: from })),
            )
          : 'Not affecting ingress traffic',
        policyTypes.includes('Egress')
          ? traffic(
              'egress',
              egress.map(({ ports, to }) => ({ ports, peers: to })),
            )
          : 'Not affecting egress traffic',
        `Policy Types: ${orNone(policyTypes.join(', '))}`,
      ),
    ];
  },
};

interface TrafficRule {
  readonly ports: readonly Loose<NetworkPolicyPort>[] | undefined;
  readonly peers: readonly Loose<NetworkPolicyPeer>[] | undefined;
}

function traffic(direction: 'egress' | 'ingress', rules: readonly TrafficRule[]): Lines {
  const isIngress = direction === 'ingress';
  const word = isIngress ? 'From' : 'To';
  const end = isIngress ? 'source' : 'destination';
  const label = `Allowing ${direction} traffic`;
  if (rules.length === 0) {
    return block(label, `<none> (Selected pods are isolated for ${direction} connectivity)`);
  }
  const shown = rules.map(({ ports = [], peers = [] }, index) => [
    ports.length === 0 ? 'To Port: <any> (traffic allowed to all ports)' : ports.map(portLine),
    peers.length === 0
      ? `${word}: <any> (traffic not restricted by ${end})`
      : peers.map((peer) => block(word, peerLines(peer))),
    index < rules.length - 1 && '----------',
  ]);
  return block(label, shown);
}

function portLine({ port, endPort, protocol = 'TCP' }: Loose<NetworkPolicyPort>): string {
  const shown = port ?? '<nil>';
  return endPort === undefined
    ? `To Port: ${shown}/${protocol}`
    : `To Port Range: ${shown}-${endPort}/${protocol}`;
}

function peerLines({ namespaceSelector, podSelector, ipBlock }: Loose<NetworkPolicyPeer>): Lines {
  if (namespaceSelector === undefined && podSelector === undefined) {
    const { cidr = '', except = [] } = ipBlock ?? {};
    return (
      ipBlock !== undefined && block('IPBlock', `CIDR: ${cidr}`, `Except: ${except.join(', ')}`)
    );
  }
  return [
    namespaceSelector !== undefined && `NamespaceSelector: ${formatSelector(namespaceSelector)}`,
    podSelector !== undefined && `PodSelector: ${formatSelector(podSelector)}`,
  ];
}
