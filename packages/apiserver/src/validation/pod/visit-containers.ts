// Upstream: pkg/api/pod/util.go: VisitContainers
import type * as core from 'client-ts/api/core/v1';
import type { Loose } from '../loose.ts';

/** A container of a pod with its path. */
export interface VisitedContainer {
  readonly container: Loose<core.Container>;
  readonly kind: 'containers' | 'ephemeralContainers' | 'initContainers';
  /** `spec.containers[0]` */
  readonly path: string;
}

/** Returns all containers with their paths: init, regular, then ephemeral. */
export function visitContainers(spec: Loose<core.PodSpec>, field: string): VisitedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((kind) =>
    (spec[kind] ?? []).map((container, index) => ({
      container,
      kind,
      path: `${field}.${kind}[${index}]`,
    })),
  );
}
