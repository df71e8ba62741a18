import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from 'client-ts/api/rbac/v1';
import type { ObjectMeta } from 'client-ts/meta';

import { type AggregatedRole, bootstrapData, type RuleLines } from './data.ts';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;
const AGGREGATE_TO = `${GROUP}/aggregate-to-`;
/** Roles and bindings with this annotation are brought up to date at every start. */
export const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/** Returns the ClusterRoles of a new cluster. Aggregated roles have no rules yet. */
export function defaultClusterRoles(): ClusterRole[] {
  return Object.entries(bootstrapData().clusterRoles).map(([name, entry]) => {
    const { rules, aggregateTo, aggregates }: AggregatedRole = isLines(entry)
      ? { rules: entry }
      : entry;
    return {
      kind: 'ClusterRole',
      apiVersion: API_VERSION,
      metadata: metadataOf(name, undefined, aggregateTo),
      ...(rules === undefined ? { rules: null } : { rules: rules.map(parseRule) }),
      ...(aggregates !== undefined && {
        aggregationRule: {
          clusterRoleSelectors: [{ matchLabels: { [AGGREGATE_TO + aggregates]: 'true' } }],
        },
      }),
    };
  });
}

/** Returns the ClusterRoleBindings of a new cluster. */
export function defaultClusterRoleBindings(): ClusterRoleBinding[] {
  return Object.entries(bootstrapData().clusterRoleBindings).map(([name, subjects]) => ({
    kind: 'ClusterRoleBinding',
    apiVersion: API_VERSION,
    metadata: metadataOf(name),
    ...subjectsOf(subjects),
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
  }));
}

/** Returns the Roles of `kube-system` and `kube-public`. */
export function defaultRoles(): Role[] {
  return Object.entries(bootstrapData().roles).map(([key, rules]) => ({
    kind: 'Role',
    apiVersion: API_VERSION,
    metadata: namespacedMetadata(key),
    rules: rules.map(parseRule),
  }));
}

/** Returns the RoleBindings of `kube-system` and `kube-public`. */
export function defaultRoleBindings(): RoleBinding[] {
  return Object.entries(bootstrapData().roleBindings).map(([key, { role, subjects }]) => ({
    kind: 'RoleBinding',
    apiVersion: API_VERSION,
    metadata: namespacedMetadata(key),
    ...subjectsOf(subjects),
    roleRef: { apiGroup: GROUP, kind: 'Role', name: role },
  }));
}

function isLines(entry: RuleLines | AggregatedRole): entry is RuleLines {
  return Array.isArray(entry);
}

function namespacedMetadata(key: string): ObjectMeta {
  const slash = key.indexOf('/');
  return metadataOf(key.slice(slash + 1), key.slice(0, slash));
}

function metadataOf(name: string, namespace?: string, aggregateTo?: string): ObjectMeta {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: {
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      ...(aggregateTo !== undefined && { [AGGREGATE_TO + aggregateTo]: 'true' }),
    },
    annotations: { [AUTO_UPDATE]: 'true' },
  };
}

/** Two parts are a rule about paths, three or four one about resources. */
function parseRule(line: string): PolicyRule {
  const [verbs = [], targets = [], resources, resourceNames] = line
    .split(' ')
    .map((part) => part.split(','));
  if (resources === undefined) return { verbs, nonResourceURLs: targets };
  return {
    verbs,
    apiGroups: targets.map((group) => (group === 'core' ? '' : group)),
    resources,
    ...(resourceNames && { resourceNames }),
  };
}

function subjectsOf(lines: readonly string[]): { subjects?: Subject[] } {
  return lines.length === 0 ? {} : { subjects: lines.map(parseSubject) };
}

function parseSubject(line: string): Subject {
  const [kind = '', who = ''] = line.split(' ');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: GROUP, name: who };
  const [namespace = '', name = ''] = who.split('/');
  return { kind, name, namespace };
}
