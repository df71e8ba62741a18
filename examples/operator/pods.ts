import { createHash } from 'node:crypto';
import type { Pod } from 'client-ts/api/core/v1';
import type { Cached } from 'client-ts/informers';
import { type DeepReadonly, isBeingDeleted } from 'client-ts/meta';

import type { WebSet } from './web-set.ts';

/** The label of a pod with the name of its WebSet. */
export const WEB_SET_LABEL = 'apps.example.com/web-set';
/** The label of a pod with the hash of its template. */
export const TEMPLATE_LABEL = 'apps.example.com/template';

/**
 * Returns the pod with an ordinal, without its owner. Its name depends only on the WebSet and the ordinal, so the server
 * accepts it once: a second create, from a stale cache or another process, fails with AlreadyExists.
 */
export function podFor(webSet: Cached<WebSet>, ordinal: number): Pod {
  const { metadata = {}, spec } = structuredClone(webSet.spec.template) as Pod;
  return {
    metadata: {
      ...metadata,
      name: podName(webSet, ordinal),
      labels: {
        ...metadata.labels,
        [WEB_SET_LABEL]: webSet.metadata.name,
        [TEMPLATE_LABEL]: templateHash(webSet),
      },
    },
    ...(spec !== undefined && { spec }),
  };
}

export function podName({ metadata }: Cached<WebSet>, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/** Returns the ordinal in the name of a pod; undefined if there is none. */
export function ordinalOf({ metadata }: DeepReadonly<Pod>): number | undefined {
  const ordinal = /-(0|[1-9]\d*)$/.exec(metadata?.name ?? '')?.[1];
  return ordinal === undefined ? undefined : Number(ordinal);
}

/** Returns a hash of the template that does not depend on the order of its fields. */
export function templateHash({ spec }: DeepReadonly<WebSet>): string {
  return createHash('sha256').update(canonical(spec.template)).digest('hex').slice(0, 10);
}

export function isReady(pod: DeepReadonly<Pod>): boolean {
  const isTrue = ({ type, status }: { type: string; status: string }) =>
    type === 'Ready' && status === 'True';
  return !isBeingDeleted(pod) && (pod.status?.conditions ?? []).some(isTrue);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
