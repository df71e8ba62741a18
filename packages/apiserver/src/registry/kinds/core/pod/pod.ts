// Upstream: pkg/registry/core/pod/strategy.go: podStrategy
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateDns1123Label } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import type { Strategy, StrategyContext } from '../../../strategy.ts';
import { checkPodLimits } from '../limit-range.ts';
import { admitNewPod, admitPodUpdate } from './admission.ts';
import { applyAppArmorAnnotations, resolveLabelKeys, setPodDefaults } from './defaults.ts';
import { ephemeralContainersUpdate } from './ephemeral-containers.ts';
import { checkNodeFeatures } from './node-checks.ts';
import { computeQOS } from './qos.ts';
import { resizeUpdate } from './resize.ts';
import {
  podStatusWarnings,
  preparePodStatus,
  setPodCondition,
  validatePodStatus,
} from './status.ts';
import { validateNewPod, validatePodUpdate } from './validation.ts';
import { checkPodSecurity } from './pod-security.ts';
import { appArmorWarning, podWarnings } from './warnings.ts';

type Pod = Loose<core.Pod>;

/** Rules of Pods. */
export const podStrategy: Strategy<Pod> = {
  setDefaults: setPodDefaults,
  admit: (pod, old, context) =>
    old === undefined ? admitNewPod(pod, context) : admitPodUpdate(pod, old, context),
  prepareForCreate,
  validate: (pod, context) => {
    const errors = validateNewPod(pod);
    if (errors.length === 0) checkPodLimits(pod, context);
    return errors;
  },
  validateUpdate: validatePodUpdate,
  check: (pod, old, context) => {
    checkPodSecurity(pod, old, context);
    if (old !== undefined) checkNodeFeatures(pod, old, context);
  },
  prepareForStatusUpdate: preparePodStatus,
  validateStatusUpdate: validatePodStatus,
  subresources: { ephemeralcontainers: ephemeralContainersUpdate, resize: resizeUpdate },
  warnings: (pod, old) =>
    old === undefined
      ? [...hostnameWarning(pod), ...podWarnings(pod.metadata ?? {}, pod.spec ?? {})]
      : [],
  statusWarnings: podStatusWarnings,
  selectableFields: selectablePodFields,
  selectableFieldNames: [
    'metadata.name',
    'metadata.namespace',
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'spec.host',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  generation: (pod, old) => !jsonEqual(pod.spec, old.spec),
  deleteReturnsObject: true,
  gracePeriodSeconds,
};

function prepareForCreate(pod: Pod, context: StrategyContext): void {
  const spec = pod.spec ?? {};
  pod.status = { phase: 'Pending', qosClass: computeQOS(pod) };
  if ((spec.schedulingGates ?? []).length > 0) {
    setPodCondition(
      pod.status,
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
      context.clock,
    );
  }
  resolveLabelKeys(pod);
  applyAppArmorAnnotations(pod, (annotation) => context.warn(appArmorWarning(annotation)));
}

function hostnameWarning({ metadata = {} }: Pod): string[] {
  const messages = validateDns1123Label(metadata.name ?? '');
  return messages.length === 0
    ? []
    : [
        `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
      ];
}

function selectablePodFields({ spec = {}, status = {} }: Pod): Record<string, string> {
  const podIP = status.podIPs?.[0]?.ip ?? '';
  return {
    'spec.nodeName': spec.nodeName ?? '',
    'spec.host': spec.nodeName ?? '',
    'spec.restartPolicy': spec.restartPolicy ?? '',
    'spec.schedulerName': spec.schedulerName ?? '',
    'spec.serviceAccountName': spec.serviceAccountName ?? '',
    'spec.hostNetwork': String(spec.hostNetwork ?? false),
    'status.phase': status.phase ?? '',
    'status.podIP': podIP,
    'status.nominatedNodeName': status.nominatedNodeName ?? '',
  };
}

/** Pods without a node, and pods that have ended, are deleted without a grace period. */
function gracePeriodSeconds({ spec = {}, status = {} }: Pod, wanted: number | undefined): number {
  const hasEnded = status.phase === 'Failed' || status.phase === 'Succeeded';
  if ((spec.nodeName ?? '') === '' || hasEnded) return 0;
  const seconds = wanted ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}
