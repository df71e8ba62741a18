// Upstream: pkg/registry/core/pod/strategy.go: podResizeStrategy
// Upstream: pkg/apis/core/validation/validation.go: ValidatePodResize
import type * as core from 'client-ts/api/core/v1';
import { cloneJson, jsonEqual } from 'client-ts/internal';
import type { Quantity } from 'client-ts/meta';
import { type FieldError, forbidden, invalid } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { MIRROR_ANNOTATION } from '../../../../validation/pod/annotations.ts';
import type { SubresourceUpdate } from '../../../strategy.ts';
import { keepMetadata, copyFields } from '../../support.ts';
import { checkResizedNode } from './node-checks.ts';
import { computeQOS } from './qos.ts';
import { podMeta, validatePod } from './validation.ts';

type Container = Loose<core.Container>;
type Pod = Loose<core.Pod>;
type ResourceList = Record<string, Quantity>;

const KINDS = ['containers', 'initContainers'] as const;

/** `pods/resize`: changes CPU and memory of a running pod. */
export const resizeUpdate: SubresourceUpdate<Pod> = {
  prepare: (pod, old) => {
    keepOnlyResources(pod, old);
    incrementPodGeneration(pod, old);
  },
  validate: (pod, old) => {
    if (old.metadata?.annotations?.[MIRROR_ANNOTATION] !== undefined) {
      return [forbidden('[]', 'static pods cannot be resized')];
    }
    return old.spec?.os?.name === 'windows'
      ? [forbidden('[]', 'windows pods cannot be resized')]
      : validate(pod, old);
  },
  check: checkResizedNode,
};

function keepOnlyResources(pod: Pod, old: Pod): void {
  const spec = pod.spec ?? {};
  const oldSpec = old.spec ?? {};
  // Validation reports containers that were added or removed.
  if (KINDS.some((kind) => (spec[kind] ?? []).length !== (oldSpec[kind] ?? []).length)) return;
  const { resources } = spec;
  const merged = KINDS.map((kind) => [kind, mergeResources(spec[kind], oldSpec[kind])] as const);
  pod.spec = { ...oldSpec };
  for (const [kind, containers] of merged) {
    if (containers !== undefined) pod.spec[kind] = containers;
  }
  delete pod.spec.resources;
  if (resources !== undefined) pod.spec.resources = resources;
  copyFields(pod, old, 'status');
  keepMetadata(pod, old);
}

function mergeResources(
  containers: Container[] | undefined,
  old: readonly Container[] | undefined,
): Container[] | undefined {
  const isSameOrder = (containers ?? []).every(({ name }, index) => old?.[index]?.name === name);
  if (!isSameOrder) return containers;
  return containers?.map((container, index) => {
    const merged = { ...old?.[index] };
    copyFields(merged, container, 'resources', 'resizePolicy');
    return merged;
  });
}

function validate(pod: Pod, old: Pod): FieldError[] {
  const errors = [...podMeta.update(pod, old), ...validatePod(pod)];
  const oldClass = old.status?.qosClass ?? computeQOS(old);
  if (oldClass !== computeQOS(pod)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    errors.push(invalid('spec', pod.status?.qosClass ?? '', detail));
  }
  const running = old.status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined) {
    errors.push(forbidden('spec', 'Pod running on node without support for resize'));
  }
  const order = validateSameContainers(pod, old);
  if (order.length > 0) return [...errors, ...order];
  const munged = cloneJson(pod.spec ?? {});
  errors.push(
    ...validatePodLevel(pod, old),
    ...KINDS.toReversed().flatMap((kind) => validateNothingRemoved(kind, pod, old)),
  );
  restoreCompute(munged, old.spec ?? {});
  errors.push(...validateOnlyCompute(munged, old));
  if (errors.length === 0 && !jsonEqual(munged, old.spec ?? {})) {
    errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  }
  return errors;
}

function validateSameContainers({ spec = {} }: Pod, { spec: old = {} }: Pod): FieldError[] {
  return KINDS.flatMap((kind) => {
    const field = `spec.${kind}`;
    const containers = spec[kind] ?? [];
    const before = old[kind] ?? [];
    if (containers.length !== before.length) {
      return [forbidden(field, `${kind} may not be added or removed on resize`)];
    }
    return containers.flatMap(({ name }, index) =>
      before[index]?.name === name
        ? []
        : [
            forbidden(
              `${field}[${index}].name`,
              `${kind} may not be renamed or reordered on resize`,
            ),
          ],
    );
  });
}

function validatePodLevel({ spec = {} }: Pod, { spec: old = {} }: Pod): FieldError[] {
  if (old.resources === undefined) return [];
  if (spec.resources === undefined) {
    return [forbidden('spec.resources', 'pod-level resources cannot be removed')];
  }
  return removed(spec.resources, old.resources, 'spec.resources', 'pod-level resource');
}

function validateNothingRemoved(
  kind: (typeof KINDS)[number],
  { spec = {} }: Pod,
  { spec: old = {} }: Pod,
): FieldError[] {
  return (old[kind] ?? []).flatMap(({ resources = {} }, index) =>
    removed(
      spec[kind]?.[index]?.resources ?? {},
      resources,
      `spec.${kind}[${index}].resources`,
      'resource',
    ),
  );
}

function removed(
  now: Loose<core.ResourceRequirements>,
  before: Loose<core.ResourceRequirements>,
  field: string,
  what: string,
): FieldError[] {
  return (['requests', 'limits'] as const)
    .filter((part) =>
      Object.keys(before[part] ?? {}).some((name) => !Object.hasOwn(now[part] ?? {}, name)),
    )
    .map((part) => forbidden(`${field}.${part}`, `${what} ${part} cannot be removed`));
}

/** Restores the fields that a resize may change, so that every other change shows. */
function restoreCompute(munged: Loose<core.PodSpec>, old: Loose<core.PodSpec>): void {
  for (const kind of KINDS) {
    for (const [index, container] of (munged[kind] ?? []).entries()) {
      container.resources = withOldCompute(container.resources, old[kind]?.[index]?.resources);
    }
  }
  if (munged.resources === undefined) return;
  const restored = withOldCompute(munged.resources, old.resources);
  if (old.resources === undefined && Object.keys(restored).length === 0) delete munged.resources;
  else munged.resources = restored;
}

function withOldCompute(
  requirements: Loose<core.ResourceRequirements> = {},
  old: Loose<core.ResourceRequirements> = {},
): Loose<core.ResourceRequirements> {
  const result = { ...requirements };
  for (const part of ['limits', 'requests'] as const) {
    const { cpu: _cpu, memory: _memory, ...rest } = requirements[part] ?? {};
    const list: ResourceList = { ...rest };
    for (const name of ['cpu', 'memory'] as const) {
      const value = old[part]?.[name];
      if (value !== undefined) list[name] = value;
    }
    if (Object.keys(list).length === 0 && old[part] === undefined) delete result[part];
    else result[part] = list;
  }
  return result;
}

function validateOnlyCompute(munged: Loose<core.PodSpec>, { spec: old = {} }: Pod): FieldError[] {
  const containers = (munged.containers ?? []).flatMap((container, index) =>
    jsonEqual(container, old.containers?.[index])
      ? []
      : [forbidden('spec', 'only cpu and memory resources are mutable')],
  );
  const initContainers = (munged.initContainers ?? []).flatMap((container, index) =>
    jsonEqual(container, old.initContainers?.[index])
      ? []
      : [
          forbidden(
            `spec.initContainers[${index}]`,
            'only cpu and memory resources for init or sidecar containers are mutable',
          ),
        ],
  );
  const podLevel = jsonEqual(munged.resources, old.resources)
    ? []
    : [forbidden('spec', 'only cpu and memory resources are mutable at pod-level')];
  return [...podLevel, ...containers, ...initContainers];
}

/** Increments the generation of a pod if its spec changed, for every endpoint. */
export function incrementPodGeneration(pod: Loose<core.Pod>, old: Loose<core.Pod>): void {
  if (jsonEqual(pod.spec, old.spec)) return;
  (pod.metadata ??= {}).generation = (old.metadata?.generation ?? 0) + 1;
}
