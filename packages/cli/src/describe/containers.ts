import type {
  Container,
  ContainerPort,
  ContainerState,
  ContainerStatus,
  EnvFromSource,
  EnvVar,
  Pod,
  Probe,
  ResourceFieldSelector,
  ResourceRequirements,
} from 'client-ts/api/core/v1';
import { formatGo, getKey, quoteGo } from 'client-ts/internal';
import { type ObjectMeta, parseQuantity } from 'client-ts/meta';

import { block, field, indent, type Lines, optional, optionalBlock } from './lines.ts';
import {
  annotations,
  labels as labelLines,
  localTime,
  type Loose,
  type LooseObject,
  orNone,
  quantities,
  yesOrNo,
} from './values.ts';

/** Where containers are described. */
export interface ContainersOptions {
  readonly statuses?: readonly Loose<ContainerStatus>[] | undefined;
  /** Undefined for a pod template, which is one level deeper. */
  readonly pod?: LooseObject<Pod> | undefined;
}

/** Containers, with what they run and how they are. */
export function containers(
  label: string,
  all: readonly Loose<Container>[] | undefined,
  { statuses = [], pod }: ContainersOptions,
): Lines {
  const isTemplate = pod === undefined;
  const list = all ?? [];
  const none = list.length === 0 ? ' <none>' : '';
  return [
    `${isTemplate ? '  ' : ''}${label}:${none}`,
    list.map((container) => {
      const status = statuses.find(({ name }) => name === container.name);
      return [
        `  ${isTemplate ? ' ' : ''}${container.name ?? ''}:`,
        indent(containerLines(container, status, pod), 2),
      ];
    }),
  ];
}

function containerLines(
  container: Loose<Container>,
  status: Loose<ContainerStatus> | undefined,
  pod: LooseObject<Pod> | undefined,
): Lines {
  const { ports = [], securityContext } = container;
  const profile = securityContext?.seccompProfile;
  return [
    status !== undefined && field('Container ID', status.containerID),
    field('Image', container.image),
    status !== undefined && field('Image ID', status.imageID),
    portField('Port', ports, ({ containerPort }) => containerPort),
    portField('Host Port', ports, ({ hostPort }) => hostPort),
    profile !== undefined && field('SeccompProfile', profile.type),
    profile?.type === 'Localhost' && indent(field('LocalhostProfile', profile.localhostProfile)),
    optionalBlock(
      'Command',
      container.command?.map((word) => word?.split('\n')),
    ),
    optionalBlock(
      'Args',
      container.args?.map((word) => word?.split('\n')),
    ),
    status !== undefined && stateLines(status),
    resourceLines(container.resources),
    probe('Liveness', container.livenessProbe),
    probe('Readiness', container.readinessProbe),
    probe('Startup', container.startupProbe),
    optionalBlock('Environment Variables from', container.envFrom?.map(envFromLine)),
    environment(container, pod),
    mounts(container),
  ];
}

function portField(
  label: string,
  ports: readonly Loose<ContainerPort>[],
  number: (port: Loose<ContainerPort>) => number | undefined,
): string {
  const text = ports
    .map((port) => {
      const name = port.name === undefined || port.name === '' ? '' : ` (${port.name})`;
      return `${number(port) ?? 0}/${port.protocol ?? ''}${name}`;
    })
    .join(', ');
  return field(text.includes(',') ? `${label}s` : label, orNone(text));
}

/** Limits and requests. */
export function resourceLines(resources: Loose<ResourceRequirements> | undefined): Lines {
  return [
    optionalBlock('Limits', quantities(resources?.limits)),
    optionalBlock('Requests', quantities(resources?.requests)),
  ];
}

function stateLines({ state, lastState, ready, restartCount = 0 }: Loose<ContainerStatus>): Lines {
  return [
    stateOf('State', state),
    lastState?.terminated !== undefined && stateOf('Last State', lastState),
    field('Ready', yesOrNo(ready)),
    field('Restart Count', restartCount),
  ];
}

function stateOf(label: string, state: Loose<ContainerState> | undefined): Lines {
  const { running, waiting, terminated } = state ?? {};
  if (running !== undefined) {
    return [field(label, 'Running'), indent(field('Started', localTime(running.startedAt)))];
  }
  if (waiting !== undefined || terminated === undefined) {
    return [field(label, 'Waiting'), indent(optional('Reason', waiting?.reason))];
  }
  const { reason, message, exitCode = 0, signal = 0, startedAt, finishedAt } = terminated;
  return [
    field(label, 'Terminated'),
    indent([
      optional('Reason', reason),
      optional('Message', message),
      field('Exit Code', exitCode),
      signal > 0 && field('Signal', signal),
      field('Started', localTime(startedAt)),
      field('Finished', localTime(finishedAt)),
    ]),
  ];
}

function probe(label: string, checked: Loose<Probe> | undefined): Lines {
  if (checked === undefined) return undefined;
  const { exec, httpGet, tcpSocket, grpc } = checked;
  const times = [
    `delay=${checked.initialDelaySeconds ?? 0}s`,
    `timeout=${checked.timeoutSeconds ?? 0}s`,
    `period=${checked.periodSeconds ?? 0}s`,
    `#success=${checked.successThreshold ?? 0}`,
    `#failure=${checked.failureThreshold ?? 0}`,
  ].join(' ');
  if (exec !== undefined) return field(label, `exec ${formatGo(exec.command ?? [])} ${times}`);
  if (httpGet !== undefined) {
    const { scheme = '', host = '', port = '', path = '' } = httpGet;
    const place = `${scheme.toLowerCase()}://${hostPort(host, port)}${urlPath(path)}`;
    return field(label, `http-get ${place} ${times}`);
  }
  if (tcpSocket !== undefined) {
    return field(label, `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port ?? ''} ${times}`);
  }
  if (grpc !== undefined) {
    return field(label, `grpc <pod>:${grpc.port ?? 0} ${grpc.service ?? ''} ${times}`);
  }
  return field(label, `unknown ${times}`);
}

/** An IPv6 address is in brackets. */
export function hostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function urlPath(path: string): string {
  const rooted = path === '' || path.startsWith('/') ? path : `/${path}`;
  return encodeURI(rooted).replaceAll('?', '%3F').replaceAll('#', '%23');
}

function envFromLine({ configMapRef, secretRef, prefix = '' }: Loose<EnvFromSource>): string {
  const source = configMapRef ?? secretRef;
  const from = configMapRef !== undefined ? 'ConfigMap' : secretRef !== undefined ? 'Secret' : '';
  const how = prefix === '' ? '' : ` with prefix '${prefix}'`;
  return `${source?.name ?? ''}\t${from}${how}\tOptional: ${source?.optional === true}`;
}

function environment(container: Loose<Container>, pod: LooseObject<Pod> | undefined): Lines {
  const { env = [] } = container;
  if (env.length === 0) return field('Environment', '<none>');
  return block(
    'Environment',
    env.map((variable) => variableLines(variable, container, pod)),
  );
}

function variableLines(
  { name = '', value = '', valueFrom }: Loose<EnvVar>,
  container: Loose<Container>,
  pod: LooseObject<Pod> | undefined,
): Lines {
  if (valueFrom === undefined) {
    return value.split('\n').map((line, index) => (index === 0 ? field(name, line) : `\t${line}`));
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    const { apiVersion = '', fieldPath = '' } = fieldRef;
    const found = pod === undefined ? '' : podField(pod, fieldPath);
    return field(name, `${found} (${apiVersion}:${fieldPath})`);
  }
  if (resourceFieldRef !== undefined) {
    const { resource = '' } = resourceFieldRef;
    return field(name, `${resourceField(resourceFieldRef, container)} (${resource})`);
  }
  if (secretKeyRef !== undefined) {
    const { key = '', name: secret = '', optional: isOptional = false } = secretKeyRef;
    return field(name, `<set to the key '${key}' in secret '${secret}'>\tOptional: ${isOptional}`);
  }
  if (configMapKeyRef === undefined) return undefined;
  const { key = '', name: map = '', optional: isOptional = false } = configMapKeyRef;
  return field(name, `<set to the key '${key}' of config map '${map}'>\tOptional: ${isOptional}`);
}

/** kubectl knows these fields of the downward API. */
function podField({ metadata }: LooseObject<Pod>, path: string): string {
  const known = { 'metadata.name': metadata?.name, 'metadata.namespace': metadata?.namespace };
  return getKey(known, path) ?? '';
}

function resourceField(
  { resource = '', divisor = '0' }: Loose<ResourceFieldSelector>,
  { resources }: Loose<Container>,
): string {
  const [, kind = '', name = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  const isKnown = ['cpu', 'memory', 'ephemeral-storage'].includes(name);
  if (!isKnown && !name.startsWith('hugepages-')) return '';
  const amounts = kind === 'limits' ? resources?.limits : resources?.requests;
  const amount = parseQuantity(getKey(amounts ?? {}, name) ?? '0');
  const unit = parseQuantity(divisor);
  const by = unit.value() === 0n && unit.milliValue() === 0n ? parseQuantity('1') : unit;
  const value =
    name === 'cpu'
      ? Number(amount.milliValue()) / Number(by.milliValue())
      : Number(amount.value()) / Number(by.value());
  const isWhole = kind === 'limits' && (name === 'cpu' || name === 'memory');
  return value === 0 && isWhole ? 'node allocatable' : String(Math.ceil(value));
}

function mounts({ volumeMounts = [], volumeDevices = [] }: Loose<Container>): Lines {
  const places = volumeMounts
    .toSorted((a, b) => ((a.mountPath ?? '') < (b.mountPath ?? '') ? -1 : 1))
    .map(({ mountPath = '', name = '', readOnly, subPath = '' }) => {
      const path = subPath === '' ? '' : `,path=${quoteGo(subPath)}`;
      return `${mountPath} from ${name} (${readOnly === true ? 'ro' : 'rw'}${path})`;
    });
  const devices = volumeDevices
    .toSorted((a, b) => ((a.devicePath ?? '') < (b.devicePath ?? '') ? -1 : 1))
    .map(({ devicePath = '', name = '' }) => `${devicePath} from ${name}`);
  const noMounts = '\t<none>';
  return [
    places.length === 0 ? `Mounts:${noMounts}` : block('Mounts', places),
    devices.length > 0 && [
      places.length === 0 ? `Devices:${noMounts}` : 'Devices:',
      indent(devices),
    ],
  ];
}

/** Labels and annotations of a pod template; the latter only if there are any. */
export function templateMetadata(metadata: Loose<ObjectMeta> | undefined): Lines {
  const notes = Object.keys(metadata?.annotations ?? {}).length > 0;
  return [
    labelLines('  Labels', metadata?.labels),
    notes && annotations('  Annotations', metadata?.annotations),
  ];
}
