// Upstream: pkg/apis/core/validation/validation.go:
//   validateProbe, validateLifecycle, validateHandler
import type * as core from 'client-ts/api/core/v1';
import { type IntOrString } from 'client-ts/meta';
import { requireFields } from '../choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { validateHttpHeaderName, validatePortName, validatePortNumber } from '../names.ts';
import { nonNegative } from '../object-meta.ts';

type Probe = Loose<core.Probe>;
type Handler = Loose<core.LifecycleHandler & Pick<core.Probe, 'grpc'>>;

/** The parts of the pod that probes and lifecycle hooks depend on. */
export interface LifecycleContext {
  readonly gracePeriodSeconds: number | undefined;
  readonly os: string | undefined;
}

/** Checks a port number or a port name. */
export function validatePort(port: IntOrString | undefined, field: string): FieldError[] {
  const value = port ?? 0;
  return invalidEach(
    field,
    value,
    typeof value === 'number' ? validatePortNumber(value) : validatePortName(value),
  );
}

/** Checks the three probes of a container. */
export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Loose<core.Container>,
  context: LifecycleContext,
  field: string,
): FieldError[] {
  return [
    ...(livenessProbe
      ? [
          ...validateProbe(livenessProbe, context, `${field}.livenessProbe`),
          ...validateSuccessThreshold(livenessProbe, `${field}.livenessProbe`),
        ]
      : []),
    ...(readinessProbe
      ? [
          ...validateProbe(readinessProbe, context, `${field}.readinessProbe`),
          ...(readinessProbe.terminationGracePeriodSeconds === undefined
            ? []
            : [
                invalid(
                  `${field}.readinessProbe.terminationGracePeriodSeconds`,
                  readinessProbe.terminationGracePeriodSeconds,
                  'must not be set for readinessProbes',
                ),
              ]),
        ]
      : []),
    ...(startupProbe
      ? [
          ...validateProbe(startupProbe, context, `${field}.startupProbe`),
          ...validateSuccessThreshold(startupProbe, `${field}.startupProbe`),
        ]
      : []),
  ];
}

function validateSuccessThreshold({ successThreshold = 0 }: Probe, field: string): FieldError[] {
  return successThreshold === 1
    ? []
    : [invalid(`${field}.successThreshold`, successThreshold, 'must be 1')];
}

function validateProbe(probe: Probe, context: LifecycleContext, field: string): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, terminationGracePeriodSeconds: grace } = probe;
  const handler: Handler = {
    ...(exec && { exec }),
    ...(httpGet && { httpGet }),
    ...(tcpSocket && { tcpSocket }),
    ...(grpc && { grpc }),
  };
  const counters = [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const;
  return [
    ...validateHandler(handler, context, field),
    ...counters.flatMap((name) => nonNegative(probe[name], `${field}.${name}`)),
    ...(grace !== undefined && grace <= 0
      ? [invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}

function validateHandler(handler: Handler, context: LifecycleContext, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  /** Checks one handler; of several, only the first is checked further. */
  const check = <T>(
    name: string,
    part: T | undefined,
    validate: (part: T) => FieldError[],
  ): void => {
    if (part === undefined) return;
    count += 1;
    errors.push(
      ...(count > 1
        ? [forbidden(`${field}.${name}`, 'may not specify more than 1 handler type')]
        : validate(part)),
    );
  };
  check('exec', handler.exec, (exec) => requireFields(exec, `${field}.exec`, ['command']));
  check('httpGet', handler.httpGet, (get) => validateHttpGet(get, `${field}.httpGet`));
  check('tcpSocket', handler.tcpSocket, ({ port }) =>
    validatePort(port, `${field}.tcpSocket.port`),
  );
  check('grpc', handler.grpc, ({ port }) => validatePort(port, `${field}.grpc.port`));
  check('sleep', handler.sleep, ({ seconds = 0 }) =>
    validateSleep(seconds, context, `${field}.sleep`),
  );
  if (count === 0) errors.push(required(field, 'must specify a handler type'));
  return errors;
}

function validateHttpGet(get: Loose<core.HTTPGetAction>, field: string): FieldError[] {
  const { scheme = '', httpHeaders = [] } = get;
  return [
    ...requireFields(get, field, ['path']),
    ...validatePort(get.port, `${field}.port`),
    ...(scheme === 'HTTP' || scheme === 'HTTPS'
      ? []
      : [notSupported(`${field}.scheme`, scheme, ['HTTP', 'HTTPS'])]),
    ...httpHeaders.flatMap(({ name = '' }) =>
      invalidEach(`${field}.httpHeaders`, name, validateHttpHeaderName(name)),
    ),
  ];
}

function validateSleep(
  seconds: number,
  { gracePeriodSeconds }: LifecycleContext,
  field: string,
): FieldError[] {
  if (gracePeriodSeconds === undefined || (seconds >= 0 && seconds <= gracePeriodSeconds))
    return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`;
  return [invalid(field, seconds, detail)];
}

/** Checks the lifecycle hooks of a container. */
export function validateLifecycle(
  { postStart, preStop, stopSignal }: Loose<core.Lifecycle>,
  context: LifecycleContext,
  field: string,
): FieldError[] {
  return [
    ...(postStart ? validateHandler(postStart, context, `${field}.postStart`) : []),
    ...(preStop ? validateHandler(preStop, context, `${field}.preStop`) : []),
    ...(stopSignal === undefined
      ? []
      : validateStopSignal(stopSignal, context, `${field}.stopSignal`)),
  ];
}

function realTimeSignals(): string[] {
  const up = Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`);
  const down = Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`);
  return ['SIGRTMIN', ...up, ...down, 'SIGRTMAX'];
}

const LINUX_SIGNALS: readonly string[] = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'
    .split(' ')
    .map((name) => `SIG${name}`),
  ...realTimeSignals(),
].toSorted();

function validateStopSignal(signal: string, { os }: LifecycleContext, field: string): FieldError[] {
  if (os === undefined) {
    return [forbidden(field, 'may not be set for containers with empty `spec.os.name`')];
  }
  const known = os === 'windows' ? ['SIGKILL', 'SIGTERM'] : LINUX_SIGNALS;
  return known.includes(signal) ? [] : [notSupported(field, signal, known)];
}
