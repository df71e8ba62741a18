import type {
  LimitRange,
  LimitRangeItem,
  Namespace,
  Node,
  Pod,
  ResourceQuota,
} from 'client-ts/api/core/v1';
import type { PriorityClass } from 'client-ts/api/scheduling/v1';
import { getKey } from 'client-ts/internal';
import { isForbidden, isNotFound } from 'client-ts/meta';

import type { Describer, Surroundings } from './describer.ts';
import {
  block,
  type Column,
  field,
  indent,
  type Lines,
  multiline,
  optional,
  table,
  type Value,
} from './lines.ts';
import { conditionColumns, conditionRow, messageOf } from './network.ts';
import { nodeResources } from './node-resources.ts';
import {
  formatLabels,
  identity,
  labelsAndAnnotations,
  localTime,
  type Loose,
  type LooseObject,
  quantities,
  quantity,
  sorted,
} from './values.ts';

/** A namespace, with its quotas and limits. */
export const namespaceDescriber: Describer<Namespace> = {
  hasEvents: false,
  lines: async (namespace, { client, signal }) => {
    const { metadata, status = {} } = namespace;
    const { conditions = [] } = status;
    const name = metadata?.name ?? '';
    const quotas = await client.coreV1.resourceQuotas(name).listAll({ signal }).toList();
    const ranges = await client.coreV1.limitRanges(name).listAll({ signal }).toList();
    const byName = quotas.items.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const limits = ranges.items.flatMap(({ spec }) => limitRows(spec?.limits ?? []));
    return [
      field('Name', name),
      labelsAndAnnotations(namespace),
      field('Status', status.phase),
      conditions.length > 0 &&
        block('Conditions', table(conditionColumns, conditions.map(conditionRow))),
      '',
      byName.length === 0
        ? 'No resource quota.'
        : ['Resource Quotas', byName.map((quota) => indent(namespaceQuota(quota)))],
      '',
      ranges.items.length === 0
        ? 'No LimitRange resource.'
        : ['Resource Limits', withSpace(table(limitColumns, limits))],
    ];
  },
};

function withSpace(lines: Lines): Lines {
  return Array.isArray(lines) ? lines.map((line) => ` ${String(line)}`) : lines;
}

const scopeTexts: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function scopeLines({ spec }: LooseObject<ResourceQuota>, bullet: string): Lines {
  const scopes = (spec?.scopes ?? []).toSorted();
  if (scopes.length === 0) return undefined;
  const texts = scopes
    .map((scope) => getKey(scopeTexts, scope))
    .filter((text) => text !== undefined);
  return [field('Scopes', scopes.join(', ')), texts.map((text) => `${bullet} ${text}`)];
}

function quotaRows({ status = {} }: LooseObject<ResourceQuota>): Value[][] {
  return sorted(status.hard).map(([name, hard]) => [
    name,
    quantity(getKey(status.used ?? {}, name)),
    quantity(hard),
  ]);
}

function namespaceQuota(quota: LooseObject<ResourceQuota>): Lines {
  return [
    field('Name', quota.metadata?.name),
    scopeLines(quota, '*'),
    table(['Resource', ['Used', 3], ['Hard', 3]], quotaRows(quota)),
  ];
}

/** A quota of a namespace. */
export const quotaDescriber: Describer<ResourceQuota> = {
  hasEvents: false,
  lines: (quota) => [
    identity(quota),
    scopeLines(quota, ' *'),
    table(['Resource', 'Used', 'Hard'], quotaRows(quota)),
  ],
};

const limitColumns: readonly Column[] = [
  'Type',
  'Resource',
  'Min',
  'Max',
  'Default Request',
  'Default Limit',
  'Max Limit/Request Ratio',
];

/** A line per resource; kubectl prints them in random order. */
function limitRows(limits: readonly Loose<LimitRangeItem>[] | undefined): Value[][] {
  return (limits ?? []).flatMap((item) => {
    const { min = {}, max = {}, defaultRequest = {}, maxLimitRequestRatio: ratio = {} } = item;
    const amounts = [min, max, defaultRequest, item.default ?? {}, ratio];
    const names = [...new Set(amounts.flatMap((each) => Object.keys(each)))].toSorted();
    return names.map((name) => [
      item.type,
      name,
      ...amounts.map((each) => {
        const amount = getKey(each, name);
        return amount === undefined ? '-' : quantity(amount);
      }),
    ]);
  });
}

/** Limits of a namespace. */
export const limitRangeDescriber: Describer<LimitRange> = {
  hasEvents: false,
  lines: (range) => [identity(range), table(limitColumns, limitRows(range.spec?.limits))],
};

/** A priority class. */
export const priorityClassDescriber: Describer<PriorityClass> = {
  hasEvents: true,
  lines: (priority) => [
    field('Name', priority.metadata?.name),
    field('Value', priority.value ?? 0),
    field('GlobalDefault', priority.globalDefault ?? false),
    field('PreemptionPolicy', priority.preemptionPolicy),
    field('Description', priority.description),
    field('Annotations', formatLabels(priority.metadata?.annotations)),
  ],
};

/** A node, with its lease and its pods. */
export const nodeDescriber: Describer<Node> = {
  hasEvents: true,
  lines: async (node, surroundings) => {
    const { metadata, spec = {}, status = {} } = node;
    const { taints = [], unschedulable = false } = spec;
    const pods = await podsOn(metadata?.name ?? '', surroundings);
    return [
      field('Name', metadata?.name),
      field('Roles', rolesOf(metadata?.labels ?? {}) || '<none>'),
      labelsAndAnnotations(node),
      field('CreationTimestamp', localTime(metadata?.creationTimestamp)),
      multiline(
        'Taints',
        taints
          .map(({ key = '', value = '', effect = '' }) => ({
            order: `${effect},${key}`,
            text: `${key}${value && `=${value}`}${(effect || value) && `:${effect}`}`,
          }))
          .sort((a, b) => (a.order < b.order ? -1 : 1))
          .map(({ text }) => text),
      ),
      field('Unschedulable', unschedulable),
      await leaseLines(metadata?.name ?? '', surroundings),
      nodeConditions(node),
      block(
        'Addresses',
        status.addresses?.map(({ type = '', address }) => field(type, address)),
      ),
      status.capacity !== undefined && block('Capacity', quantities(status.capacity)),
      status.allocatable !== undefined && block('Allocatable', quantities(status.allocatable)),
      systemInfo(node),
      optional('PodCIDR', spec.podCIDR),
      optional('PodCIDRs', spec.podCIDRs?.join(',')),
      optional('ProviderID', spec.providerID),
      pods === undefined
        ? field('Pods', 'not authorized')
        : nodeResources(pods, status.allocatable ?? status.capacity ?? {}, surroundings.now),
    ];
  },
};

/** The pods that have not ended; undefined if they may not be read. */
async function podsOn(node: string, { client, signal }: Surroundings): Promise<Pod[] | undefined> {
  const fieldSelector = `spec.nodeName=${node},status.phase!=Failed,status.phase!=Succeeded`;
  try {
    return (await client.coreV1.pods().listAll({ fieldSelector, signal }).toList()).items;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

function rolesOf(labels: Readonly<Record<string, string>>): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = sorted(labels).flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return [key.slice(prefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles)]
    .filter((role) => role !== '')
    .toSorted()
    .join(',');
}

async function leaseLines(node: string, { client, signal }: Surroundings): Promise<Lines> {
  try {
    const { spec } = await client.coordinationV1.leases('kube-node-lease').get(node, { signal });
    const time = (value: string | undefined): string =>
      value === undefined ? '<unset>' : localTime(value);
    return block('Lease', [
      field('HolderIdentity', spec?.holderIdentity ?? '<unset>'),
      field('AcquireTime', time(spec?.acquireTime)),
      field('RenewTime', time(spec?.renewTime)),
    ]);
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    return field('Lease', `Failed to get lease: ${messageOf(error)}`);
  }
}

function nodeConditions({ status }: LooseObject<Node>): Lines {
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return undefined;
  const columns = [
    'Type',
    'Status',
    'LastHeartbeatTime',
    'LastTransitionTime',
    'Reason',
    'Message',
  ];
  const rows = conditions.map((condition) => [
    `${condition.type ?? ''} `,
    `${condition.status ?? ''} `,
    `${localTime(condition.lastHeartbeatTime)} `,
    `${localTime(condition.lastTransitionTime)} `,
    `${condition.reason ?? ''} `,
    condition.message,
  ]);
  return block('Conditions', table(columns, rows));
}

function systemInfo({ status }: LooseObject<Node>): Lines {
  const info = status?.nodeInfo ?? {};
  return block('System Info', [
    field('Machine ID', info.machineID),
    field('System UUID', info.systemUUID),
    field('Boot ID', info.bootID),
    field('Kernel Version', info.kernelVersion),
    field('OS Image', info.osImage),
    field('Operating System', info.operatingSystem),
    field('Architecture', info.architecture),
    field('Container Runtime Version', info.containerRuntimeVersion),
    field('Kubelet Version', info.kubeletVersion),
  ]);
}
