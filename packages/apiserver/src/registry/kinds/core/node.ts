// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_NodeStatus
// Upstream: pkg/apis/core/validation/validation.go: ValidateNode, ValidateNodeUpdate
// Upstream: pkg/registry/core/node/strategy.go
// Upstream: plugin/pkg/admission/nodetaint/admission.go
// Upstream: pkg/api/node/util.go: GetWarningsForNodeSelectorTerm
// Upstream: pkg/printers/internalversion/printers.go: printNode
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { labelsOf, validateLabelValue } from 'client-ts/meta';
import { duplicate, type FieldError, forbidden, invalid } from '../../../validation/field-error.ts';
import { isDualStack, parseCIDR, validateCIDR, warningsForCIDR } from '../../../validation/ip.ts';
import type { Loose } from '../../../validation/loose.ts';
import { validateConfigMapKey } from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import { positive, validateTaints } from '../../../validation/pod/scheduling.ts';
import { validateResourceValue } from '../../../validation/resources.ts';
import { UNKNOWN } from '../../printers/ages.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { sortedUnique, NONE, orNone } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec, roundResources, copyFields } from '../support.ts';

type Node = Loose<core.Node>;

const NOT_READY = 'node.kubernetes.io/not-ready';
const LONGEST_FEATURE = 253;
const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const meta = metaValidator({ namespaced: false });

/** Rules of Nodes. */
export const nodeStrategy: Strategy<Node> = {
  setDefaults: (node) => {
    alignPodCIDRs((node.spec ??= {}));
    const status = (node.status ??= {});
    roundResources(status.capacity);
    if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
    roundResources(status.allocatable);
  },
  prepareForCreate: (node) => {
    const spec = (node.spec ??= {});
    delete spec.configSource;
    addNotReadyTaint(spec);
  },
  prepareForUpdate: (node, old) => {
    copyFields(node, old, 'status');
    if (old.spec?.configSource === undefined) delete node.spec?.configSource;
  },
  validate,
  validateUpdate: (node, old) => [...validate(node), ...validateUpdate(node, old)],
  prepareForStatusUpdate: (node, old) => {
    keepSpec(node, old);
    if (old.status?.config === undefined) delete node.status?.config;
  },
  validateStatusUpdate: validateUpdate,
  warnings: nodeWarnings,
  selectableFields: ({ spec }) => ({
    'spec.unschedulable': String(spec?.unschedulable ?? false),
  }),
  selectableFieldNames: ['metadata.name', 'spec.unschedulable'],
  generation: 'none',
  // Kubelets create their node with its status; only updates separate the two.
  statusSubresource: false,
};

/** Aligns `podCIDR` and `podCIDRs`; the single value wins. */
function alignPodCIDRs(spec: Loose<core.NodeSpec>): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR];
  const first = spec.podCIDRs?.[0];
  if (first !== undefined) spec.podCIDR = first;
}

/** Adds the not-ready taint to a new node, which the node controller removes. */
function addNotReadyTaint(spec: Loose<core.NodeSpec>): void {
  const hasTaint = (spec.taints ?? []).some(
    ({ key, effect }) => key === NOT_READY && effect === 'NoSchedule',
  );
  if (!hasTaint) (spec.taints ??= []).push({ key: NOT_READY, effect: 'NoSchedule' });
}

function validate(node: Node): FieldError[] {
  const { taints = [], podCIDRs = [] } = node.spec ?? {};
  const { nodeInfo, declaredFeatures = [] } = node.status ?? {};
  const swap = nodeInfo?.swap?.capacity;
  return [
    ...meta.create(node),
    ...validateTaints(taints, 'metadata.taints'),
    ...validateResources(node),
    ...(swap === undefined ? [] : positive(swap, 'metadata.nodeSwapStatus.capacity')),
    ...validateFeatures(declaredFeatures),
    ...podCIDRs.flatMap((cidr, index) => validateCIDR(`spec.podCIDRs[${index}]`, cidr)),
    ...(podCIDRs.length > 1 && !isDualStack(podCIDRs.map(parseCIDR))
      ? [invalid('spec.podCIDRs', podCIDRs, 'may specify no more than one CIDR for each IP family')]
      : []),
  ];
}

function validateResources({ status = {} }: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((part) =>
    Object.entries(status[part] ?? {}).flatMap(([name, value]) =>
      validateResourceValue(name, value, `status.${part}.${name}`),
    ),
  );
}

function validateFeatures(features: readonly string[]): FieldError[] {
  const field = 'status.declaredFeatures';
  return features.flatMap((feature, index) => {
    const next = features[index + 1];
    return [
      ...featureProblem(feature).map((detail) => invalid(`${field}[${index}]`, feature, detail)),
      ...(next === feature ? [duplicate(`${field}[${index + 1}]`, next)] : []),
      ...(next !== undefined && feature > next
        ? [invalid(`${field}[${index + 1}]`, next, 'list must be sorted alphabetically')]
        : []),
    ];
  });
}

function featureProblem(feature: string): string[] {
  const name = JSON.stringify(feature);
  if (feature.length > LONGEST_FEATURE) {
    return [`invalid feature name ${name}: must be no more than ${LONGEST_FEATURE} characters`];
  }
  return FEATURE.test(feature)
    ? []
    : [
        `invalid feature name ${name}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
      ];
}

function validateUpdate(node: Node, old: Node): FieldError[] {
  const { taints = [], configSource } = node.spec ?? {};
  const { addresses = [], declaredFeatures = [] } = node.status ?? {};
  return [
    ...meta.update(node, old),
    ...validateResources(node),
    ...validateFeatures(declaredFeatures),
    ...addresses.flatMap((address, index) =>
      addresses.slice(0, index).some((other) => jsonEqual(other, address))
        ? [
            duplicate(`status.addresses[${index}]`, {
              Type: address.type ?? '',
              Address: address.address ?? '',
            }),
          ]
        : [],
    ),
    ...validateFixedFields(node.spec ?? {}, old.spec ?? {}),
    ...(configSource ? validateConfigSource(configSource) : []),
    ...validateTaints(taints, 'metadata.taints'),
    ...((node.spec?.externalID ?? '') === (old.spec?.externalID ?? '')
      ? []
      : [forbidden('spec.externalID', 'may not be updated')]),
  ];
}

function validateFixedFields(
  { podCIDRs = [], providerID = '' }: Loose<core.NodeSpec>,
  { podCIDRs: oldCIDRs = [], providerID: oldProvider = '' }: Loose<core.NodeSpec>,
): FieldError[] {
  const fixed = (field: string, name: string): FieldError =>
    forbidden(field, `node updates may not change ${name} except from "" to valid`);
  const changed =
    oldCIDRs.length === 0
      ? []
      : oldCIDRs.length === podCIDRs.length
        ? oldCIDRs.filter((cidr, index) => podCIDRs[index] !== cidr)
        : ['count'];
  return [
    ...changed.map(() => fixed('spec.podCIDRs', 'podCIDR')),
    ...(oldProvider === '' || oldProvider === providerID
      ? []
      : [fixed('spec.providerID', 'providerID')]),
  ];
}

function validateConfigSource({ configMap }: Loose<core.NodeConfigSource>): FieldError[] {
  const field = 'spec.configSource.configMap.kubeletConfigKey';
  return validateConfigMapKey(configMap?.kubeletConfigKey ?? '').map((detail) =>
    invalid(field, configMap?.kubeletConfigKey ?? '', detail),
  );
}

function nodeWarnings({ spec = {} }: Node): string[] {
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...((spec.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...(spec.podCIDRs ?? []).flatMap((cidr, index) =>
      warningsForCIDR(`spec.podCIDRs[${index}]`, cidr),
    ),
  ];
}

/** Deprecated node labels and the warnings about them. */
export const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Returns the warnings about a node selector term. */
export function nodeTermWarnings(
  { matchExpressions = [] }: Loose<core.NodeSelectorTerm>,
  field: string,
  checkValues: boolean,
): string[] {
  return matchExpressions.flatMap(({ key = '', values = [] }, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    const message = deprecatedNodeLabels.get(key);
    return [
      ...(message === undefined ? [] : [`${path}.key: ${key} is ${message}`]),
      ...(checkValues ? values : []).flatMap((value, valueIndex) =>
        validateLabelValue(value).map(
          (problem) => `${path}.values[${valueIndex}]: ${value} is invalid, ${problem}`,
        ),
      ),
    ];
  });
}

/** The table of Nodes. */
export const nodePrinter: Printer<Printable<Node>> = printer([
  nameColumn(),
  column('Status', 'Readiness of the node, and whether it is cordoned', nodeStatus),
  column('Roles', "Roles from the node's labels", (node) => orNone(nodeRoles(node).join(','))),
  ageColumn(),
  column(
    'Version',
    'Version of the kubelet',
    ({ status }) => status?.nodeInfo?.kubeletVersion ?? '',
  ),
  column('Internal-IP', 'Address inside the cluster', (node) => nodeAddress(node, 'InternalIP'), {
    wide: true,
  }),
  column('External-IP', 'Address outside the cluster', (node) => nodeAddress(node, 'ExternalIP'), {
    wide: true,
  }),
  column(
    'OS-Image',
    'Operating system image',
    ({ status }) => orUnknown(status?.nodeInfo?.osImage),
    {
      wide: true,
    },
  ),
  column('Kernel-Version', 'Version of the kernel, and its architecture', kernelVersion, {
    wide: true,
  }),
  column(
    'Container-Runtime',
    'Name and version of the container runtime',
    ({ status }) => orUnknown(status?.nodeInfo?.containerRuntimeVersion),
    { wide: true },
  ),
]);

function nodeStatus({ spec, status }: Printable<Node>): string {
  // Of several Ready conditions, the last one counts.
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

function nodeRoles(node: Printable<Node>): string[] {
  const roles = Object.entries(labelsOf(node)).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === ROLE_LABEL ? value : '';
  });
  return sortedUnique(roles.filter((role) => role !== ''));
}

function nodeAddress({ status }: Printable<Node>, wanted: string): string {
  return (status?.addresses ?? []).find(({ type }) => type === wanted)?.address ?? NONE;
}

function kernelVersion({ status }: Printable<Node>): string {
  const { kernelVersion: version, architecture = '' } = status?.nodeInfo ?? {};
  return architecture === '' ? orUnknown(version) : `${orUnknown(version)} (${architecture})`;
}

function orUnknown(text: string | undefined): string {
  return text === undefined || text === '' ? UNKNOWN : text;
}
