import type { Pod } from 'client-ts/api/core/v1';
import { newBadRequest, newNotFound } from 'client-ts/meta';

import type { Kubelet, PodTarget } from '../kubelet.ts';
import type { ResourceExchange } from './exchange.ts';
import { podsOf } from './pod-subresources.ts';

/** Returns the pod of a request. Throws a 404 if there is none. */
export function requestedPod(exchange: ResourceExchange): Pod {
  const { namespace, name } = exchange.info;
  return podsOf(exchange).get(namespace, name).value as Pod;
}

/** Returns the container of a request; it may be omitted if there is only one. */
export function requestedContainer(pod: Pod, query: URLSearchParams): string {
  const { metadata, spec } = pod;
  const name = metadata?.name ?? '';
  const wanted = query.get('container') ?? '';
  const names = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ].map((container) => container.name);
  if (wanted !== '') {
    if (names.includes(wanted)) return wanted;
    throw newBadRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  if (spec?.containers.length === 1) return spec.containers[0]?.name ?? '';
  throw newBadRequest(
    `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`,
  );
}

/** A pod and the kubelet of its node. */
export interface NodeOfPod {
  readonly kubelet: Kubelet;
  readonly target: PodTarget;
}

/**
 * Returns the kubelet of the node that a pod is bound to. Throws a 404 if there is no such node, or
 * if the server has no nodes.
 */
export function nodeOf({ core }: ResourceExchange, pod: Pod): NodeOfPod {
  const { kubelet, catalog } = core;
  const node = pod.spec?.nodeName ?? '';
  const isKnown = catalog.registry('', 'nodes')?.find('', node) !== undefined;
  if (kubelet === undefined || !isKnown) throw newNotFound({ group: '', resource: 'pods' }, node);
  const { namespace = '', name = '' } = pod.metadata ?? {};
  return { kubelet, target: { node, namespace, name, pod } };
}
