import type * as core from 'client-ts/api/core/v1';
import { getKey, jsonEqual, quoteGo } from 'client-ts/internal';
import { type ObjectMeta, type Quantity } from 'client-ts/meta';
import { warningsForIP } from '../../../../validation/ip.ts';
import type { Loose } from '../../../../validation/loose.ts';
import {
  APP_ARMOR_ANNOTATION,
  SECCOMP_CONTAINER_ANNOTATION,
  SECCOMP_POD_ANNOTATION,
} from '../../../../validation/pod/annotations.ts';
import { isIntegerQuantity, quantityText } from '../../../../validation/quantities.ts';
import { visitContainers } from '../../../../validation/pod/visit-containers.ts';
import { appArmorProfileOf } from './app-armor.ts';
import { deprecatedNodeLabels, nodeTermWarnings } from '../node-labels.ts';
import { overlappingPathWarnings } from './path-overlaps.ts';
import { portWarnings } from './port-warnings.ts';

type PodSpec = Loose<core.PodSpec>;

const DEPRECATED_ANNOTATIONS: readonly (readonly [string, string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    'security.alpha.kubernetes.io/sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];

const DEPRECATED_VOLUMES: readonly (readonly [keyof core.Volume, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** What the server remarks about a pod that it accepts. `at` is where the pod stands: a template has
 * a path, a pod itself has none. */
export function podWarnings(meta: ObjectMeta, spec: PodSpec, at = ''): string[] {
  const prefix = at === '' ? '' : `${at}.`;
  const field = `${prefix}spec`;
  const annotations = meta.annotations ?? {};
  const annotation = (key: string): string => `${prefix}metadata.annotations[${key}]`;
  return [
    ...nodeLabelWarnings(spec, field),
    ...DEPRECATED_ANNOTATIONS.filter(([key]) => Object.hasOwn(annotations, key)).map(
      ([key, message]) => `${annotation(key)}: ${message}`,
    ),
    ...volumeWarnings(spec, `${field}.volumes`),
    ...repeated(spec.hostAliases ?? [], ({ ip = '' }) => ip).map(
      ([index, ip]) => `${field}.hostAliases[${index}].ip: duplicate ip ${quoteGo(ip)}`,
    ),
    ...pullSecretWarnings(spec, `${field}.imagePullSecrets`),
    ...fractionWarnings(spec.overhead, `${field}.overhead`),
    ...(spec.securityContext?.seccompProfile === undefined &&
    annotations[SECCOMP_POD_ANNOTATION] !== undefined
      ? [seccompWarning(annotation(SECCOMP_POD_ANNOTATION))]
      : []),
    ...visitContainers(spec, field).flatMap(({ container, path }) =>
      containerWarnings(container, path, { spec, annotations, annotation, isTemplate: at !== '' }),
    ),
    ...portWarnings(visitContainers(spec, field)),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec.affinity?.podAffinity, `${field}.affinity.podAffinity`),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, `${field}.affinity.podAntiAffinity`),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      warningsForIP(`${field}.dnsConfig.nameservers[${index}]`, server),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip = '' }, index) =>
      warningsForIP(`${field}.hostAliases[${index}].ip`, ip),
    ),
  ];
}

function nodeLabelWarnings(spec: PodSpec, field: string): string[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: needed } =
    spec.affinity?.nodeAffinity ?? {};
  const preferred =
    spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const affinityField = `${field}.affinity.nodeAffinity`;
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabels.get(key);
      return message === undefined ? [] : [`${field}.nodeSelector[${key}]: ${message}`];
    }),
    ...(needed?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      nodeTermWarnings(
        term,
        `${affinityField}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
        false,
      ),
    ),
    ...preferred.flatMap(({ preference = {} }, index) =>
      nodeTermWarnings(
        preference,
        `${affinityField}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
        true,
      ),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(
      ({ topologyKey = '', labelSelector }, index) => {
        const path = `${field}.topologySpreadConstraints[${index}]`;
        const message = deprecatedNodeLabels.get(topologyKey);
        return [
          ...(message === undefined ? [] : [`${path}.topologyKey: ${topologyKey} is ${message}`]),
          ...(labelSelector === undefined ? [nullSelector(path)] : []),
        ];
      },
    ),
  ];
}

function nullSelector(field: string): string {
  return `${field}.labelSelector: a null labelSelector results in matching no pod`;
}

function affinityWarnings(
  affinity: Loose<core.PodAffinity | core.PodAntiAffinity> | undefined,
  field: string,
): string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity ?? {};
  return [
    ...needed.flatMap(({ labelSelector }, index) =>
      labelSelector === undefined
        ? [nullSelector(`${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`)]
        : [],
    ),
    ...preferred.flatMap(({ podAffinityTerm }, index) =>
      podAffinityTerm?.labelSelector === undefined
        ? [
            nullSelector(
              `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`,
            ),
          ]
        : [],
    ),
  ];
}

function volumeWarnings({ volumes = [] }: PodSpec, field: string): string[] {
  return [
    ...volumes.flatMap((volume, index) => [
      ...DEPRECATED_VOLUMES.filter(([name]) => volume[name] !== undefined).map(
        ([, path, message]) => `${field}[${index}].${path}: ${message}`,
      ),
      ...fractionWarnings(
        volume.ephemeral?.volumeClaimTemplate?.spec?.resources?.requests,
        `${field}[${index}].ephemeral.volumeClaimTemplate.spec.resources.requests`,
        ['storage'],
      ),
    ]),
    ...overlappingPathWarnings(volumes),
  ];
}

function pullSecretWarnings({ imagePullSecrets = [] }: PodSpec, field: string): string[] {
  return [
    ...repeated(imagePullSecrets, ({ name = '' }) => name).map(
      ([index, name]) => `${field}[${index}].name: duplicate name ${quoteGo(name)}`,
    ),
    ...imagePullSecrets.flatMap(({ name = '' }, index) =>
      name === '' ? [`${field}[${index}].name: invalid empty name ""`] : [],
    ),
  ];
}

/** Index and key of every item whose key an earlier item has. */
function repeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): (readonly [number, string])[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (seen.has(key)) return [[index, key] as const];
    seen.add(key);
    return [];
  });
}

/** Parts of a byte make no sense, but were accepted once. */
export function fractionWarnings(
  resources: Readonly<Record<string, Quantity>> | undefined,
  field: string,
  names: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] {
  return names.flatMap((name) => {
    const value = getKey(resources ?? {}, name);
    if (value === undefined || isIntegerQuantity(value)) return [];
    const text = quoteGo(quantityText(value));
    return [`${field}[${name}]: fractional byte value ${text} is invalid, must be an integer`];
  });
}

function seccompWarning(annotation: string): string {
  return `${annotation}: non-functional in v1.27+; use the "seccompProfile" field instead`;
}

interface Surroundings {
  readonly spec: PodSpec;
  readonly annotations: Readonly<Record<string, string>>;
  readonly annotation: (key: string) => string;
  readonly isTemplate: boolean;
}

function containerWarnings(
  container: Loose<core.Container>,
  path: string,
  { spec, annotations, annotation, isTemplate }: Surroundings,
): string[] {
  const { name = '', securityContext, resources, env = [] } = container;
  const seccompKey = `${SECCOMP_CONTAINER_ANNOTATION}${name}`;
  const appArmorKey = `${APP_ARMOR_ANNOTATION}${name}`;
  const appArmor = getKey(annotations, appArmorKey);
  const isCovered = jsonEqual(
    spec.securityContext?.appArmorProfile,
    appArmor === undefined ? undefined : appArmorProfileOf(appArmor),
  );
  const fractions = ['memory', 'ephemeral-storage'].flatMap((resource) => [
    ...fractionWarnings(resources?.limits, `${path}.resources.limits`, [resource]),
    ...fractionWarnings(resources?.requests, `${path}.resources.requests`, [resource]),
  ]);
  return [
    ...(securityContext?.seccompProfile === undefined && Object.hasOwn(annotations, seccompKey)
      ? [seccompWarning(annotation(seccompKey))]
      : []),
    ...(isTemplate && securityContext?.appArmorProfile === undefined && appArmor !== undefined
      ? isCovered
        ? []
        : [appArmorWarning(annotation(appArmorKey))]
      : []),
    ...fractions,
    ...hiddenVariables(env, `${path}.env`),
  ];
}

/** The remark about an annotation that a field has replaced. */
export function appArmorWarning(annotation: string): string {
  return `${annotation}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

/** A variable that is defined again, without building on what it was before. */
function hiddenVariables(env: readonly Loose<core.EnvVar>[], field: string): string[] {
  return repeated(env, ({ name = '' }) => name).flatMap(([index, name]) => {
    const { value = '', valueFrom } = env[index] ?? {};
    const reference = `$(${name})`;
    const builds = valueFrom === undefined && value !== reference && value.includes(reference);
    return builds
      ? []
      : [
          `${field}[${index}]: hides previous definition of ${quoteGo(name)}, which may be dropped when using apply`,
        ];
  });
}
