import type * as core from 'client-ts/api/core/v1';
import type { LabelMatcher } from 'client-ts/meta';
import { type FieldError, forbidden, invalid, notSupported } from '../field-error.ts';
import { validateLabels } from '../labels.ts';
import { type Loose, sortedMap } from '../loose.ts';
import { validateAnnotations } from '../object-meta.ts';
import { validatePodAnnotations, validateProfilesMatch } from './annotations.ts';
import { validatePodSpec } from './spec.ts';

type PodTemplateSpec = Loose<core.PodTemplateSpec>;

/** Checks a template that pods are made from. */
export function validatePodTemplate(
  template: PodTemplateSpec | undefined,
  field: string,
): FieldError[] {
  const { metadata = {}, spec = {} } = template ?? {};
  return [
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...validateAnnotations(metadata.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata.annotations, spec, `${field}.annotations`),
    ...validatePodSpec(spec, undefined, `${field}.spec`),
    ...validateProfilesMatch(metadata, spec, `${field}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [
          forbidden(
            `${field}.spec.ephemeralContainers`,
            'ephemeral containers not allowed in pod template',
          ),
        ]
      : []),
  ];
}

/** A controller must select the pods that it makes. An empty selector is reported elsewhere. */
export function validateSelected(
  matcher: LabelMatcher,
  template: PodTemplateSpec | undefined,
  field: string,
): FieldError[] {
  const labels = template?.metadata?.labels;
  if (matcher.isEmpty || matcher.matches(labels)) return [];
  return [
    invalid(
      `${field}.metadata.labels`,
      sortedMap(labels),
      '`selector` does not match template `labels`',
    ),
  ];
}

/** Pods that a controller replaces have to restart by themselves and run without an end. */
export function validateRunsForever(
  template: PodTemplateSpec | undefined,
  controller: string,
  field: string,
): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(`${field}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(
            `${field}.spec.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${controller} is not Supported`,
          ),
        ]),
  ];
}
