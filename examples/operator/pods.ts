import { createHash } from 'node:crypto';
import type { Pod } from 'client-ts/api/core/v1';
import { setControllerReference } from 'client-ts/controller';
import type { Cached } from 'client-ts/informers';
import { type DeepReadonly, isBeingDeleted } from 'client-ts/meta';

import { type WebSet, webSets } from './web-set.ts';

/** On every pod of a WebSet: which one it belongs to. */
export const WEB_SET_LABEL = 'apps.example.com/web-set';
/** On every pod of a WebSet: what its template was. */
export const TEMPLATE_LABEL = 'apps.example.com/template';

/**
 * The pod with a number. Its name follows from the WebSet and the number and from nothing else, so
 * that a server cannot have it twice: whoever comes second, late or in another process, is told that
 * it exists already. That is what makes mistakes about the past harmless.
 */
export function podFor(webSet: Cached<WebSet>, ordinal: number): Pod {
  const { metadata = {}, spec } = structuredClone(webSet.spec.template) as Pod;
  const pod: Pod = {
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
  return setControllerReference(webSet, pod, webSets);
}

export function podName({ metadata }: Cached<WebSet>, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/** The number of a pod of this name; undefined if it has none. */
export function ordinalOf({ metadata }: DeepReadonly<Pod>): number | undefined {
  const ordinal = /-(0|[1-9]\d*)$/.exec(metadata?.name ?? '')?.[1];
  return ordinal === undefined ? undefined : Number(ordinal);
}

/** The same for the same template, in however many objects the fields come in whatever order. */
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
