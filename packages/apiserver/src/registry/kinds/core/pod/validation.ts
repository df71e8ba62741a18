// Upstream: pkg/apis/core/validation/validation.go: ValidatePodCreate, ValidatePodUpdate
import type * as core from 'client-ts/api/core/v1';
import { cloneJson, getKey, jsonEqual } from 'client-ts/internal';
import { describeChanges } from '../../../../validation/changed-fields.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  required,
} from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { validateInRange } from '../../../../validation/names.ts';
import { type MetaValidator, metaValidator } from '../../../../validation/object-meta.ts';
import {
  validatePodAnnotations,
  validatePodAnnotationsUpdate,
  validateProfilesMatch,
} from '../../../../validation/pod/annotations.ts';
import { validateImagePadding } from '../../../../validation/pod/containers.ts';
import { validateTolerations } from '../../../../validation/pod/scheduling.ts';
import { validatePodSpec } from '../../../../validation/pod/spec.ts';
import { copyFields } from '../../support.ts';

type Pod = Loose<core.Pod>;

/** The metadata rules of pods and their subresources. */
export const podMeta: MetaValidator = metaValidator({ namespaced: true });

/** Checks a pod, whether new or updated. */
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

/** Checks a new pod. */
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

type Container = Loose<core.Container>;

type PodSpec = Loose<core.PodSpec>;

const LARGEST_INT32 = 2 ** 31 - 1;
const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Checks an update of a pod, most of whose spec is immutable. */
export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const spec = pod.spec ?? {};
  const oldSpec = old.spec ?? {};
  const errors = [
    ...podMeta.update(pod, old),
    ...validatePod(pod),
    ...validatePodAnnotationsUpdate(
      pod.metadata?.annotations,
      old.metadata?.annotations,
      spec,
      'metadata.annotations',
    ),
  ];
  for (const kind of ['containers', 'initContainers'] as const) {
    const { found, stop } = validateImages(spec[kind] ?? [], oldSpec[kind] ?? [], `spec.${kind}`);
    errors.push(...found);
    if (stop) return errors;
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  errors.push(...deadline.found);
  if (deadline.stop) return errors;
  errors.push(...validateAddedTolerations(spec, oldSpec), ...validateFewerGates(spec, oldSpec));
  return jsonEqual(spec, oldSpec) ? errors : [...errors, ...validateRest(spec, oldSpec)];
}

/** Errors, and whether further checks would only repeat them. */
interface Verdict {
  readonly found: FieldError[];
  readonly stop: boolean;
}

function validateImages(
  containers: readonly Container[],
  old: readonly Container[],
  field: string,
): Verdict {
  if (containers.length !== old.length) {
    const detail = 'pod updates may not add or remove containers';
    return { found: [forbidden(field, detail)], stop: true };
  }
  const found = containers.flatMap(({ image = '' }, index) => [
    ...(image === '' ? [required(`${field}[${index}].image`)] : []),
    ...(image.trim() === image
      ? []
      : [
          invalid(
            `${field}[${index}].image`,
            image,
            'must not have leading or trailing whitespace',
          ),
        ]),
  ]);
  return { found, stop: false };
}

function validateDeadline(deadline: number | undefined, old: number | undefined): Verdict {
  const field = 'spec.activeDeadlineSeconds';
  if (deadline === undefined) {
    const detail = 'must not update from a positive integer to nil value';
    return { found: old === undefined ? [] : [invalid(field, null, detail)], stop: false };
  }
  const range = validateInRange(deadline, 0, LARGEST_INT32)[0];
  if (range !== undefined) return { found: [invalid(field, deadline, range)], stop: true };
  if (old !== undefined && old < deadline) {
    const detail = 'must be less than or equal to previous value';
    return { found: [invalid(field, deadline, detail)], stop: true };
  }
  return { found: [], stop: false };
}

function validateAddedTolerations(
  { tolerations = [] }: PodSpec,
  { tolerations: old = [] }: PodSpec,
): FieldError[] {
  const isKept = old.every((before) =>
    tolerations.some((after) => jsonEqual(withoutSeconds(before), withoutSeconds(after))),
  );
  return isKept
    ? validateTolerations(tolerations, 'spec.tolerations')
    : [
        forbidden(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ];
}

function withoutSeconds({
  tolerationSeconds: _,
  ...rest
}: Loose<core.Toleration>): Loose<core.Toleration> {
  return rest;
}

function validateFewerGates(
  { schedulingGates: gates = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
): FieldError[] {
  const known = new Set(old.map(({ name = '' }) => name));
  return gates.flatMap(({ name = '' }, index) =>
    known.has(name)
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** Restores the fields that may change, and checks that nothing else differs. */
function validateRest(spec: PodSpec, old: PodSpec): FieldError[] {
  const munged = cloneJson(spec);
  for (const kind of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (munged[kind] ?? []).entries()) {
      copyFields(container, old[kind]?.[index] ?? {}, 'image');
    }
  }
  copyFields(munged, old, 'activeDeadlineSeconds', 'schedulingGates', 'tolerations');
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && munged.terminationGracePeriodSeconds === 1) {
    copyFields(munged, old, 'terminationGracePeriodSeconds');
  }
  const errors = (old.schedulingGates ?? []).length > 0 ? validateGated(munged, old) : [];
  if (jsonEqual(munged, old)) return errors;
  return [
    ...errors,
    forbidden(
      'spec',
      `pod updates may not change fields other than ${UPDATABLE}\n${describeChanges(old, munged, 'spec')}`,
    ),
  ];
}

/** The node selector and affinity of a pod with scheduling gates may become stricter. */
function validateGated(munged: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!jsonEqual(munged.nodeSelector, old.nodeSelector)) {
    errors.push(...validateSelectorGrows(munged, old));
    copyFields(munged, old, 'nodeSelector');
  }
  const before = old.affinity?.nodeAffinity;
  const after = munged.affinity?.nodeAffinity;
  if (jsonEqual(before, after)) return errors;
  errors.push(...validateNodeAffinityGrows(after, before));
  const { nodeAffinity: _, ...others } = munged.affinity ?? {};
  const affinity = before === undefined ? others : { ...others, nodeAffinity: before };
  if (Object.keys(affinity).length === 0 && old.affinity === undefined) delete munged.affinity;
  else munged.affinity = affinity;
  return errors;
}

function validateSelectorGrows(
  { nodeSelector = {} }: PodSpec,
  { nodeSelector: old = {} }: PodSpec,
): FieldError[] {
  const isKept = Object.entries(old).every(([key, value]) => getKey(nodeSelector, key) === value);
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return isKept ? [] : [invalid('spec.nodeSelector', nodeSelector, detail)];
}

function validateNodeAffinityGrows(
  affinity: Loose<core.NodeAffinity> | undefined,
  old: Loose<core.NodeAffinity> | undefined,
): FieldError[] {
  const oldTerms = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalid(field, terms, detail)];
  }
  return oldTerms.flatMap((oldTerm, index) =>
    termGrows(terms[index] ?? {}, oldTerm)
      ? []
      : [
          invalid(
            `${field}[${index}]`,
            terms[index] ?? {},
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

function termGrows(term: Loose<core.NodeSelectorTerm>, old: Loose<core.NodeSelectorTerm>): boolean {
  const parts = ['matchExpressions', 'matchFields'] as const;
  const wasEmpty = parts.every((part) => (old[part] ?? []).length === 0);
  if (wasEmpty) return parts.every((part) => (term[part] ?? []).length === 0);
  return parts.every((part) => {
    const before = old[part] ?? [];
    return jsonEqual((term[part] ?? []).slice(0, before.length), before);
  });
}
