// Upstream: pkg/api/pod/warnings.go: GetWarningsForPod, GetWarningsForPodTemplate
import type * as core from 'client-ts/api/core/v1';
import { getKey, jsonEqual, quoteGo } from 'client-ts/internal';
import type { ObjectMeta, Quantity } from 'client-ts/meta';
import { warningsForIP } from '../../../../validation/ip.ts';
import type { Loose } from '../../../../validation/loose.ts';
import {
  APP_ARMOR_ANNOTATION,
  appArmorProfileOf,
  SECCOMP_CONTAINER_ANNOTATION,
  SECCOMP_POD_ANNOTATION,
} from '../../../../validation/pod/annotations.ts';
import {
  visitContainers,
  type VisitedContainer,
} from '../../../../validation/pod/visit-containers.ts';
import { isIntegerQuantity, quantityText } from '../../../../validation/resources.ts';
import { deprecatedNodeLabels, nodeTermWarnings } from '../node.ts';

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

/** Returns the warnings about a valid pod. `at` is the path of its template, empty for a pod. */
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

/** Returns index and key of every item whose key an earlier item has. */
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

/** Warns about fractional byte amounts, which are accepted for compatibility. */
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

/** Returns the warning about an AppArmor annotation that a field has replaced. */
export function appArmorWarning(annotation: string): string {
  return `${annotation}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

/** Warns about variables that hide an earlier one of the same name without using it. */
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

interface PlacedPath {
  readonly path: string;
  readonly source: string;
}

/** Warns about volume files that hide each other. */
function overlappingPathWarnings(volumes: readonly Loose<core.Volume>[]): string[] {
  return volumes.flatMap((volume) => {
    const { name = '', configMap, secret, downwardAPI, projected } = volume;
    const warn = (what: string, paths: readonly PlacedPath[]): string[] =>
      overlaps(paths).map(
        (overlap) => `volume ${quoteGo(name)} (${what}): overlapping paths: ${overlap}`,
      );
    return [
      ...warn(`ConfigMap ${quoteGo(configMap?.name ?? '')}`, pathsOf(configMap?.items)),
      ...warn(`Secret ${quoteGo(secret?.secretName ?? '')}`, pathsOf(secret?.items)),
      ...warn('DownwardAPI', pathsOf(downwardAPI?.items)),
      ...(projected?.sources ?? [])
        .filter((source) => Object.keys(source).length === 0)
        .map(() => `volume ${quoteGo(name)} (Projected) has no sources provided`),
      ...warn('Projected', (projected?.sources ?? []).flatMap(projectedPaths)),
    ];
  });
}

function pathsOf(
  items: readonly { path?: string }[] | undefined,
  source = '',
): readonly PlacedPath[] {
  return (items ?? []).map(({ path = '' }) => ({ path: withoutEndSlashes(path), source }));
}

/** A loop, because a regular expression would be quadratic in the number of slashes. */
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function projectedPaths(projection: Loose<core.VolumeProjection>): readonly PlacedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  if (configMap?.items) {
    return pathsOf(configMap.items, `ConfigMap ${quoteGo(configMap.name ?? '')}`);
  }
  if (secret?.items) return pathsOf(secret.items, `Secret ${quoteGo(secret.name ?? '')}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return pathsOf([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '';
    return pathsOf([clusterTrustBundle], `ClusterTrustBundle ${quoteGo(name)}`);
  }
  const { certificateChainPath, keyPath, credentialBundlePath } = projection.podCertificate ?? {};
  return [
    ...pathsOf(
      certificateChainPath ? [{ path: certificateChainPath }] : [],
      'PodCertificate chain',
    ),
    ...pathsOf(keyPath ? [{ path: keyPath }] : [], 'PodCertificate key'),
    ...pathsOf(
      credentialBundlePath ? [{ path: credentialBundlePath }] : [],
      'PodCertificate credential bundle',
    ),
  ];
}

function overlaps(paths: readonly PlacedPath[]): string[] {
  const print = ({ path, source }: PlacedPath): string =>
    source === '' ? quoteGo(path) : `${quoteGo(path)} (${source})`;
  return paths.flatMap((current, index) =>
    paths
      .slice(0, index)
      .filter((earlier) => hides(current.path, earlier.path))
      .map((earlier) => `${print(current)} with ${print(earlier)}`),
  );
}

function hides(path: string, other: string): boolean {
  if (path === '' || other === '') return false;
  return `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`);
}

interface PlacedPort {
  readonly port: Loose<core.ContainerPort>;
  readonly path: string;
}

/** Warns about ports that containers define more than once. */
function portWarnings(containers: readonly VisitedContainer[]): string[] {
  const placed: readonly PlacedPort[] = containers.flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, index) => ({ port, path: `${path}.ports[${index}]` })),
  );
  return [...clashes(placed), ...sharedNames(placed)];
}

function clashes(placed: readonly PlacedPort[]): string[] {
  const known = new Map<string, PlacedPort[]>();
  return placed.flatMap((current) => {
    const { port, path } = current;
    const { containerPort = 0, hostIP = '', hostPort = 0, protocol = '' } = port;
    const key = `${containerPort}/${protocol}`;
    const others = known.get(key) ?? [];
    known.set(key, [...others, current]);
    return [
      ...(hostIP !== '' && hostPort === 0
        ? [`${path}: hostIP set without hostPort: ${printed(port)}`]
        : []),
      ...others.flatMap((other) => {
        const problem = clash(port, other.port);
        return problem === undefined ? [] : [`${path}: ${problem} with ${other.path}`];
      }),
    ];
  });
}

function clash(
  { hostIP = '', hostPort = 0 }: Loose<core.ContainerPort>,
  other: Loose<core.ContainerPort>,
): string | undefined {
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate port definition';
  if (hostPort === 0 || otherPort === 0) return 'overlapping port definition';
  const oneIsOpen = (hostIP === '') !== (otherIP === '');
  return hostPort === otherPort && oneIsOpen ? 'dangerously ambiguous port definition' : undefined;
}

/** Formats the port as Go prints a struct. */
function printed(port: Loose<core.ContainerPort>): string {
  const { name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' } = port;
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function sharedNames(placed: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return placed.flatMap(({ port: { name = '' }, path }) => {
    if (name === '') return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, path);
      return [];
    }
    return [
      `${path}: duplicate port name ${quoteGo(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}
