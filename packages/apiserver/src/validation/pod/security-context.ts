// Upstream: pkg/apis/core/validation/validation.go:
//   validatePodSpecSecurityContext, ValidateSecurityContext
import type * as core from 'client-ts/api/core/v1';
import { validateDescendingPath, validateOptionalChoice } from '../choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
  tooLong,
} from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { validateInRange } from '../names.ts';
import { visitContainers } from './visit-containers.ts';
import { validateWindowsOptions } from './windows.ts';

type PodSpec = Loose<core.PodSpec>;

const LARGEST_ID = 2 ** 31 - 1;
const LONGEST_PROFILE_PATH = 4095;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateId(id: number | undefined, field: string): FieldError[] {
  return id === undefined ? [] : invalidEach(field, id, validateInRange(id, 0, LARGEST_ID));
}

/** Checks the security context of a pod, and the host namespace fields beside it. */
export function validatePodSecurityContext(spec: PodSpec, field: string): FieldError[] {
  const context = spec.securityContext;
  if (context === undefined) return [];
  const groups = context.supplementalGroups ?? [];
  return [
    ...validateId(context.fsGroup, `${field}.fsGroup`),
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...groups.flatMap((id, index) => validateId(id, `${field}.supplementalGroups[${index}]`)),
    ...(spec.shareProcessNamespace === true && spec.hostPID === true
      ? [
          invalid(
            `${field}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...validateSysctls(spec, context.sysctls ?? [], `${field}.sysctls`),
    ...validateOptionalChoice(
      context.fsGroupChangePolicy,
      ['Always', 'OnRootMismatch'],
      `${field}.fsGroupChangePolicy`,
    ),
    ...validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
    ...validateOptionalChoice(
      context.supplementalGroupsPolicy,
      ['Merge', 'Strict'],
      `${field}.supplementalGroupsPolicy`,
    ),
    ...validateOptionalChoice(
      context.seLinuxChangePolicy,
      ['MountOption', 'Recursive'],
      `${field}.seLinuxChangePolicy`,
    ),
  ];
}

/**
 * Checks the security context of a container. `hostUsers` is false if the pod has a user namespace.
 */
export function validateSecurityContext(
  context: Loose<core.SecurityContext> | undefined,
  field: string,
  hostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  const { procMount } = context;
  return [
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...validateOptionalChoice(procMount, ['Default', 'Unmasked'], `${field}.procMount`),
    ...(hostUsers && procMount === 'Unmasked'
      ? [invalid(`${field}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`')]
      : []),
    ...validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`),
    ...validatePrivilegeEscalation(context, field),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
  ];
}

function validatePrivilegeEscalation(
  context: Loose<core.SecurityContext>,
  field: string,
): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const admin = (context.capabilities?.add ?? []).filter((name) => name === 'CAP_SYS_ADMIN');
  return [
    ...(context.privileged === true
      ? [
          invalid(
            field,
            context,
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : []),
    ...admin.map(() =>
      invalid(
        field,
        context,
        'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      ),
    ),
  ];
}

function validateSeccompProfile(
  profile: Loose<core.SeccompProfile> | undefined,
  field: string,
): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  return [
    ...(type === ''
      ? [required(`${field}.type`, 'type is required when seccompProfile is set')]
      : validateOptionalChoice(type, PROFILE_TYPES, `${field}.type`)),
    ...validateLocalhostProfile(type, localhostProfile, profile, field),
  ];
}

function validateLocalhostProfile(
  type: string,
  path: string | undefined,
  profile: Loose<core.SeccompProfile>,
  field: string,
): FieldError[] {
  const pathField = `${field}.localhostProfile`;
  if (type !== 'Localhost') {
    const detail = 'can only be set when seccomp type is Localhost';
    return path === undefined ? [] : [invalid(pathField, profile, detail)];
  }
  return path === undefined
    ? [required(pathField, 'must be set when seccomp type is Localhost')]
    : validateDescendingPath(path, pathField);
}

/** Checks an AppArmor profile; an absent one is valid. */
export function validateAppArmorProfile(
  profile: Loose<core.AppArmorProfile> | undefined,
  field: string,
): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const pathField = `${field}.localhostProfile`;
  switch (type) {
    case 'Localhost':
      return validateAppArmorPath(localhostProfile, pathField);
    case 'RuntimeDefault':
    case 'Unconfined': {
      const detail = 'can only be set when AppArmor type is Localhost';
      return localhostProfile === undefined ? [] : [invalid(pathField, localhostProfile, detail)];
    }
    case '':
      return [required(`${field}.type`, 'type is required when appArmorProfile is set')];
    default:
      return [notSupported(`${field}.type`, type, PROFILE_TYPES)];
  }
}

function validateAppArmorPath(path: string | undefined, field: string): FieldError[] {
  const missing = required(field, 'must be set when AppArmor type is Localhost');
  if (path === undefined) return [missing];
  return [
    ...(path.trim() === path
      ? path === ''
        ? [missing]
        : []
      : [invalid(field, path, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(path) > LONGEST_PROFILE_PATH
      ? [tooLong(field, LONGEST_PROFILE_PATH)]
      : []),
  ];
}

const SYSCTL_SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL = String.raw`^(${SYSCTL_SEGMENT}[\./])*${SYSCTL_SEGMENT}$`;
const SYSCTL_PATTERN = new RegExp(SYSCTL);
const LONGEST_SYSCTL = 253;

function validateSysctls(
  spec: PodSpec,
  sysctls: readonly Loose<core.Sysctl>[],
  field: string,
): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap(({ name = '' }, index) => {
    const path = `${field}[${index}].name`;
    const isKnown = seen.has(name);
    seen.add(name);
    const errors: FieldError[] = [];
    if (name === '') {
      errors.push(required(path));
    } else if (name.length > LONGEST_SYSCTL || !SYSCTL_PATTERN.test(name)) {
      const detail = `must have at most ${LONGEST_SYSCTL} characters and match regex ${SYSCTL}`;
      errors.push(invalid(path, name, detail));
    } else if (isKnown) {
      errors.push(duplicate(path, name));
    }
    const shared = sharedNamespaceOf(name, spec);
    if (shared !== undefined) {
      errors.push(invalid(path, name, `may not be specified when '${shared}' is true`));
    }
    return errors;
  });
}

/** Returns the host namespace through which a sysctl of this pod would change the node. */
function sharedNamespaceOf(sysctl: string, spec: PodSpec): string | undefined {
  const name = sysctl.replaceAll('/', '.');
  if (spec.hostNetwork === true && name.startsWith('net.')) return 'hostNetwork';
  const isIPC = /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(name);
  return spec.hostIPC === true && isIPC ? 'hostIPC' : undefined;
}

/** Checks that a pod with a user namespace shares no other host namespaces. */
export function validateHostUsers(spec: PodSpec, field: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = 'when `hostUsers` is false';
  return [
    ...(spec.hostNetwork === true ? [forbidden(`${field}.hostNetwork`, detail)] : []),
    ...(spec.hostPID === true ? [forbidden(`${field}.HostPID`, detail)] : []),
    ...(spec.hostIPC === true ? [forbidden(`${field}.HostIPC`, detail)] : []),
    ...visitContainers(spec, field).flatMap(({ container, path }) =>
      (container.volumeDevices ?? []).length > 0
        ? [forbidden(`${path}.volumeDevices`, detail)]
        : [],
    ),
  ];
}
