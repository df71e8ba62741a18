// Upstream: pkg/apis/core/validation/validation.go:
//   ValidatePodSpec, ValidatePodTemplateSpec, validatePodDNSConfig
import type * as core from 'client-ts/api/core/v1';
import {
  type LabelMatcher,
  type ObjectMeta,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from 'client-ts/meta';
import { validateChoice } from '../choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notFound,
  notSupported,
  required,
  tooLong,
} from '../field-error.ts';
import { validateIP } from '../ip.ts';
import { validateLabels } from '../labels.ts';
import { type Loose, sortedMap } from '../loose.ts';
import {
  nameIsDnsSubdomain,
  validateDns1123SubdomainWithUnderscore,
  validateInRange,
} from '../names.ts';
import { validateAnnotations } from '../object-meta.ts';
import { validateContainerResources } from '../resources.ts';
import { MIRROR_ANNOTATION, validatePodAnnotations, validateProfilesMatch } from './annotations.ts';
import {
  type ContainerContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './containers.ts';
import { validatePodResources } from './resources.ts';
import { validateAffinity, validateTolerations, validateTopologySpread } from './scheduling.ts';
import { validateHostUsers, validatePodSecurityContext } from './security-context.ts';
import { visitContainers } from './visit-containers.ts';
import { validateVolumes } from './volumes.ts';
import { validateHostProcesses, validateLinuxPod, validateWindowsPod } from './windows.ts';

type PodSpec = Loose<core.PodSpec>;

const LARGEST_INT32 = 2 ** 31 - 1;
const LONGEST_HOSTNAME = 64;

/** Checks a pod spec. `meta` is the metadata of the pod, absent for a template. */
export function validatePodSpec(
  spec: PodSpec,
  meta: ObjectMeta | undefined,
  field: string,
): FieldError[] {
  const { restartPolicy = '', terminationGracePeriodSeconds } = spec;
  const volumes = validateVolumes(spec.volumes ?? [], meta, `${field}.volumes`);
  const claims = spec.resourceClaims ?? [];
  const context: ContainerContext = {
    volumes: volumes.valid,
    claimNames: claims.flatMap(({ name = '' }) => (name === '' ? [] : [name])),
    restartPolicy,
    hostUsers: spec.hostUsers !== false,
    gracePeriodSeconds: terminationGracePeriodSeconds,
    os: spec.os?.name,
  };
  return [
    ...(terminationGracePeriodSeconds === undefined
      ? [required(`${field}.terminationGracePeriodSeconds`)]
      : []),
    ...volumes.errors,
    ...validateResourceClaims(claims, meta, `${field}.resourceClaims`),
    ...validateContainers(spec.containers ?? [], context, `${field}.containers`),
    ...validateInitContainers(
      spec.initContainers ?? [],
      spec.containers ?? [],
      context,
      `${field}.initContainers`,
    ),
    ...validateEphemeralContainers(
      spec.ephemeralContainers ?? [],
      spec,
      context,
      `${field}.ephemeralContainers`,
    ),
    ...validatePodResources(spec, context.claimNames, field),
    ...validateHostNetworkPorts(spec, meta !== undefined, field),
    ...validateChoice(restartPolicy, ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    ...validateChoice(
      spec.dnsPolicy,
      ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
      `${field}.dnsPolicy`,
    ),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${field}.securityContext`),
    ...validateAffinity(spec.affinity, `${field}.affinity`),
    ...validateDNSConfig(spec, `${field}.dnsConfig`),
    ...validateGates(spec, field),
    ...validateTopologySpread(
      spec.topologySpreadConstraints ?? [],
      `${field}.topologySpreadConstraints`,
    ),
    ...validateHostProcesses(spec, field),
    ...validateHostUsers(spec, field),
    ...validateHostnameOverride(spec, `${field}.hostnameOverride`),
    ...validateNames(spec, field),
    ...validateTolerations(spec.tolerations ?? [], `${field}.tolerations`),
    ...validateHostAliases(spec, `${field}.hostAliases`),
    ...validateClasses(spec, field),
    ...validateOS(spec, field),
    ...validateFileKeyVolumes(spec, field),
  ];
}

function validateResourceClaims(
  claims: readonly Loose<core.PodResourceClaim>[],
  meta: ObjectMeta | undefined,
  field: string,
): FieldError[] {
  const names = new Set<string>();
  return claims.flatMap((claim, index) => {
    if (meta?.annotations?.[MIRROR_ANNOTATION] !== undefined) {
      return [forbidden('[]', 'static pods do not support resource claims')];
    }
    const path = `${field}[${index}]`;
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    const isTaken = names.has(name);
    names.add(name);
    const shown = {
      Name: name,
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    };
    const references = [resourceClaimName, resourceClaimTemplateName].filter(
      (reference) => reference !== undefined,
    );
    return [
      ...(name === ''
        ? [required(`${path}.name`)]
        : isTaken
          ? [duplicate(`${path}.name`, name)]
          : invalidEach(`${path}.name`, name, validateDns1123Label(name))),
      ...(references.length > 1
        ? [
            invalid(
              path,
              shown,
              'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
            ),
          ]
        : []),
      ...(references.length === 0
        ? [
            invalid(
              path,
              shown,
              'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
            ),
          ]
        : []),
      ...validateOptionalName(resourceClaimName, `${path}.resourceClaimName`),
      ...validateOptionalName(resourceClaimTemplateName, `${path}.resourceClaimTemplateName`),
    ];
  });
}

function validateOptionalName(name: string | undefined, field: string): FieldError[] {
  return name === undefined ? [] : invalidEach(field, name, nameIsDnsSubdomain(name, false));
}

function validateHostNetworkPorts(spec: PodSpec, isPod: boolean, field: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return (spec.containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, portIndex) =>
      (isPod || hostPort !== 0) && hostPort !== containerPort
        ? [
            invalid(
              `${field}.containers[${index}].ports[${portIndex}].hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
        : [],
    ),
  );
}

function validateGates(spec: PodSpec, field: string): FieldError[] {
  const seen = new Set<string>();
  return [
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) =>
      invalidEach(
        `${field}.readinessGates[${index}].conditionType`,
        conditionType,
        validateQualifiedName(conditionType),
      ),
    ),
    ...(spec.schedulingGates ?? []).flatMap(({ name = '' }, index) => {
      const path = `${field}.schedulingGates[${index}]`;
      const isTaken = seen.has(name);
      seen.add(name);
      return [
        ...invalidEach(path, name, validateQualifiedName(name)),
        ...(isTaken ? [duplicate(path, name)] : []),
      ];
    }),
  ];
}

function validateHostnameOverride(spec: PodSpec, field: string): FieldError[] {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return [];
  return [
    ...(spec.setHostnameAsFQDN === true
      ? [forbidden(field, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...(spec.hostNetwork === true
      ? [forbidden(field, 'may not be specified when hostNetwork is true')]
      : []),
    ...(name.length > LONGEST_HOSTNAME ? [tooLong(field, LONGEST_HOSTNAME)] : []),
    ...invalidEach(field, name, validateDns1123Subdomain(name)),
  ];
}

function validateNames(spec: PodSpec, field: string): FieldError[] {
  const { serviceAccountName = '', nodeName = '', hostname = '', subdomain = '' } = spec;
  const { activeDeadlineSeconds: deadline } = spec;
  const named = (name: string, value: string, messages: readonly string[]): FieldError[] =>
    value === '' ? [] : invalidEach(`${field}.${name}`, value, messages);
  return [
    ...named(
      'serviceAccountName',
      serviceAccountName,
      nameIsDnsSubdomain(serviceAccountName, false),
    ),
    ...named('nodeName', nodeName, nameIsDnsSubdomain(nodeName, false)),
    ...(deadline === undefined
      ? []
      : invalidEach(
          `${field}.activeDeadlineSeconds`,
          deadline,
          validateInRange(deadline, 1, LARGEST_INT32),
        )),
    ...named('hostname', hostname, validateDns1123Label(hostname)),
    ...named('subdomain', subdomain, validateDns1123Label(subdomain)),
  ];
}

function validateHostAliases({ hostAliases = [] }: PodSpec, field: string): FieldError[] {
  return hostAliases.flatMap(({ ip = '', hostnames = [] }, index) => [
    ...validateIP(`${field}[${index}].ip`, ip),
    ...hostnames.flatMap((name, nameIndex) =>
      invalidEach(
        `${field}[${index}].hostnames[${nameIndex}]`,
        name,
        validateDns1123Subdomain(name),
      ),
    ),
  ]);
}

function validateClasses(spec: PodSpec, field: string): FieldError[] {
  const { priorityClassName = '', runtimeClassName, preemptionPolicy, overhead } = spec;
  return [
    ...(priorityClassName === ''
      ? []
      : validateOptionalName(priorityClassName, `${field}.priorityClassName`)),
    ...validateOptionalName(runtimeClassName, `${field}.runtimeClassName`),
    ...(preemptionPolicy === undefined
      ? []
      : validateChoice(
          preemptionPolicy,
          ['PreemptLowerPriority', 'Never'],
          `${field}.preemptionPolicy`,
        )),
    ...(overhead === undefined
      ? []
      : validateContainerResources({ limits: overhead }, [], `${field}.overhead`)),
  ];
}

function validateOS(spec: PodSpec, field: string): FieldError[] {
  if (spec.os === undefined) return [];
  switch (spec.os.name ?? '') {
    case 'linux':
      return validateLinuxPod(spec, field);
    case 'windows':
      return validateWindowsPod(spec, field);
    case '':
      return [required(`${field}.os.name`)];
    default:
      return [notSupported(`${field}.os`, spec.os.name, ['linux', 'windows'])];
  }
}

/** Checks that `fileKeyRef` variables refer to an emptyDir volume of the pod. */
function validateFileKeyVolumes(spec: PodSpec, field: string): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
  return visitContainers(spec, field).flatMap(({ container, path }) =>
    (container.env ?? []).flatMap(({ valueFrom }, index) => {
      const reference = valueFrom?.fileKeyRef;
      if (reference === undefined) return [];
      const { volumeName = '' } = reference;
      const volume = volumes.get(volumeName);
      const nameField = `${path}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      if (volume === undefined) return [notFound(nameField, volumeName)];
      return volume.emptyDir === undefined
        ? [invalid(nameField, volumeName, 'referenced volume must be of type emptyDir')]
        : [];
    }),
  );
}

const MOST_NAMESERVERS = 3;
const MOST_SEARCHES = 32;
const LONGEST_SEARCHES = 2048;

/** Checks the DNS config of a pod, which the policy `None` requires. */
function validateDNSConfig(
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

type PodTemplateSpec = Loose<core.PodTemplateSpec>;

/** Checks a pod template. */
export function validatePodTemplate(
  template: PodTemplateSpec | undefined,
  field: string,
): FieldError[] {
  const { metadata = {}, spec = {} } = template ?? {};
  return [
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...validateAnnotations(metadata.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata.annotations, spec, `${field}.annotations`),
    ...validatePodSpec(spec, undefined, `${field}.spec`),
    ...validateProfilesMatch(metadata, spec, `${field}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [
          forbidden(
            `${field}.spec.ephemeralContainers`,
            'ephemeral containers not allowed in pod template',
          ),
        ]
      : []),
  ];
}

/**
 * Checks that a controller's selector matches its template. Empty selectors are reported elsewhere.
 */
export function validateSelected(
  matcher: LabelMatcher,
  template: PodTemplateSpec | undefined,
  field: string,
): FieldError[] {
  const labels = template?.metadata?.labels;
  if (matcher.isEmpty || matcher.matches(labels)) return [];
  return [
    invalid(
      `${field}.metadata.labels`,
      sortedMap(labels),
      '`selector` does not match template `labels`',
    ),
  ];
}

/** Checks that pods of a controller always restart and have no deadline. */
export function validateRunsForever(
  template: PodTemplateSpec | undefined,
  controller: string,
  field: string,
): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(`${field}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(
            `${field}.spec.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${controller} is not Supported`,
          ),
        ]),
  ];
}
