// Upstream: pkg/apis/discovery/v1/defaults.go
// Upstream: pkg/apis/discovery/validation/validation.go
// Upstream: pkg/registry/discovery/endpointslice/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printEndpointSlice
import type * as discovery from 'client-ts/api/discovery/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from 'client-ts/meta';
import { validateChoice } from '../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  required,
  tooMany,
} from '../../../validation/field-error.ts';
import {
  canonicalIPProblems,
  parseIP,
  validateEndpointIP,
  validateIP,
  warningsForIP,
} from '../../../validation/ip.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsSubdomain } from '../../../validation/names.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { firstFew, UNSET } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';

type EndpointSlice = Loose<discovery.EndpointSlice>;
type Endpoint = Loose<discovery.Endpoint>;

const MOST_ENDPOINTS = 1000;
const MOST_ADDRESSES = 100;
const MOST_PORTS = 20_000;
const MOST_HINTS = 8;
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];
const meta = metaValidator({ namespaced: true });

/** Rules of EndpointSlices. */
export const endpointSliceStrategy: Strategy<EndpointSlice> = {
  setDefaults: ({ ports }) => {
    for (const port of ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  prepareForCreate: dropTopology,
  prepareForUpdate: (slice, old) => {
    if (!jsonEqual(slice.endpoints, old.endpoints)) dropTopology(slice);
  },
  validate: (slice) => validateSlice(slice, undefined),
  validateUpdate: (slice, old) => [
    ...validateSlice(slice, old),
    ...immutable(slice.addressType, old.addressType, 'addressType'),
  ],
  warnings: (slice, old) => [
    ...(old === undefined && slice.addressType === 'FQDN'
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : []),
    ...addressWarnings(slice),
  ],
  generation: ({ metadata, ...content }, old) => {
    const { metadata: oldMetadata, ...before } = old;
    return (
      !jsonEqual(content, before) || !jsonEqual(metadata?.labels ?? {}, oldMetadata?.labels ?? {})
    );
  },
};

/** Drops the topology map, which only v1beta1 had. */
function dropTopology({ endpoints }: EndpointSlice): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}

function addressWarnings({ metadata, endpoints }: EndpointSlice): string[] {
  if (CONTROLLERS.includes(metadata?.labels?.[MANAGED_BY] ?? '')) return [];
  return (endpoints ?? []).flatMap(({ addresses = [] }, endpoint) =>
    addresses.flatMap((address, index) =>
      warningsForIP(`endpoints[${endpoint}].addresses[${index}]`, address),
    ),
  );
}

function validateSlice(slice: EndpointSlice, old: EndpointSlice | undefined): FieldError[] {
  const { addressType } = slice;
  const endpoints = slice.endpoints ?? [];
  return [
    ...meta.create(slice),
    ...validateChoice(addressType, ['FQDN', 'IPv4', 'IPv6'], 'addressType'),
    ...validatePorts(slice.ports ?? [], 'ports'),
    ...(old !== undefined && jsonEqual(endpoints, old.endpoints ?? [])
      ? []
      : validateEndpoints(endpoints, addressType ?? '', 'endpoints')),
  ];
}

function validatePorts(
  ports: readonly Loose<discovery.EndpointPort>[],
  field: string,
): FieldError[] {
  if (ports.length > MOST_PORTS) return [tooMany(field, ports.length, MOST_PORTS)];
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const path = `${field}[${index}]`;
    const isRepeated = ports.slice(0, index).some((other) => (other.name ?? '') === name);
    return [
      ...(name === '' ? [] : invalidEach(`${path}.name`, name, validateDns1123Label(name))),
      ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
      ...validateChoice(protocol, ['SCTP', 'TCP', 'UDP'], `${path}.protocol`),
      ...(appProtocol === undefined
        ? []
        : invalidEach(`${path}.appProtocol`, appProtocol, validateQualifiedName(appProtocol))),
    ];
  });
}

function validateEndpoints(
  endpoints: readonly Endpoint[],
  addressType: string,
  field: string,
): FieldError[] {
  if (endpoints.length > MOST_ENDPOINTS) return [tooMany(field, endpoints.length, MOST_ENDPOINTS)];
  return endpoints.flatMap((endpoint, index) =>
    validateEndpoint(endpoint, addressType, `${field}[${index}]`),
  );
}

function validateEndpoint(endpoint: Endpoint, addressType: string, field: string): FieldError[] {
  const { addresses = [], nodeName, hostname, hints } = endpoint;
  const path = `${field}.addresses`;
  return [
    ...(addresses.length === 0 ? [required(path, 'must contain at least 1 address')] : []),
    ...(addresses.length > MOST_ADDRESSES ? [tooMany(path, addresses.length, MOST_ADDRESSES)] : []),
    ...addresses.flatMap((address, index) => validateAddress(address, addressType, path, index)),
    ...(nodeName === undefined
      ? []
      : invalidEach(`${field}.nodeName`, nodeName, nameIsDnsSubdomain(nodeName, false))),
    ...(hostname === undefined
      ? []
      : invalidEach(`${field}.hostname`, hostname, validateDns1123Label(hostname))),
    ...(hints === undefined ? [] : validateHints(hints, `${field}.hints`)),
  ];
}

function validateAddress(
  address: string,
  addressType: string,
  list: string,
  index: number,
): FieldError[] {
  const field = `${list}[${index}]`;
  switch (addressType) {
    case 'IPv4':
    case 'IPv6': {
      const errors =
        addressType === 'IPv4'
          ? validateIP(field, address)
          : invalidEach(field, address, canonicalIPProblems(address));
      if (errors.length > 0) return errors;
      return [
        ...(parseIP(address)?.family === addressType
          ? []
          : [invalid(list, address, `must be an ${addressType} address`)]),
        ...validateEndpointIP(field, address),
      ];
    }
    case 'FQDN':
      return validateDomainName(address, field);
    default:
      return [];
  }
}

function validateDomainName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const domain = name.replace(/\.$/, '');
  const problems = validateDns1123Subdomain(domain);
  if (problems.length > 0) return [invalid(field, domain, problems.join(','))];
  const labels = domain.split('.');
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    return [invalid(field, domain, detail)];
  }
  const wrong = labels.find((label) => validateDns1123Label(label).length > 0);
  return wrong === undefined ? [] : [invalid(field, wrong, validateDns1123Label(wrong).join(','))];
}

function validateHints(hints: Loose<discovery.EndpointHints>, field: string): FieldError[] {
  const { forZones = [], forNodes = [] } = hints;
  if (forZones.length > MOST_HINTS) {
    return [tooMany(`${field}.forZones`, forZones.length, MOST_HINTS)];
  }
  const zones = validateHintNames(forZones, `${field}.forZones`, validateLabelValue);
  if (forNodes.length > MOST_HINTS) {
    return [...zones, tooMany(`${field}.forNodes`, forNodes.length, MOST_HINTS)];
  }
  const isNodeName = (name: string): string[] => nameIsDnsSubdomain(name, false);
  return [...zones, ...validateHintNames(forNodes, `${field}.forNodes`, isNodeName)];
}

function validateHintNames(
  hints: readonly { name?: string }[],
  field: string,
  validate: (name: string) => string[],
): FieldError[] {
  return hints.flatMap(({ name = '' }, index) => {
    const path = `${field}[${index}].name`;
    const isRepeated = hints.slice(0, index).some((other) => (other.name ?? '') === name);
    return [
      ...(isRepeated ? [duplicate(path, name)] : []),
      ...invalidEach(path, name, validate(name)),
    ];
  });
}

/** The table of EndpointSlices. */
export const endpointSlicePrinter: Printer<Printable<EndpointSlice>> = printer([
  nameColumn(),
  column('AddressType', 'Type of the addresses', ({ addressType }) => addressType ?? ''),
  column('Ports', 'Ports of the endpoints', ({ ports }) => {
    const all = (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'));
    return orUnset(firstFew(all));
  }),
  column('Endpoints', 'Addresses of the endpoints', ({ endpoints }) =>
    orUnset(firstFew((endpoints ?? []).flatMap(({ addresses }) => addresses ?? []))),
  ),
  ageColumn(),
]);

function orUnset(text: string): string {
  return text === '' ? UNSET : text;
}
