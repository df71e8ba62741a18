// Upstream: pkg/apis/core/validation/validation.go:
//   ValidatePodSpecificAnnotations, ValidatePodSpecificAnnotationUpdates
import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import type { ObjectMeta } from 'client-ts/meta';
import { validateDescendingPath } from '../choices.ts';
import { type FieldError, forbidden, invalid } from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { validateTolerations } from './scheduling.ts';
import { visitContainers } from './visit-containers.ts';

/*
 * Pod annotations that the server interprets: the mirror annotation, and alpha annotations that
 * fields have replaced and must agree with.
 */

/** Marks the mirror pod that a kubelet creates for a static pod. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const TOLERATIONS_ANNOTATION = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST_ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost';
/** The seccomp profile of a pod, replaced by a field. */
export const SECCOMP_POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
/** The seccomp profile of a container, whose name follows. */
export const SECCOMP_CONTAINER_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';
/** The AppArmor profile of a container, whose name follows. */
export const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

type Annotations = Readonly<Record<string, string>>;
type PodSpec = Loose<core.PodSpec>;

/** Checks the annotations of a pod or pod template that the server interprets. */
export function validatePodAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  field: string,
): FieldError[] {
  if (annotations === undefined) return [];
  const mirror = annotations[MIRROR_ANNOTATION];
  const cost = annotations[DELETION_COST_ANNOTATION];
  return [
    ...(mirror !== undefined && (spec.nodeName ?? '') === ''
      ? [
          invalid(
            `${field}[${MIRROR_ANNOTATION}]`,
            mirror,
            'must set spec.nodeName if mirror pod annotation is set',
          ),
        ]
      : []),
    ...validateTolerationsAnnotation(annotations[TOLERATIONS_ANNOTATION] ?? '', field),
    ...(cost !== undefined && !isDeletionCost(cost)
      ? [invalid(`${field}[${DELETION_COST_ANNOTATION}]`, cost, 'must be a 32bit integer')]
      : []),
    ...Object.entries(annotations).flatMap(([key, value]) =>
      key === SECCOMP_POD_ANNOTATION || key.startsWith(SECCOMP_CONTAINER_ANNOTATION)
        ? validateSeccompAnnotation(value, `${field}.${key}`)
        : [],
    ),
    ...validateAppArmorAnnotations(annotations, spec, field),
  ];
}

/** Checks an update of the annotations, some of which are immutable. */
export function validatePodAnnotationsUpdate(
  annotations: Annotations | undefined,
  old: Annotations | undefined,
  spec: PodSpec,
  field: string,
): FieldError[] {
  const before = old ?? {};
  const after = annotations ?? {};
  const changed = Object.keys(before).filter((key) => getKey(after, key) !== before[key]);
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  const protect = (keys: readonly string[], verb: string): FieldError[] =>
    keys.flatMap((key) => [
      ...(key.startsWith(APP_ARMOR_ANNOTATION)
        ? [forbidden(`${field}[${key}]`, `may not ${verb} AppArmor annotations`)]
        : []),
      ...(key === MIRROR_ANNOTATION
        ? [forbidden(`${field}[${key}]`, `may not ${verb} mirror pod annotation`)]
        : []),
    ]);
  return [
    ...protect(changed, 'remove or update'),
    ...protect(added, 'add'),
    ...validatePodAnnotations(annotations, spec, field),
  ];
}

function validateTolerationsAnnotation(text: string, field: string): FieldError[] {
  if (text === '') return [];
  try {
    const tolerations: unknown = JSON.parse(text);
    return Array.isArray(tolerations)
      ? validateTolerations(
          tolerations as Loose<core.Toleration>[],
          `${field}.${TOLERATIONS_ANNOTATION}`,
        )
      : [];
  } catch (error) {
    return [invalid(field, TOLERATIONS_ANNOTATION, String(error))];
  }
}

function isDeletionCost(text: string): boolean {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return false;
  const cost = Number(text);
  return cost >= -(2 ** 31) && cost < 2 ** 31;
}

function validateSeccompAnnotation(value: string, field: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(value)) return [];
  return value.startsWith('localhost/')
    ? validateDescendingPath(value.slice('localhost/'.length), field)
    : [invalid(field, value, 'must be a valid seccomp profile')];
}

function validateAppArmorAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  field: string,
): FieldError[] {
  const names = new Set(visitContainers(spec, field).map(({ container }) => container.name));
  return Object.entries(annotations).flatMap(([key, profile]) => {
    if (!key.startsWith(APP_ARMOR_ANNOTATION)) return [];
    const name = key.slice(APP_ARMOR_ANNOTATION.length);
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile);
    return [
      ...(names.has(name) ? [] : [invalid(`${field}[${key}]`, name, 'container not found')]),
      ...(isKnown || profile.startsWith('localhost/')
        ? []
        : [
            invalid(
              `${field}[${key}]`,
              profile,
              `invalid AppArmor profile name: ${JSON.stringify(profile)}`,
            ),
          ]),
    ];
  });
}

/** Checks that an annotation and the field that replaced it agree where both are set. */
export function validateProfilesMatch(
  { annotations = {} }: ObjectMeta,
  spec: PodSpec,
  field: string,
): FieldError[] {
  const containers = visitContainers(spec, field);
  const podAnnotation = annotations[SECCOMP_POD_ANNOTATION];
  const podProfile = spec.securityContext?.appArmorProfile;
  return [
    ...profileMismatch(
      'seccomp',
      podAnnotation,
      spec.securityContext?.seccompProfile,
      `${field}.securityContext.seccompProfile`,
    ),
    ...containers.flatMap(({ container, path }) =>
      profileMismatch(
        'seccomp',
        annotations[`${SECCOMP_CONTAINER_ANNOTATION}${container.name ?? ''}`],
        container.securityContext?.seccompProfile,
        `${path}.securityContext.seccompProfile`,
      ),
    ),
    ...(spec.os?.name === 'windows' ? [] : containers).flatMap(({ container, path }) =>
      profileMismatch(
        'apparmor',
        annotations[`${APP_ARMOR_ANNOTATION}${container.name ?? ''}`],
        container.securityContext?.appArmorProfile ?? podProfile,
        `${path}.securityContext.appArmorProfile`,
      ),
    ),
  ];
}

function profileMismatch(
  what: 'apparmor' | 'seccomp',
  annotation: string | undefined,
  profile: { type?: string; localhostProfile?: string } | undefined,
  field: string,
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const wrongType = [forbidden(`${field}.type`, `${what} type in annotation and field must match`)];
  switch (profile.type) {
    case 'Unconfined':
      return annotation === 'unconfined' ? [] : wrongType;
    case 'RuntimeDefault': {
      const isOldDefault = what === 'seccomp' && annotation === 'docker/default';
      return annotation === 'runtime/default' || isOldDefault ? [] : wrongType;
    }
    case 'Localhost':
      if (!annotation.startsWith('localhost/')) return wrongType;
      return annotation.slice('localhost/'.length) === profile.localhostProfile
        ? []
        : [
            forbidden(
              `${field}.localhostProfile`,
              `${what} profile in annotation and field must match`,
            ),
          ];
    default:
      return [];
  }
}

type Profile = Loose<core.AppArmorProfile>;

const LOCALHOST = 'localhost/';

/**
 * Returns the field value that corresponds to an AppArmor annotation; undefined for an invalid one.
 */
export function appArmorProfileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST.length);
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}
