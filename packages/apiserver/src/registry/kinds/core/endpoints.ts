// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_Endpoints
// Upstream: pkg/apis/core/validation/validation.go: ValidateEndpoints
// Upstream: pkg/registry/core/endpoint/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printEndpoints
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateDns1123Label, validateQualifiedName } from 'client-ts/meta';
import { validateChoice } from '../../../validation/choices.ts';
import { type FieldError, invalidEach, required } from '../../../validation/field-error.ts';
import { validateEndpointIP, validateIP, warningsForIP } from '../../../validation/ip.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsSubdomain, validatePortNumber } from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { firstFew, hostPort, NONE } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';

type Endpoints = Loose<core.Endpoints>;
type Subset = Loose<core.EndpointSubset>;

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const CONTROLLER = 'endpoint-controller';
const meta = metaValidator({ namespaced: true });

/** Rules of Endpoints. */
export const endpointsStrategy: Strategy<Endpoints> = {
  setDefaults: ({ subsets = [] }) => {
    for (const { ports = [] } of subsets) {
      for (const port of ports) port.protocol ||= 'TCP';
    }
  },
  validate: (endpoints) => [...meta.create(endpoints), ...validateSubsets(endpoints)],
  validateUpdate: (endpoints, old) => [
    ...meta.update(endpoints, old),
    ...meta.create(endpoints),
    ...(jsonEqual(endpoints.subsets, old.subsets) ? [] : validateSubsets(endpoints)),
  ],
  warnings: ({ metadata, subsets = [] }) =>
    metadata?.labels?.[MANAGED_BY] === CONTROLLER
      ? []
      : subsets.flatMap((subset, index) =>
          (['addresses', 'notReadyAddresses'] as const).flatMap((name) =>
            (subset[name] ?? []).flatMap(({ ip = '' }, position) =>
              warningsForIP(`subsets[${index}].${name}[${position}].ip`, ip),
            ),
          ),
        ),
  generation: 'none',
  createOnUpdate: true,
};

function validateSubsets({ subsets = [] }: Endpoints): FieldError[] {
  return subsets.flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`));
}

function validateSubset(subset: Subset, field: string): FieldError[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [required(field, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...addresses.flatMap((address, index) =>
      validateAddress(address, `${field}.addresses[${index}]`),
    ),
    ...notReadyAddresses.flatMap((address, index) =>
      validateAddress(address, `${field}.notReadyAddresses[${index}]`),
    ),
    ...ports.flatMap((port, index) =>
      validatePort(port, ports.length > 1, `${field}.ports[${index}]`),
    ),
  ];
}

function validateAddress(
  { ip = '', hostname = '', nodeName }: Loose<core.EndpointAddress>,
  field: string,
): FieldError[] {
  return [
    ...validateIP(`${field}.ip`, ip),
    ...(hostname === ''
      ? []
      : invalidEach(`${field}.hostname`, hostname, validateDns1123Label(hostname))),
    ...(nodeName === undefined
      ? []
      : invalidEach(`${field}.nodeName`, nodeName, nameIsDnsSubdomain(nodeName, false))),
    ...validateEndpointIP(`${field}.ip`, ip),
  ];
}

function validatePort(
  { name = '', port = 0, protocol, appProtocol }: Loose<core.EndpointPort>,
  requireName: boolean,
  field: string,
): FieldError[] {
  return [
    ...(name === ''
      ? requireName
        ? [required(`${field}.name`)]
        : []
      : invalidEach(`${field}.name`, name, validateDns1123Label(name))),
    ...invalidEach(`${field}.port`, port, validatePortNumber(port)),
    ...validateChoice(protocol, ['SCTP', 'TCP', 'UDP'], `${field}.protocol`),
    ...(appProtocol === undefined
      ? []
      : invalidEach(`${field}.appProtocol`, appProtocol, validateQualifiedName(appProtocol))),
  ];
}

/** The table of Endpoints. */
export const endpointsPrinter: Printer<Printable<Endpoints>> = printer([
  nameColumn(),
  column('Endpoints', 'Ready addresses and ports of the service', formatEndpoints),
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
