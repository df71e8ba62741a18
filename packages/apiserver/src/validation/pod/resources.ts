// Upstream: pkg/apis/core/validation/validation.go: validatePodResources
// Upstream: staging/src/k8s.io/component-helpers/resource/helpers.go
import type * as core from 'client-ts/api/core/v1';
import { getKey, setKey } from 'client-ts/internal';
import { compareQuantities, type Quantity } from 'client-ts/meta';
import { type FieldError, forbidden, invalid } from '../field-error.ts';
import type { Loose } from '../loose.ts';
import {
  addQuantities,
  isHugePages,
  maxQuantity,
  quantityText,
  validatePodLevelResources,
} from '../resources.ts';

type PodSpec = Loose<core.PodSpec>;

/** Checks that pod-level resources cover the sum of the container resources. */
export function validatePodResources(
  spec: PodSpec,
  claimNames: readonly string[],
  podField: string,
): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  const field = `${podField}.resources`;
  if (spec.os?.name === 'windows') return [forbidden(field, 'may not be set for a windows pod')];
  const containers = spec.containers ?? [];
  const requests = effectiveTotals(spec, 'requests');
  const limits = effectiveTotals(spec, 'limits');
  return [
    ...(resources.claims === undefined
      ? []
      : [forbidden(`${field}.claims`, 'claims may not be set for Resources at pod-level')]),
    ...validatePodLevelResources(resources, claimNames, field),
    ...Object.entries(requests).flatMap(([name, total]) =>
      covers(
        getKey(resources.requests ?? {}, name),
        total,
        'requests',
        `${field}.requests[${name}]`,
      ),
    ),
    ...Object.entries(limits)
      .filter(([name]) => isHugePages(name))
      .flatMap(([name, total]) =>
        covers(getKey(resources.limits ?? {}, name), total, 'limits', `${field}.limits[${name}]`),
      ),
    ...containers.flatMap((container, index) =>
      Object.entries(container.resources?.limits ?? {}).flatMap(([name, limit]) => {
        const podLimit = getKey(resources.limits ?? {}, name);
        if (podLimit === undefined || compareQuantities(limit, podLimit) <= 0) return [];
        const detail = `must be less than or equal to pod limits of ${quantityText(podLimit)}`;
        const path = `${field}.containers[${index}][${name}].limits`;
        return [invalid(path, quantityText(limit), detail)];
      }),
    ),
  ];
}

function covers(
  wanted: Quantity | undefined,
  total: Quantity,
  what: string,
  field: string,
): FieldError[] {
  if (wanted === undefined || compareQuantities(total, wanted) <= 0) return [];
  const detail = `must be greater than or equal to aggregate container ${what} of ${quantityText(total)}`;
  return [invalid(field, quantityText(wanted), detail)];
}

/**
 * Returns the resources that the containers of a pod need together. Init containers run one after
 * the other before the others, so only the largest of them counts; sidecars keep running and are
 * added.
 */
export function effectiveTotals(
  spec: PodSpec,
  what: 'limits' | 'requests',
): Record<string, Quantity> {
  const initContainers = spec.initContainers ?? [];
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const result = totals([...(spec.containers ?? []), ...sidecars], what);
  for (const [index, container] of initContainers.entries()) {
    if (container.restartPolicy === 'Always') continue;
    const beside = sidecars.filter((sidecar) => initContainers.indexOf(sidecar) < index);
    for (const [name, value] of Object.entries(totals([...beside, container], what))) {
      const other = getKey(result, name);
      setKey(result, name, other === undefined ? value : maxQuantity(other, value));
    }
  }
  return result;
}

/** Returns the sum over containers, per resource. */
function totals(
  containers: readonly Loose<core.Container>[],
  what: 'limits' | 'requests',
): Record<string, Quantity> {
  const sum: Record<string, Quantity> = {};
  for (const { resources } of containers) {
    for (const [name, value] of Object.entries(resources?.[what] ?? {})) {
      const before = getKey(sum, name);
      setKey(sum, name, before === undefined ? value : addQuantities(before, value));
    }
  }
  return sum;
}
