import { nodeMetrics, podMetrics } from 'client-ts/api/metrics/v1beta1';
import type { Node, Pod } from 'client-ts/api/core/v1';
import { formatTime, newNotFound, parseLabelSelector } from 'client-ts/meta';

import type { DiscoveredResource, DiscoveryCatalog } from '../discovery/documents.ts';
import type { ApiResponse } from '../http.ts';
import type { ContainerUsage, Kubelet } from '../kubelet.ts';
import type { StoredObject } from '../store/store.ts';
import { type Exchange, preferencesOf, respond } from './exchange.ts';
import { methodNotAllowed, resourceNotFound } from './failures.ts';
import { negotiate } from './negotiation.ts';

const { group: GROUP, version: VERSION } = podMetrics;
const API_VERSION = `${GROUP}/${VERSION}`;
/** What one sample covers, as metrics-server reports it by default. */
const WINDOW = '15s';

/** True for a request to `metrics.k8s.io`, if there are nodes that can answer it. */
export function isMetricsRequest({ core, info }: Exchange): boolean {
  return core.kubelet !== undefined && info.group === GROUP && info.version === VERSION;
}

/** Returns the catalog with the resources of `metrics.k8s.io`, which are not stored. */
export function withMetrics(catalog: DiscoveryCatalog): DiscoveryCatalog {
  const resources: readonly DiscoveredResource[] = [nodeMetrics, podMetrics].map((info) => ({
    ...info,
    listKind: `${info.kind}List`,
    subresources: [],
  }));
  return {
    groupVersions: () => [...catalog.groupVersions(), { group: GROUP, version: VERSION }],
    resources: (group, version) =>
      group === GROUP ? resources : catalog.resources(group, version),
  };
}

/** `metrics.k8s.io`: what pods and nodes use now, as metrics-server would report it. */
export function metrics(exchange: Exchange): ApiResponse {
  const { info, request, core } = exchange;
  const { kubelet } = core;
  const isNodes = info.resource === 'nodes' && info.namespace === '';
  if (kubelet === undefined || (!isNodes && info.resource !== 'pods')) throw resourceNotFound();
  if (info.subresource !== '') throw resourceNotFound();
  if (info.verb !== 'get' && info.verb !== 'list') throw methodNotAllowed();
  const representation = negotiate(preferencesOf(request), {
    projections: [],
    stream: false,
    watchable: false,
    behindWebLayer: false,
    encodings: ['json', 'yaml'],
  });
  const items = isNodes ? nodeItems(exchange, kubelet) : podItems(exchange, kubelet);
  const kind = isNodes ? nodeMetrics.kind : podMetrics.kind;
  if (info.verb === 'list') {
    const list = { kind: `${kind}List`, apiVersion: API_VERSION, metadata: {}, items };
    return respond(exchange, 200, list, representation);
  }
  const [item] = items;
  if (item === undefined) {
    throw newNotFound({ group: GROUP, resource: info.resource }, info.name);
  }
  return respond(exchange, 200, { kind, apiVersion: API_VERSION, ...item }, representation);
}

function podItems(exchange: Exchange, kubelet: Kubelet): object[] {
  const { info, core } = exchange;
  return selected(exchange, 'pods', info.namespace, info.name).flatMap((pod) => {
    const containers = usageOf(kubelet, pod);
    if (containers === undefined) return [];
    const { name, namespace, labels } = pod.metadata ?? {};
    return [
      {
        metadata: { name, namespace, ...created(core), ...(labels && { labels }) },
        ...sample(core),
        containers: containers.map((usage) => ({ name: usage.name, usage: quantities(usage) })),
      },
    ];
  });
}

/** What a node itself uses, beside its pods. */
const NODE_BASE = { cpuMillis: 60, memoryBytes: 400 * 1024 * 1024 };

function nodeItems(exchange: Exchange, kubelet: Kubelet): object[] {
  const { info, core } = exchange;
  const totals = new Map<string, typeof NODE_BASE>();
  for (const pod of stored(exchange, 'pods', '') as Pod[]) {
    const node = pod.spec?.nodeName ?? '';
    const before = totals.get(node) ?? NODE_BASE;
    totals.set(node, (usageOf(kubelet, pod) ?? []).reduce(sum, before));
  }
  return selected<Node>(exchange, 'nodes', '', info.name).map(({ metadata }) => {
    const { name = '', labels } = metadata ?? {};
    return {
      metadata: { name, ...created(core), ...(labels && { labels }) },
      ...sample(core),
      usage: quantities(totals.get(name) ?? NODE_BASE),
    };
  });
}

function sum(left: typeof NODE_BASE, right: ContainerUsage): typeof NODE_BASE {
  return {
    cpuMillis: left.cpuMillis + right.cpuMillis,
    memoryBytes: left.memoryBytes + right.memoryBytes,
  };
}

function usageOf(kubelet: Kubelet, pod: Pod): readonly ContainerUsage[] | undefined {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  const { nodeName: node = '' } = pod.spec ?? {};
  return node === '' ? undefined : kubelet.usage({ node, namespace, name, pod });
}

function selected<T extends Pod | Node = Pod>(
  exchange: Exchange,
  resource: string,
  namespace: string,
  name: string,
): T[] {
  const labels = parseLabelSelector(exchange.info.query.get('labelSelector') ?? '');
  return (stored(exchange, resource, namespace) as T[]).filter(
    ({ metadata }) =>
      (name === '' || metadata?.name === name) && labels.matches(metadata?.labels ?? {}),
  );
}

function stored({ core }: Exchange, resource: string, namespace: string): StoredObject[] {
  const registry = core.catalog.registry('', resource);
  if (registry === undefined) return [];
  return core.store.range({ prefix: registry.prefix(namespace) }).map(({ value }) => value);
}

function created({ clock }: Exchange['core']): { creationTimestamp: string } {
  return { creationTimestamp: formatTime(clock.now()) };
}

function sample({ clock }: Exchange['core']): { timestamp: string; window: string } {
  return { timestamp: formatTime(clock.now()), window: WINDOW };
}

function quantities({ cpuMillis, memoryBytes }: typeof NODE_BASE): { cpu: string; memory: string } {
  return {
    cpu: `${Math.round(cpuMillis * 1e6)}n`,
    memory: `${Math.round(memoryBytes / 1024)}Ki`,
  };
}
