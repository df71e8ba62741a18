// Upstream: staging/src/k8s.io/pod-security-admission/policy/checks.go
import type * as core from 'client-ts/api/core/v1';
import { getKey, quoteGo } from 'client-ts/internal';
import type { Loose } from '../../../../validation/loose.ts';

type PodSpec = Loose<core.PodSpec>;
type Container = Loose<core.Container>;
type Metadata = { readonly annotations?: Readonly<Record<string, string>> | undefined };

/** Why a pod breaks a standard. */
export interface Breach {
  readonly reason: string;
  readonly detail: string;
}

/** The levels of the Pod Security Standards, the least strict first. */
export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;

/** A level of the Pod Security Standards. */
export type Level = (typeof LEVELS)[number];

/** One rule of a level, in the form of a minor version of Kubernetes. */
interface Check {
  readonly level: Level;
  /** The first minor version that has it. Default 0. */
  readonly since?: number;
  /** A stricter rule of `restricted` that takes its place, and since which version. */
  readonly replacedSince?: number;
  readonly find: (spec: PodSpec, metadata: Metadata, minor: number) => Breach | undefined;
}

/** Returns the breaches of a level; `minor` is the version of Kubernetes that defines it. */
export function findBreaches(
  level: Level,
  minor: number,
  metadata: Metadata,
  spec: PodSpec,
): Breach[] {
  return CHECKS.flatMap((check) => {
    const isRestricted = level === 'restricted';
    const isOf = check.level === 'baseline' ? level !== 'privileged' : isRestricted;
    const isReplaced = isRestricted && minor >= (check.replacedSince ?? Number.POSITIVE_INFINITY);
    if (!isOf || isReplaced || minor < (check.since ?? 0)) return [];
    return check.find(spec, metadata, minor) ?? [];
  });
}

function containersOf(spec: PodSpec): Container[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...(ephemeralContainers as Container[])];
}

const quoteAll = (items: readonly string[]): string => items.map((item) => `"${item}"`).join(', ');
const sorted = (items: Iterable<string>): string[] => [...new Set(items)].toSorted();
const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`);
const uses = (count: number): string => (count === 1 ? 'uses' : 'use');
const named = (names: readonly string[]): string =>
  `${plural('container', names.length)} ${quoteAll(names)}`;
const isWindows = ({ os }: PodSpec): boolean => os?.name === 'windows';
/** A pod with users of its own may do more, since 1.35. */
const hasOwnUsers = ({ hostUsers }: PodSpec, minor: number): boolean =>
  hostUsers === false && minor >= 35;

/** The pod and the containers whose security context is not as it must be. */
function setters<T>(
  spec: PodSpec,
  take: (context: Loose<core.PodSecurityContext> & Loose<core.SecurityContext>) => T | undefined,
  isBad: (value: T) => boolean,
): { readonly who: string[]; readonly values: T[] } {
  const values: T[] = [];
  const isBadContext = (context: object | undefined): boolean => {
    const value = context === undefined ? undefined : take(context);
    if (value === undefined || value === null || !isBad(value)) return false;
    values.push(value);
    return true;
  };
  const who = isBadContext(spec.securityContext) ? ['pod'] : [];
  const bad = containersOf(spec).filter(({ securityContext }) => isBadContext(securityContext));
  if (bad.length > 0) who.push(named(bad.map(({ name = '' }) => name)));
  return { who, values };
}

const namesOf = (containers: readonly Container[]): string[] =>
  containers.map(({ name = '' }) => name);

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const CAPABILITIES = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);
/** The system controls that are allowed, by the version that allows them. */
const SYSCTLS: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
]);
const VOLUMES = [
  'configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim',
  'projected', 'secret',
] as const; // prettier-ignore
const PROFILES = new Set(['RuntimeDefault', 'Localhost']);

function appArmor(spec: PodSpec, { annotations = {} }: Metadata): Breach | undefined {
  const { who, values } = setters(
    spec,
    ({ appArmorProfile }) => appArmorProfile?.type,
    (type) => !PROFILES.has(type),
  );
  const prefix = 'container.apparmor.security.beta.kubernetes.io/';
  const bad = Object.entries(annotations)
    .filter(
      ([key, value]) =>
        key.startsWith(prefix) && !/^(?:$|runtime\/default$|localhost\/)/.test(value),
    )
    .map(([key, value]) => `${key}=${quoteGo(value)}`)
    .toSorted();
  const all = [...sorted(values), ...bad];
  if (bad.length > 0) who.push(plural('annotation', bad.length));
  if (who.length === 0) return undefined;
  return {
    reason: plural('forbidden AppArmor profile', all.length),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoteAll(all)}`,
  };
}

function addedCapabilities(
  spec: PodSpec,
  isAllowed: (capability: string) => boolean,
): string | undefined {
  const bad = new Map(
    containersOf(spec).flatMap(({ name = '', securityContext }) => {
      const found = (securityContext?.capabilities?.add ?? []).filter((one) => !isAllowed(one));
      return found.length === 0 ? [] : [[name, found] as const];
    }),
  );
  if (bad.size === 0) return undefined;
  const which = quoteAll(sorted([...bad.values()].flat()));
  return `${named([...bad.keys()])} must not include ${which} in securityContext.capabilities.add`;
}

function baselineCapabilities(spec: PodSpec): Breach | undefined {
  const detail = addedCapabilities(spec, (capability) => CAPABILITIES.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

function restrictedCapabilities(spec: PodSpec, _: Metadata, minor: number): Breach | undefined {
  if (isWindows(spec) && minor >= 25) return undefined;
  const keeping = containersOf(spec).filter(
    ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'),
  );
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${named(namesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`]),
    ...[addedCapabilities(spec, (capability) => capability === 'NET_BIND_SERVICE')].flatMap(
      (detail) => detail ?? [],
    ),
  ];
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

function hostNamespaces(spec: PodSpec): Breach | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter(
    (key) => spec[key] === true,
  );
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((key) => `${key}=true`).join(', ') };
}

function hostPaths({ volumes = [] }: PodSpec): Breach | undefined {
  const bad = volumes.filter(({ hostPath }) => hostPath !== undefined).map(({ name = '' }) => name);
  if (bad.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural('volume', bad.length)} ${quoteAll(bad)}` };
}

function hostPorts(spec: PodSpec): Breach | undefined {
  const bad = containersOf(spec).filter(({ ports = [] }) =>
    ports.some(({ hostPort = 0 }) => hostPort !== 0),
  );
  if (bad.length === 0) return undefined;
  const ports = sorted(
    bad.flatMap(({ ports: own = [] }) =>
      own.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)])),
    ),
  );
  const what = `${plural('hostPort', ports.length)} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail: `${named(namesOf(bad))} ${uses(bad.length)} ${what}` };
}

function probeHosts({
  livenessProbe,
  readinessProbe,
  startupProbe,
  lifecycle,
}: Container): string[] {
  const handlers = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers.flatMap((handler) =>
    [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''].filter((host) => host !== ''),
  );
}

function hostProbes(spec: PodSpec): Breach | undefined {
  const bad = containersOf(spec).filter((container) => probeHosts(container).length > 0);
  if (bad.length === 0) return undefined;
  const hosts = sorted(bad.flatMap((container) => probeHosts(container)));
  const names = sorted(namesOf(bad));
  const what = `${plural('probe or lifecycle host', hosts.length)} ${quoteAll(hosts)}`;
  return {
    reason: 'probe or lifecycle host',
    detail: `${named(names)} ${uses(names.length)} ${what}`,
  };
}

function privileged(spec: PodSpec): Breach | undefined {
  const bad = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.privileged === true,
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${named(namesOf(bad))} must not set securityContext.privileged=true`,
  };
}

function procMount(spec: PodSpec): Breach | undefined {
  const bad = containersOf(spec).filter(
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
  );
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map(({ securityContext }) => securityContext?.procMount ?? ''));
  return {
    reason: 'procMount',
    detail: `${named(namesOf(bad))} must not set securityContext.procMount to ${quoteAll(types)}`,
  };
}

function seLinux(spec: PodSpec, _: Metadata, minor: number): Breach | undefined {
  const types = minor >= 31 ? [...SELINUX_TYPES, 'container_engine_t'] : SELINUX_TYPES;
  const { who, values } = setters(
    spec,
    ({ seLinuxOptions }) => seLinuxOptions,
    ({ type = '', user = '', role = '' }) => !types.includes(type) || user !== '' || role !== '',
  );
  if (who.length === 0) return undefined;
  const bad = sorted(values.flatMap(({ type = '' }) => (types.includes(type) ? [] : [type])));
  const data = [
    ...(bad.length === 0 ? [] : [`${plural('type', bad.length)} ${quoteAll(bad)}`]),
    ...(values.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
    ...(values.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${who.join(' and ')} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
  };
}

function badSeccomp(spec: PodSpec): Breach | undefined {
  const { who, values } = setters(
    spec,
    ({ seccompProfile }) => seccompProfile?.type,
    (type) => !PROFILES.has(type),
  );
  if (who.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `${who.join(' and ')} must not set securityContext.seccompProfile.type to ${quoteAll(sorted(values))}`,
  };
}

/** Before 1.19 profiles were annotations. */
function seccompAnnotations(spec: PodSpec, { annotations = {} }: Metadata): Breach | undefined {
  const keys = [
    'seccomp.security.alpha.kubernetes.io/pod',
    ...namesOf(containersOf(spec)).map(
      (name) => `container.seccomp.security.alpha.kubernetes.io/${name}`,
    ),
  ];
  const bad = sorted(
    keys.flatMap((key) => {
      const value = getKey(annotations, key);
      const isBad =
        value !== undefined && !/^(?:runtime\/default|docker\/default|localhost\/.*)$/s.test(value);
      return isBad ? [`${key}=${quoteGo(value)}`] : [];
    }),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', bad.length)} ${bad.join(', ')}`,
  };
}

function restrictedSeccomp(spec: PodSpec, _: Metadata, minor: number): Breach | undefined {
  if (isWindows(spec) && minor >= 25) return undefined;
  const bad = badSeccomp(spec);
  if (bad !== undefined || spec.securityContext?.seccompProfile !== undefined) return bad;
  const without = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.seccompProfile === undefined,
  );
  if (without.length === 0) return undefined;
  const detail = `pod or ${named(namesOf(without))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}

function sysctls({ securityContext }: PodSpec, _: Metadata, minor: number): Breach | undefined {
  const bad = (securityContext?.sysctls ?? [])
    .map(({ name = '' }) => name)
    .filter((name) => minor < (SYSCTLS.get(name) ?? Number.POSITIVE_INFINITY));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
}

function hostProcess(spec: PodSpec): Breach | undefined {
  const { who } = setters(
    spec,
    ({ windowsOptions }) => windowsOptions?.hostProcess,
    (isOn) => isOn,
  );
  if (who.length === 0) return undefined;
  const what = 'must not set securityContext.windowsOptions.hostProcess=true';
  return { reason: 'hostProcess', detail: `${who.join(' and ')} ${what}` };
}

function escalation(spec: PodSpec, _: Metadata, minor: number): Breach | undefined {
  if (isWindows(spec) && minor >= 25) return undefined;
  const bad = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0) return undefined;
  const detail = `${named(namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

function restrictedVolumes({ volumes = [] }: PodSpec): Breach | undefined {
  const bad = volumes.filter((volume) => VOLUMES.every((type) => volume[type] === undefined));
  if (bad.length === 0) return undefined;
  const types = sorted(
    bad.map((volume) => Object.keys(volume).find((key) => key !== 'name') ?? 'unknown'),
  );
  const names = bad.map(({ name = '' }) => name);
  const what = `${plural('restricted volume type', types.length)} ${quoteAll(types)}`;
  const detail = `${plural('volume', names.length)} ${quoteAll(names)} ${uses(names.length)} ${what}`;
  return { reason: 'restricted volume types', detail };
}

function nonRoot(spec: PodSpec, _: Metadata, minor: number): Breach | undefined {
  if (hasOwnUsers(spec, minor)) return undefined;
  const reason = 'runAsNonRoot != true';
  const { who } = setters(
    spec,
    ({ runAsNonRoot }) => runAsNonRoot,
    (isOn) => !isOn,
  );
  if (who.length > 0) {
    return {
      reason,
      detail: `${who.join(' and ')} must not set securityContext.runAsNonRoot=false`,
    };
  }
  if (spec.securityContext?.runAsNonRoot === true) return undefined;
  const without = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.runAsNonRoot === undefined,
  );
  if (without.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${named(namesOf(without))} must set securityContext.runAsNonRoot=true`,
  };
}

function rootUser(spec: PodSpec, _: Metadata, minor: number): Breach | undefined {
  if (hasOwnUsers(spec, minor)) return undefined;
  const { who } = setters(
    spec,
    ({ runAsUser }) => runAsUser,
    (user) => user === 0,
  );
  if (who.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${who.join(' and ')} must not set runAsUser=0` };
}

/** In the order in which breaches are named. */
const CHECKS: readonly Check[] = [
  { level: 'baseline', find: appArmor },
  { level: 'baseline', replacedSince: 22, find: baselineCapabilities },
  { level: 'baseline', find: hostNamespaces },
  { level: 'baseline', replacedSince: 0, find: hostPaths },
  { level: 'baseline', find: hostPorts },
  { level: 'baseline', since: 34, find: hostProbes },
  { level: 'baseline', find: privileged },
  {
    level: 'baseline',
    replacedSince: 35,
    find: (spec, _, minor) => (hasOwnUsers(spec, minor) ? undefined : procMount(spec)),
  },
  { level: 'baseline', find: seLinux },
  {
    level: 'baseline',
    replacedSince: 19,
    find: (spec, metadata, minor) =>
      minor < 19 ? seccompAnnotations(spec, metadata) : badSeccomp(spec),
  },
  { level: 'baseline', find: sysctls },
  { level: 'baseline', find: hostProcess },
  { level: 'restricted', since: 8, find: escalation },
  { level: 'restricted', since: 22, find: restrictedCapabilities },
  { level: 'restricted', since: 35, find: procMount },
  { level: 'restricted', find: restrictedVolumes },
  { level: 'restricted', find: nonRoot },
  { level: 'restricted', since: 23, find: rootUser },
  { level: 'restricted', since: 19, find: restrictedSeccomp },
];
