// Upstream: pkg/registry/core/pod/strategy.go: podStatusStrategy
// Upstream: pkg/apis/core/validation/validation.go: ValidatePodStatusUpdate
// Upstream: pkg/api/v1/pod/util.go: UpdatePodCondition
import type * as core from 'client-ts/api/core/v1';
import type { Clock } from 'client-ts/internal';
import { formatTime, validateQualifiedName } from 'client-ts/meta';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
} from '../../../../validation/field-error.ts';
import { isDualStack, parseIP, validateIP, warningsForIP } from '../../../../validation/ip.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { nameIsDnsSubdomain } from '../../../../validation/names.ts';
import { immutable } from '../../../../validation/object-meta.ts';
import { validatePodAnnotationsUpdate } from '../../../../validation/pod/annotations.ts';
import { copyFields } from '../../support.ts';
import { podMeta } from './validation.ts';

type Pod = Loose<core.Pod>;
type ContainerStatus = Loose<core.ContainerStatus>;

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Prepares a `/status` update: it may change labels, but neither spec nor owners. */
export function preparePodStatus(pod: Pod, old: Pod): void {
  copyFields(pod, old, 'spec');
  copyFields((pod.metadata ??= {}), old.metadata ?? {}, 'ownerReferences');
  const status = (pod.status ??= {});
  const oldStatus = old.status ?? {};
  if (oldStatus.qosClass !== undefined) status.qosClass ||= oldStatus.qosClass;
  if (oldStatus.observedGeneration !== undefined) {
    status.observedGeneration ||= oldStatus.observedGeneration;
  }
  for (const condition of status.conditions ?? []) {
    const before = oldStatus.conditions?.find(({ type }) => type === condition.type);
    if (before?.observedGeneration !== undefined) {
      condition.observedGeneration ||= before.observedGeneration;
    }
  }
}

/** Checks a `/status` update against the stored pod. */
export function validatePodStatus(pod: Pod, old: Pod): FieldError[] {
  const status = pod.status ?? {};
  const oldStatus = old.status ?? {};
  const spec = old.spec ?? {};
  return [
    ...podMeta.update(pod, old),
    ...validatePodAnnotationsUpdate(
      pod.metadata?.annotations,
      old.metadata?.annotations,
      pod.spec ?? {},
      'metadata.annotations',
    ),
    ...validateConditions(status.conditions ?? []),
    ...validateNominatedNode(status, oldStatus, spec.nodeName ?? ''),
    ...((status.observedGeneration ?? 0) < 0
      ? [
          invalid(
            'status.observedGeneration',
            status.observedGeneration,
            'must be a non-negative integer',
          ),
        ]
      : []),
    ...immutable(status.qosClass ?? '', oldStatus.qosClass ?? '', 'status.qosClass'),
    ...validateTransitions('containerStatuses', pod, old, spec.containers ?? []),
    ...validateTransitions('initContainerStatuses', pod, old, spec.initContainers ?? []),
    ...validateTransitions('ephemeralContainerStatuses', pod, old, undefined),
    ...validateAddresses(status.podIPs ?? [], oldStatus.podIPs ?? [], 'status.podIPs'),
    ...validateHostIPs(status, oldStatus),
  ];
}

function validateConditions(conditions: readonly Loose<core.PodCondition>[]): FieldError[] {
  return conditions.flatMap(({ type = '', observedGeneration = 0 }, index) => {
    const field = `status.conditions[${index}]`;
    return [
      ...(observedGeneration < 0
        ? [
            invalid(
              `${field}.observedGeneration`,
              observedGeneration,
              'must be a non-negative integer',
            ),
          ]
        : []),
      ...(SYSTEM_CONDITIONS.has(type)
        ? []
        : invalidEach(`${field}.Type`, type, validateQualifiedName(type))),
    ];
  });
}

function validateNominatedNode(
  { nominatedNodeName: name = '' }: Loose<core.PodStatus>,
  { nominatedNodeName: before = '' }: Loose<core.PodStatus>,
  nodeName: string,
): FieldError[] {
  if (name === '' || name === before) return [];
  const field = 'status.nominatedNodeName';
  return [
    ...invalidEach(field, name, nameIsDnsSubdomain(name, false)),
    ...(nodeName === ''
      ? []
      : [forbidden(field, 'may not be set on pods that are already bound to a node')]),
  ];
}

/** Checks that a container that has terminated for good does not run again. */
function validateTransitions(
  kind: 'containerStatuses' | 'ephemeralContainerStatuses' | 'initContainerStatuses',
  { status = {} }: Pod,
  old: Pod,
  containers: readonly Loose<core.Container>[] | undefined,
): FieldError[] {
  const before: readonly ContainerStatus[] = old.status?.[kind] ?? [];
  return before.flatMap(({ name, state }, index) => {
    if (state?.terminated === undefined) return [];
    const now = (status[kind] ?? []).find((candidate) => candidate.name === name);
    if (now === undefined || now.state?.terminated !== undefined) return [];
    const container = containers?.find((candidate) => candidate.name === name);
    const podPolicy = old.spec?.restartPolicy ?? '';
    const mayRestart =
      container !== undefined && restarts(container, podPolicy, state.terminated.exitCode ?? 0);
    return mayRestart
      ? []
      : [
          forbidden(
            `status.${kind}[${index}].state`,
            'may not be transitioned to non-terminated state',
          ),
        ];
  });
}

function restarts(
  { restartPolicy, restartPolicyRules = [] }: Loose<core.Container>,
  podPolicy: string,
  exitCode: number,
): boolean {
  const rule = restartPolicyRules.find(({ exitCodes }) => {
    const isListed = (exitCodes?.values ?? []).includes(exitCode);
    return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed;
  });
  if (rule !== undefined) return true;
  const policy = restartPolicy ?? podPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function validateAddresses(
  addresses: readonly { ip?: string }[],
  old: readonly { ip?: string }[],
  field: string,
): FieldError[] {
  const texts = addresses.map(({ ip = '' }) => ip);
  const known = old.map(({ ip = '' }) => ip);
  return [
    ...texts.flatMap((ip, index) => validateIP(`${field}[${index}]`, ip, known)),
    ...(texts.length > 1 && !isDualStack(texts.map(parseIP))
      ? [
          invalid(
            field,
            texts.map((ip) => ({ IP: ip })),
            'may specify no more than one IP for each IP family',
          ),
        ]
      : []),
  ];
}

function validateHostIPs(
  { hostIP = '', hostIPs = [] }: Loose<core.PodStatus>,
  { hostIPs: old = [] }: Loose<core.PodStatus>,
): FieldError[] {
  const first = hostIPs[0]?.ip ?? '';
  if (hostIPs.length === 0) return [];
  return [
    ...(hostIP === first
      ? []
      : [invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')]),
    ...validateAddresses(hostIPs, old, 'status.hostIPs'),
  ];
}

/** Returns the warnings about non-canonical addresses in the status. */
export function podStatusWarnings({ status = {} }: Pod): string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((name) =>
    (status[name] ?? []).flatMap(({ ip = '' }, index) =>
      warningsForIP(`status.${name}[${index}].ip`, ip),
    ),
  );
}

type PodCondition = Loose<core.PodCondition>;

/**
 * Sets a condition of a pod. The transition time changes only with the status; an equal condition
 * changes nothing.
 */
export function setPodCondition(
  status: Loose<core.PodStatus>,
  condition: PodCondition & { type: string; status: string },
  clock: Clock,
): void {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const next: PodCondition = {
    ...condition,
    lastTransitionTime: formatTime(clock.now()),
  };
  if (old === undefined) {
    conditions.push(next);
    return;
  }
  if (old.status === condition.status && old.lastTransitionTime !== undefined) {
    next.lastTransitionTime = old.lastTransitionTime;
  }
  if (old.lastProbeTime !== undefined) next.lastProbeTime = old.lastProbeTime;
  conditions[index] = next;
}
