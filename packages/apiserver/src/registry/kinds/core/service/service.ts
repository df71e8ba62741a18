// Upstream: pkg/registry/core/service/strategy.go
// Upstream: pkg/api/service/warnings.go
// Upstream: pkg/printers/internalversion/printers.go: printService
import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Subdomain } from 'client-ts/meta';
import { validateOptionalChoice } from '../../../../validation/choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
} from '../../../../validation/field-error.ts';
import { parseIP, validateIP, warningsForCIDR, warningsForIP } from '../../../../validation/ip.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { nameIsDnsLabel } from '../../../../validation/names.ts';
import { metaValidator } from '../../../../validation/object-meta.ts';
import { UNKNOWN } from '../../../printers/ages.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../../printers/printer.ts';
import { balancerAddresses, formatLabels, NONE, orNone } from '../../../printers/texts.ts';
import type { Strategy } from '../../../strategy.ts';
import { keepSpec } from '../../support.ts';
import { allocateForCreate, allocateForUpdate, releaseAll } from './allocation.ts';
import { validateClusterIPsUpdate } from './cluster-ips.ts';
import { dropFieldsOfOldType, isHeadless, needsHealthCheck, setServiceDefaults } from './types.ts';
import { validateLoadBalancerClass, validateService } from './validation.ts';

type Service = Loose<core.Service>;

const HINTS = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';
const meta = metaValidator({ namespaced: true, validateName: nameIsDnsLabel });

/** Rules of Services. Cluster IPs and node ports come from the allocators of the cluster. */
export const serviceStrategy: Strategy<Service> = {
  setDefaults: setServiceDefaults,
  prepareForCreate: (service, { allocators }) => allocateForCreate(service, allocators),
  prepareForUpdate: (service, old, { allocators }) => {
    allocateForUpdate(service, old, allocators);
    dropFieldsOfOldType(service, old);
  },
  validate: (service) => [...meta.create(service), ...validateService(service, undefined)],
  validateUpdate: (service, old) => [
    ...meta.update(service, old),
    ...validateClusterIPsUpdate(service, old),
    ...validateLoadBalancerClass(service.spec ?? {}, old.spec ?? {}),
    ...validateHealthCheckUpdate(service, old),
    ...validateService(service, old),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (service, old) => [
    ...meta.update(service, old),
    ...validateIngress(service, old),
  ],
  afterDelete: (service, { allocators }) => releaseAll(service, allocators),
  warnings: serviceWarnings,
  statusWarnings: ({ status }) =>
    (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
      warningsForIP(`status.loadBalancer.ingress[${index}]`, ip),
    ),
  validateName: nameIsDnsLabel,
  selectableFields: ({ spec = {} }) => ({
    'spec.clusterIP': spec.clusterIP ?? '',
    'spec.type': spec.type ?? '',
  }),
  selectableFieldNames: ['metadata.namespace', 'metadata.name', 'spec.clusterIP', 'spec.type'],
  generation: 'none',
  createOnUpdate: true,
  deleteReturnsObject: true,
};

function validateHealthCheckUpdate(
  { spec = {} }: Service,
  { spec: before = {} }: Service,
): FieldError[] {
  const bothNeed = needsHealthCheck(before) && needsHealthCheck(spec);
  return bothNeed && before.healthCheckNodePort !== spec.healthCheckNodePort
    ? [forbidden('spec.healthCheckNodePort', 'field is immutable')]
    : [];
}

function validateIngress({ spec, status }: Service, old: Service): FieldError[] {
  const field = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (spec?.type !== 'LoadBalancer') {
    const detail = "may only be used when `spec.type` is 'LoadBalancer'";
    return ingress.length === 0 ? [] : [forbidden(field, detail)];
  }
  const existing = (old.status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip);
  return ingress.flatMap(({ ip = '', ipMode, hostname = '' }, index) => {
    const path = `${field}[${index}]`;
    return [
      ...(ip === '' ? [] : validateIP(`${path}.ip`, ip, existing)),
      ...validateIPMode(ip, ipMode, `${path}.ipMode`),
      ...(hostname === ''
        ? []
        : [
            ...invalidEach(`${path}.hostname`, hostname, validateDns1123Subdomain(hostname)),
            ...(parseIP(hostname) === undefined
              ? []
              : [invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address')]),
          ]),
    ];
  });
}

function validateIPMode(ip: string, mode: string | undefined, field: string): FieldError[] {
  if (mode === undefined) {
    return ip === '' ? [] : [required(field, 'must be specified when `ip` is set')];
  }
  return ip === ''
    ? [forbidden(field, 'may not be specified when `ip` is not set')]
    : validateOptionalChoice(mode, ['Proxy', 'VIP'], field);
}

function serviceWarnings({ metadata, spec = {} }: Service): string[] {
  const { externalIPs = [], clusterIP = '', loadBalancerIP = '' } = spec;
  const usesExternalIPs =
    externalIPs.length > 0 && !isHeadless(spec) && spec.type !== 'ExternalName';
  const hasAddress = clusterIP !== '' && clusterIP !== 'None';
  return [
    ...(metadata?.annotations?.[HINTS] === undefined
      ? []
      : [`annotation ${HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`]),
    ...(hasAddress ? (spec.clusterIPs ?? []) : []).flatMap((address, index) =>
      warningsForIP(`spec.clusterIPs[${index}]`, address),
    ),
    ...(isHeadless(spec) ? headlessWarnings(spec) : []),
    ...externalIPs.flatMap((address, index) =>
      warningsForIP(`spec.externalIPs[${index}]`, address),
    ),
    ...(usesExternalIPs
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(loadBalancerIP === '' ? [] : warningsForIP('spec.loadBalancerIP', loadBalancerIP)),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      warningsForCIDR(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...(spec.type === 'ExternalName' && externalIPs.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(spec.type !== 'ExternalName' && (spec.externalName ?? '') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(spec: Loose<core.ServiceSpec>): string[] {
  return [
    ...((spec.loadBalancerIP ?? '') === ''
      ? []
      : ['spec.loadBalancerIP is ignored for headless services']),
    ...((spec.externalIPs ?? []).length === 0
      ? []
      : ['spec.externalIPs is ignored for headless services']),
    ...(spec.sessionAffinity === 'None'
      ? []
      : ['spec.SessionAffinity is ignored for headless services']),
  ];
}

/** The table of Services. */
export const servicePrinter: Printer<Printable<Service>> = printer([
  nameColumn(),
  column('Type', 'Type of the service', ({ spec }) => spec?.type ?? ''),
  column('Cluster-IP', 'Address inside the cluster', ({ spec }) => spec?.clusterIPs?.[0] ?? NONE),
  column('External-IP', 'Addresses or name outside the cluster', externalAddress),
  column('Port(s)', 'Ports, with their node ports after a colon', formatServicePorts),
  ageColumn(),
  column('Selector', 'Label selector of the pods', ({ spec }) => formatLabels(spec?.selector), {
    wide: true,
  }),
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

function formatServicePorts({ spec }: Printable<Service>): string {
  const ports = (spec?.ports ?? []).map(({ port = 0, nodePort = 0, protocol = '' }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return orNone(ports.join(','));
}
