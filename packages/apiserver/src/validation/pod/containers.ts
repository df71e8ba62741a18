// Upstream: pkg/apis/core/validation/validation.go:
//   validateContainers, validateInitContainers, validateEphemeralContainers
import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Label } from 'client-ts/meta';
import { validateChoice, validateOptionalChoice } from '../choices.ts';
import { validatePortName, validatePortNumber } from '../names.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notFound,
  notSupported,
  required,
  tooMany,
} from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { type LifecycleContext, validateLifecycle, validateProbes } from './probes.ts';
import { validateContainerResources } from '../resources.ts';
import { validateSecurityContext } from './security-context.ts';
import { validateVolumeDevices, validateVolumeMounts } from './volume-mounts.ts';
import type { VolumeMap } from './volumes.ts';

type Container = Loose<core.Container>;

/** The parts of the pod that container rules depend on. */
export interface ContainerContext extends LifecycleContext {
  readonly volumes: VolumeMap;
  /** The names of `spec.resourceClaims`. */
  readonly claimNames: readonly string[];
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const MOST_RESTART_RULES = 20;
const MOST_EXIT_CODES = 255;

/** Checks the regular containers; at least one is required. */
export function validateContainers(
  containers: readonly Container[],
  context: ContainerContext,
  field: string,
): FieldError[] {
  if (containers.length === 0) return [required(field)];
  const names = new Set<string>();
  return [
    ...containers.flatMap((container, index) => {
      const path = `${field}[${index}]`;
      const { name = '', lifecycle } = container;
      const isTaken = names.has(name);
      names.add(name);
      return [
        ...validateContainer(container, context, path),
        ...(isTaken ? [duplicate(`${path}.name`, name)] : []),
        ...(lifecycle ? validateLifecycle(lifecycle, context, `${path}.lifecycle`) : []),
        ...validateProbes(container, context, path),
        ...validateRestartPolicy(container, path),
      ];
    }),
    ...validateHostPorts(containers, field),
  ];
}

/** Checks the init containers. Those that always restart are sidecars and may have probes. */
export function validateInitContainers(
  initContainers: readonly Container[],
  containers: readonly Container[],
  context: ContainerContext,
  field: string,
): FieldError[] {
  const names = new Set(containers.map(({ name = '' }) => name));
  return initContainers.flatMap((container, index) => {
    const path = `${field}[${index}]`;
    const { name = '' } = container;
    const isTaken = names.has(name);
    if (name !== '') names.add(name);
    const isSidecar = container.restartPolicy === 'Always';
    return [
      ...validateContainer(container, context, path),
      ...validateRestartPolicy(container, path),
      ...(isTaken ? [duplicate(`${path}.name`, name)] : []),
      ...validateHostPorts([container], field),
      ...(isSidecar
        ? validateSidecar(container, context, path)
        : validateNoProbes(container, path)),
      ...(isSidecar ? [] : validateNoRestartOnResize(container, path)),
    ];
  });
}

function validateSidecar(
  container: Container,
  context: ContainerContext,
  field: string,
): FieldError[] {
  const { lifecycle } = container;
  return [
    ...(lifecycle ? validateLifecycle(lifecycle, context, `${field}.lifecycle`) : []),
    ...validateProbes(container, context, field),
  ];
}

function validateNoProbes(container: Container, field: string): FieldError[] {
  const detail = 'may not be set for init containers without restartPolicy=Always';
  return (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    .filter((name) => container[name] !== undefined)
    .map((name) => forbidden(`${field}.${name}`, detail));
}

function validateNoRestartOnResize({ resizePolicy = [] }: Container, field: string): FieldError[] {
  return resizePolicy.flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer'
      ? [
          invalid(
            `${field}.resizePolicy[${index}].restartPolicy`,
            restartPolicy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : [],
  );
}

const NOT_FOR_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Checks the ephemeral containers. */
export function validateEphemeralContainers(
  ephemeralContainers: readonly Loose<core.EphemeralContainer>[],
  spec: Loose<core.PodSpec>,
  context: ContainerContext,
  field: string,
): FieldError[] {
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name = '' }) => name),
  );
  const names = new Set(others);
  const detail = 'cannot be set for an Ephemeral Container';
  return ephemeralContainers.flatMap((container, index) => {
    const path = `${field}[${index}]`;
    const { name = '', targetContainerName = '', volumeMounts = [] } = container;
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...validateContainer(container, context, path),
      ...validateImagePadding(container, path),
      ...(isTaken ? [duplicate(`${path}.name`, name)] : []),
      ...(targetContainerName !== '' && !others.has(targetContainerName)
        ? [notFound(`${path}.targetContainerName`, targetContainerName)]
        : []),
      ...NOT_FOR_EPHEMERAL.filter((part) => !isEmpty(container[part])).map((part) =>
        forbidden(`${path}.${part}`, detail),
      ),
      ...volumeMounts.flatMap((mount, mountIndex) =>
        (['subPath', 'subPathExpr'] as const)
          .filter((part) => (mount[part] ?? '') !== '')
          .map((part) => forbidden(`${path}.volumeMounts[${mountIndex}].${part}`, detail)),
      ),
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  );
}

/** Rejects spaces around an image. Applies to pods, not to templates. */
export function validateImagePadding({ image = '' }: Container, field: string): FieldError[] {
  return image.trim() === image
    ? []
    : [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')];
}

function validateContainer(
  container: Container,
  context: ContainerContext,
  field: string,
): FieldError[] {
  const { name = '', image = '', volumeMounts = [], volumeDevices = [] } = container;
  return [
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, validateDns1123Label(name))),
    ...(image === '' ? [required(`${field}.image`)] : []),
    ...validateChoice(
      container.terminationMessagePolicy,
      ['File', 'FallbackToLogsOnError'],
      `${field}.terminationMessagePolicy`,
    ),
    ...validatePorts(container.ports ?? [], `${field}.ports`),
    ...validateEnv(container.env ?? [], `${field}.env`),
    ...validateEnvFrom(container.envFrom ?? [], `${field}.envFrom`),
    ...validateVolumeMounts(container, context.volumes, `${field}.volumeMounts`),
    ...validateVolumeDevices(
      volumeDevices,
      volumeMounts,
      context.volumes,
      `${field}.volumeDevices`,
    ),
    ...validateChoice(container.imagePullPolicy, PULL_POLICIES, `${field}.imagePullPolicy`),
    ...validateContainerResources(container.resources, context.claimNames, `${field}.resources`),
    ...validateResizePolicies(container, context.restartPolicy, `${field}.resizePolicy`),
    ...validateSecurityContext(
      container.securityContext,
      `${field}.securityContext`,
      context.hostUsers,
    ),
  ];
}

function validatePorts(ports: readonly Loose<core.ContainerPort>[], field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `${field}[${index}]`;
    const { containerPort = 0, hostPort = 0 } = port;
    return [
      ...validateUniquePortName(port.name ?? '', names, `${path}.name`),
      ...(containerPort === 0
        ? [required(`${path}.containerPort`)]
        : invalidEach(`${path}.containerPort`, containerPort, validatePortNumber(containerPort))),
      ...(hostPort === 0
        ? []
        : invalidEach(`${path}.hostPort`, hostPort, validatePortNumber(hostPort))),
      ...validateChoice(port.protocol, PROTOCOLS, `${path}.protocol`),
    ];
  });
}

function validateUniquePortName(name: string, names: Set<string>, field: string): FieldError[] {
  if (name === '') return [];
  const messages = validatePortName(name);
  if (messages.length > 0) return invalidEach(field, name, messages);
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

/** Checks that no two containers use the same host port. */
function validateHostPorts(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, protocol = '', hostIP = '' }, portIndex) => {
      if (hostPort === 0) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) {
        return [duplicate(`${field}[${index}].ports[${portIndex}].hostPort`, key)];
      }
      taken.add(key);
      return [];
    }),
  );
}

function validateResizePolicies(
  { resizePolicy = [] }: Container,
  podRestartPolicy: string,
  field: string,
): FieldError[] {
  const seen = new Set<string>();
  return resizePolicy.flatMap(({ resourceName = '', restartPolicy = '' }, index) => {
    const isTaken = seen.has(resourceName);
    seen.add(resourceName);
    return [
      ...(isTaken ? [duplicate(`${field}[${index}]`, resourceName)] : []),
      ...validateChoice(resourceName, ['cpu', 'memory'], field),
      ...validateChoice(restartPolicy, ['NotRequired', 'RestartContainer'], field),
      ...(podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [
            invalid(
              field,
              restartPolicy,
              "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
            ),
          ]
        : []),
    ];
  });
}

function validateRestartPolicy(container: Container, field: string): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const path = `${field}.restartPolicy`;
  if (restartPolicy === undefined && rules.length === 0) return [];
  return [
    ...(restartPolicy === undefined
      ? [required(path, 'must specify restartPolicy when restart rules are used')]
      : validateOptionalChoice(restartPolicy, RESTART_POLICIES, path)),
    ...(rules.length > MOST_RESTART_RULES
      ? [tooMany(`${field}.restartPolicyRules`, rules.length, MOST_RESTART_RULES)]
      : []),
    ...rules.flatMap((rule, index) =>
      validateRestartRule(rule, `${field}.restartPolicyRules[${index}]`),
    ),
  ];
}

function validateRestartRule(
  { action = '', exitCodes }: Loose<core.ContainerRestartRule>,
  field: string,
): FieldError[] {
  const actions = ['Restart', 'RestartAllContainers'];
  const errors = actions.includes(action) ? [] : [notSupported(`${field}.action`, action, actions)];
  if (exitCodes === undefined) {
    return [...errors, required(`${field}.exitCodes`, 'must be specified')];
  }
  const { operator = '', values = [] } = exitCodes;
  return [
    ...errors,
    ...(operator === 'In' || operator === 'NotIn'
      ? []
      : [notSupported(`${field}.exitCodes.operator`, operator, ['In', 'NotIn'])]),
    ...(values.length > MOST_EXIT_CODES
      ? [tooMany(`${field}.exitCodes.values`, values.length, MOST_EXIT_CODES)]
      : []),
  ];
}
