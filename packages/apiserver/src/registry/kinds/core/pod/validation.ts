import type * as core from 'client-ts/api/core/v1';
import { validateImagePadding } from '../../../../validation/pod/containers.ts';
import { type FieldError, forbidden } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { metaValidator, type MetaValidator } from '../../../../validation/object-meta.ts';
import {
  validatePodAnnotations,
  validateProfilesMatch,
} from '../../../../validation/pod/annotations.ts';
import { validatePodSpec } from '../../../../validation/pod/spec.ts';

type Pod = Loose<core.Pod>;

/** The metadata rules of pods, which the endpoints below them share. */
export const podMeta: MetaValidator = metaValidator({ namespaced: true });

/** What holds for a pod at any time. */
export function validatePod(pod: Pod): FieldError[] {
  const spec = pod.spec ?? {};
  return [
    ...podMeta.create(pod),
    ...validatePodAnnotations(pod.metadata?.annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, pod.metadata ?? {}, 'spec'),
    ...validateTokensHaveAccount(spec),
    ...(['containers', 'initContainers'] as const).flatMap((kind) =>
      (spec[kind] ?? []).flatMap((container, index) =>
        validateImagePadding(container, `spec.${kind}[${index}]`),
      ),
    ),
  ];
}

function validateTokensHaveAccount(spec: Loose<core.PodSpec>): FieldError[] {
  if ((spec.serviceAccountName ?? '') !== '') return [];
  return (spec.volumes ?? []).flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, sourceIndex) =>
      serviceAccountToken === undefined
        ? []
        : [
            forbidden(
              `spec.volumes[${index}].projected.sources[${sourceIndex}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  );
}

/** What holds for a pod when it is made. */
export function validateNewPod(pod: Pod): FieldError[] {
  const spec = pod.spec ?? {};
  const gates = spec.schedulingGates ?? [];
  return [
    ...validatePod(pod),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...((spec.nodeName ?? '') !== '' && gates.length > 0
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfilesMatch(pod.metadata ?? {}, spec, 'spec'),
  ];
}
