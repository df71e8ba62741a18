// Upstream: pkg/apis/core/validation/validation.go:
//   validateWindows, validateLinux, validateWindowsHostProcessPod
import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Subdomain } from 'client-ts/meta';
import { type FieldError, forbidden, invalid, invalidEach } from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { visitContainers } from './visit-containers.ts';

type PodSpec = Loose<core.PodSpec>;

const LONGEST_CREDENTIAL_SPEC_KIB = 64;
const LONGEST_USER_DOMAIN = 256;
const LONGEST_USER_NAME = 104;

/** Checks the Windows options of a security context. */
export function validateWindowsOptions(
  options: Loose<core.WindowsSecurityContextOptions> | undefined,
  field: string,
): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec, runAsUserName } = options;
  return [
    ...(specName === undefined
      ? []
      : invalidEach(
          `${field}.gmsaCredentialSpecName`,
          specName,
          validateDns1123Subdomain(specName),
        )),
    ...validateCredentialSpec(gmsaCredentialSpec, `${field}.gmsaCredentialSpec`),
    ...(runAsUserName === undefined
      ? []
      : validateUser(runAsUserName).map((detail) =>
          invalid(`${field}.runAsUserName`, runAsUserName, detail),
        )),
  ];
}

function validateCredentialSpec(spec: string | undefined, field: string): FieldError[] {
  if (spec === '') return [invalid(field, spec, 'gmsaCredentialSpec cannot be an empty string')];
  const limit = LONGEST_CREDENTIAL_SPEC_KIB;
  return spec !== undefined && Buffer.byteLength(spec) > limit * 1024
    ? [invalid(field, spec, `gmsaCredentialSpec size must be under ${limit} KiB`)]
    : [];
}

function validateUser(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  return [...domainProblems(domain), ...userProblems(user)];
}

function domainProblems(domain: string | undefined): string[] {
  if (domain === undefined) return [];
  const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
  const isDns = new RegExp(String.raw`^${label}(?:\.${label})*$`).test(domain);
  const isNetBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/.test(domain);
  return [
    ...(domain.length >= LONGEST_USER_DOMAIN
      ? [`runAsUserName's Domain length must be under ${LONGEST_USER_DOMAIN} characters`]
      : []),
    ...(isDns || isNetBios
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userProblems(user: string): string[] {
  const problems: string[] = [];
  if (user === '') {
    problems.push("runAsUserName's User cannot be empty");
  } else if (user.length > LONGEST_USER_NAME) {
    problems.push(
      `runAsUserName's User length must not be longer than ${LONGEST_USER_NAME} characters`,
    );
  }
  if (/^[. ]+$/.test(user)) {
    problems.push("runAsUserName's User cannot contain only periods or spaces");
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(
      String.raw`runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`,
    );
  }
  return problems;
}

/**
 * Checks HostProcess containers: all containers of the pod must be, and the pod must use the host
 * network.
 */
export function validateHostProcesses(spec: PodSpec, field: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const visited = visitContainers(spec, field);
  const errors: FieldError[] = [];
  let hostProcesses = 0;
  for (const { container, path } of visited) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (own !== undefined && ofPod !== undefined && own !== ofPod) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(`${path}.securityContext.windowsOptions.hostProcess`, own, detail));
    }
    if (own ?? ofPod ?? false) hostProcesses += 1;
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== visited.length) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(field, '', detail));
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalid(`${field}.hostNetwork`, false, detail));
  }
  return errors;
}

const NOT_FOR_WINDOWS_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Rejects Linux-only fields in a pod whose OS is Windows. */
export function validateWindowsPod(spec: PodSpec, field: string): FieldError[] {
  const context = spec.securityContext ?? {};
  const pod: readonly (readonly [string, unknown])[] = [
    ['securityContext.appArmorProfile', context.appArmorProfile],
    ['securityContext.seLinuxOptions', context.seLinuxOptions],
    ['hostUsers', spec.hostUsers],
    ['hostPID', spec.hostPID],
    ['hostIPC', spec.hostIPC],
    ['securityContext.seccompProfile', context.seccompProfile],
    ['securityContext.fsGroup', context.fsGroup],
    ['securityContext.fsGroupChangePolicy', context.fsGroupChangePolicy],
    ['securityContext.sysctls', context.sysctls],
    ['shareProcessNamespace', spec.shareProcessNamespace],
    ['securityContext.runAsUser', context.runAsUser],
    ['securityContext.runAsGroup', context.runAsGroup],
    ['securityContext.supplementalGroups', context.supplementalGroups],
    ['securityContext.supplementalGroupsPolicy', context.supplementalGroupsPolicy],
    ['securityContext.seLinuxChangePolicy', context.seLinuxChangePolicy],
  ];
  const detail = 'cannot be set for a windows pod';
  return [
    ...pod
      .filter(([, value]) => value !== undefined)
      .map(([name]) => forbidden(`${field}.${name}`, detail)),
    ...visitContainers(spec, field).flatMap(({ container, path }) =>
      NOT_FOR_WINDOWS_CONTAINERS.filter(
        (name) => container.securityContext?.[name] !== undefined,
      ).map((name) => forbidden(`${path}.securityContext.${name}`, detail)),
    ),
  ];
}

/** Rejects Windows-only fields in a pod whose OS is Linux. */
export function validateLinuxPod(spec: PodSpec, field: string): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod';
  return [
    ...(spec.securityContext?.windowsOptions === undefined
      ? []
      : [forbidden(`${field}.securityContext.windowsOptions`, detail)]),
    ...visitContainers(spec, field).flatMap(({ container, path }) =>
      container.securityContext?.windowsOptions === undefined
        ? []
        : [forbidden(`${path}.securityContext.windowsOptions`, detail)],
    ),
  ];
}
