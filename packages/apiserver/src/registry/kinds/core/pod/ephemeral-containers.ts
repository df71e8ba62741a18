// Upstream: pkg/registry/core/pod/strategy.go: podEphemeralContainersStrategy
// Upstream: pkg/apis/core/validation/validation.go: ValidatePodEphemeralContainersUpdate
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { describeChanges } from '../../../../validation/changed-fields.ts';
import { type FieldError, forbidden } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import {
  MIRROR_ANNOTATION,
  validatePodAnnotationsUpdate,
} from '../../../../validation/pod/annotations.ts';
import type { SubresourceUpdate } from '../../../strategy.ts';
import { keepMetadata, copyFields } from '../../support.ts';
import { incrementPodGeneration } from './resize.ts';
import { checkEphemeralSecrets } from './service-account.ts';
import { podMeta, validatePod } from './validation.ts';

type Pod = Loose<core.Pod>;

/** `pods/ephemeralcontainers`: adds ephemeral containers, which cannot be changed or removed. */
export const ephemeralContainersUpdate: SubresourceUpdate<Pod> = {
  prepare: (pod, old) => {
    const { ephemeralContainers } = pod.spec ?? {};
    pod.spec = { ...old.spec };
    delete pod.spec.ephemeralContainers;
    if (ephemeralContainers !== undefined) pod.spec.ephemeralContainers = ephemeralContainers;
    copyFields(pod, old, 'status');
    keepMetadata(pod, old);
    incrementPodGeneration(pod, old);
  },
  validate: (pod, old) =>
    old.metadata?.annotations?.[MIRROR_ANNOTATION] === undefined
      ? validate(pod, old)
      : [forbidden('[]', 'static pods do not support ephemeral containers')],
  check: (pod, _, context) => {
    if (context.plugins.has('ServiceAccount')) checkEphemeralSecrets(pod, context);
  },
};

function validate(pod: Pod, old: Pod): FieldError[] {
  const containers = pod.spec?.ephemeralContainers ?? [];
  return [
    ...podMeta.update(pod, old),
    ...validatePod(pod),
    ...validatePodAnnotationsUpdate(
      pod.metadata?.annotations,
      old.metadata?.annotations,
      pod.spec ?? {},
      'metadata.annotations',
    ),
    ...(old.spec?.ephemeralContainers ?? []).flatMap((before) => {
      const field = 'spec.ephemeralContainers';
      const name = JSON.stringify(before.name ?? '');
      const index = containers.findLastIndex((container) => container.name === before.name);
      const now = containers[index];
      if (now === undefined) {
        const detail = `existing ephemeral containers ${name} may not be removed\n`;
        return [forbidden(field, detail)];
      }
      if (jsonEqual(before, now)) return [];
      const diff = describeChanges(before, now, `${field}[${index}]`);
      const detail = `existing ephemeral containers ${name} may not be changed\n${diff}`;
      return [forbidden(field, detail)];
    }),
  ];
}
