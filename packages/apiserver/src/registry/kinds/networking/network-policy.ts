// Upstream: pkg/apis/networking/v1/defaults.go: SetDefaults_NetworkPolicy
// Upstream: pkg/apis/networking/validation/validation.go: ValidateNetworkPolicy
// Upstream: pkg/registry/networking/networkpolicy/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printNetworkPolicy
import type * as networking from 'client-ts/api/networking/v1';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import {
  isStrictSubset,
  parseCIDR,
  validateCIDR,
  warningsForCIDR,
} from '../../../validation/ip.ts';
import { validateLabelSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { validatePortName, validatePortNumber } from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { formatSelector } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';

type NetworkPolicy = Loose<networking.NetworkPolicy>;
type PolicySpec = Loose<networking.NetworkPolicySpec>;
type Peer = Loose<networking.NetworkPolicyPeer>;

const POLICY_TYPES = ['Ingress', 'Egress'];
const meta = metaValidator({ namespaced: true });

/** Rules of NetworkPolicies. */
export const networkPolicyStrategy: Strategy<NetworkPolicy> = {
  setDefaults: (policy) => {
    const spec = (policy.spec ??= {});
    const { ingress = [], egress = [] } = spec;
    if ((spec.policyTypes ?? []).length === 0) {
      spec.policyTypes = egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    }
    for (const { ports = [] } of [...ingress, ...egress]) {
      for (const port of ports) port.protocol ??= 'TCP';
    }
  },
  validate: (policy) => [...meta.create(policy), ...validateSpec(policy.spec ?? {}, [])],
  validateUpdate: (policy, old) => [
    ...meta.update(policy, old),
    ...validateSpec(policy.spec ?? {}, blocksOf(old.spec ?? {})),
  ],
  warnings: ({ spec = {} }) =>
    peersOf(spec).flatMap(([{ ipBlock }, field]) =>
      ipBlock === undefined
        ? []
        : [
            ...warningsForCIDR(`${field}.ipBlock.cidr`, ipBlock.cidr ?? ''),
            ...(ipBlock.except ?? []).flatMap((block, index) =>
              warningsForCIDR(`${field}.ipBlock.except[${index}]`, block),
            ),
          ],
    ),
  generation: 'spec',
};

/** Returns every peer of a policy with its path. */
function peersOf({ ingress = [], egress = [] }: PolicySpec): (readonly [Peer, string])[] {
  return [
    ...ingress.flatMap(({ from = [] }, rule) =>
      from.map((peer, index) => [peer, `spec.ingress[${rule}].from[${index}]`] as const),
    ),
    ...egress.flatMap(({ to = [] }, rule) =>
      to.map((peer, index) => [peer, `spec.egress[${rule}].to[${index}]`] as const),
    ),
  ];
}

function blocksOf(spec: PolicySpec): string[] {
  return peersOf(spec).flatMap(([{ ipBlock }]) =>
    ipBlock === undefined ? [] : [ipBlock.cidr ?? '', ...(ipBlock.except ?? [])],
  );
}

function validateSpec(spec: PolicySpec, known: readonly string[]): FieldError[] {
  const { ingress = [], egress = [], policyTypes = [] } = spec;
  return [
    ...validateLabelSelector(spec.podSelector, 'spec.podSelector'),
    ...ingress.flatMap(({ ports = [], from = [] }, index) =>
      validateRule(ports, from, `spec.ingress[${index}]`, 'from', known),
    ),
    ...egress.flatMap(({ ports = [], to = [] }, index) =>
      validateRule(ports, to, `spec.egress[${index}]`, 'to', known),
    ),
    ...(policyTypes.length > POLICY_TYPES.length
      ? [invalid('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes')]
      : policyTypes.flatMap((type, index) =>
          POLICY_TYPES.includes(type)
            ? []
            : [notSupported(`spec.policyTypes[${index}]`, type, POLICY_TYPES)],
        )),
  ];
}

function validateRule(
  ports: readonly Loose<networking.NetworkPolicyPort>[],
  peers: readonly Peer[],
  field: string,
  peersName: string,
  known: readonly string[],
): FieldError[] {
  return [
    ...ports.flatMap((port, index) => validatePort(port, `${field}.ports[${index}]`)),
    ...peers.flatMap((peer, index) => validatePeer(peer, `${field}.${peersName}[${index}]`, known)),
  ];
}

function validatePort(
  { protocol, port, endPort }: Loose<networking.NetworkPolicyPort>,
  field: string,
): FieldError[] {
  const misplaced = (detail: string): FieldError[] =>
    endPort === undefined ? [] : [invalid(`${field}.endPort`, endPort, detail)];
  const errors = validateOptionalChoice(protocol, ['TCP', 'UDP', 'SCTP'], `${field}.protocol`);
  if (port === undefined) {
    return [...errors, ...misplaced('may not be specified when `port` is not specified')];
  }
  if (typeof port === 'string') {
    return [
      ...errors,
      ...misplaced('may not be specified when `port` is non-numeric'),
      ...invalidEach(`${field}.port`, port, validatePortName(port)),
    ];
  }
  return [
    ...errors,
    ...invalidEach(`${field}.port`, port, validatePortNumber(port)),
    ...(endPort !== undefined && endPort < port
      ? [invalid(`${field}.endPort`, port, 'must be greater than or equal to `port`')]
      : []),
    ...(endPort === undefined
      ? []
      : invalidEach(`${field}.endPort`, endPort, validatePortNumber(endPort))),
  ];
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: Peer,
  field: string,
  known: readonly string[],
): FieldError[] {
  const bySelector = podSelector !== undefined || namespaceSelector !== undefined;
  return [
    ...validateLabelSelector(podSelector, `${field}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
    ...(ipBlock === undefined ? [] : validateIPBlock(ipBlock, `${field}.ipBlock`, known)),
    ...(bySelector || ipBlock !== undefined ? [] : [required(field, 'must specify a peer')]),
    ...(bySelector && ipBlock !== undefined
      ? [forbidden(field, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function validateIPBlock(
  { cidr = '', except = [] }: Loose<networking.IPBlock>,
  field: string,
  known: readonly string[],
): FieldError[] {
  if (cidr === '') return [required(`${field}.cidr`)];
  const errors = validateCIDR(`${field}.cidr`, cidr, known);
  const outer = parseCIDR(cidr);
  if (outer === undefined) return errors;
  return [
    ...errors,
    ...except.flatMap((block, index) => {
      const path = `${field}.except[${index}]`;
      const inner = parseCIDR(block);
      return [
        ...validateCIDR(path, block, known),
        ...(inner === undefined || isStrictSubset(inner, outer)
          ? []
          : [invalid(path, block, 'must be a strict subset of `cidr`')]),
      ];
    }),
  ];
}

/** The table of NetworkPolicies. */
export const networkPolicyPrinter: Printer<Printable<NetworkPolicy>> = printer([
  nameColumn(),
  column('Pod-Selector', 'Label selector of the pods that the policy applies to', ({ spec }) =>
    formatSelector(spec?.podSelector),
  ),
  ageColumn(),
]);
