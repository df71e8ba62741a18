import type { ConfigMap, Secret, ServiceAccount } from 'client-ts/api/core/v1';
import type { ClusterRole, PolicyRule, Role, RoleBinding } from 'client-ts/api/rbac/v1';

import type { Describer } from './describer.ts';
import { block, field, type Lines, multiline, table } from './lines.ts';
import { identity, labelsAndAnnotations, type Loose, sorted } from './values.ts';

/** A secret: the sizes of its values, never the values. */
export const secretDescriber: Describer<Secret> = {
  hasEvents: false,
  lines: (secret) => [
    identity(secret),
    labelsAndAnnotations(secret),
    ['', field('Type', secret.type)],
    ['', 'Data', '===='],
    sorted(secret.data).map(([name, value]) => field(name, `${bytesOf(value)} bytes`)),
  ],
};

/** A config map, with its values. */
export const configMapDescriber: Describer<ConfigMap> = {
  hasEvents: true,
  lines: (map) => [
    identity(map),
    labelsAndAnnotations(map),
    ['', 'Data', '===='],
    sorted(map.data).map(([name, value]) => [`${name}:`, '----', value, '']),
    ['', 'BinaryData', '===='],
    sorted(map.binaryData).map(([name, value]) => `${name}: ${bytesOf(value)} bytes`),
    '',
  ],
};

function bytesOf(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}

/** A service account. */
export const serviceAccountDescriber: Describer<ServiceAccount> = {
  hasEvents: true,
  lines: (account) => [
    identity(account),
    labelsAndAnnotations(account),
    multiline(
      'Image pull secrets',
      (account.imagePullSecrets ?? []).map(({ name = '' }) => name),
    ),
  ],
};

/** A role: a line per resource. */
export const roleDescriber: Describer<ClusterRole | Role> = {
  hasEvents: false,
  lines: (role) => [
    field('Name', role.metadata?.name),
    labelsAndAnnotations(role),
    block(
      'PolicyRule',
      table(
        ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'],
        permissions(role.rules ?? []).map(({ group = '', resource = '', url, name, verbs }) => [
          combined(resource, group),
          `[${url ?? ''}]`,
          `[${name ?? ''}]`,
          `[${verbs.join(' ')}]`,
        ]),
      ),
    ),
  ],
};

/** What may be done with a resource, an object of it, or a URL. */
interface Permission {
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string | undefined;
  readonly url?: string;
  readonly verbs: readonly string[];
}

/** Splits rules by resource and name, and joins the verbs of each; URLs have one verb each. */
function permissions(rules: readonly Loose<PolicyRule>[]): Permission[] {
  const joined = new Map<string, Permission>();
  for (const permission of rules.flatMap(permissionsOf)) {
    const { group, resource, name, url, verbs } = permission;
    const key = JSON.stringify([group, resource, name, url, url === undefined ? '' : verbs]);
    const known = joined.get(key)?.verbs ?? [];
    joined.set(key, { ...permission, verbs: [...new Set([...known, ...verbs])] });
  }
  return [...joined.values()].sort((a, b) => (goText(a) < goText(b) ? -1 : 1));
}

function permissionsOf(rule: Loose<PolicyRule>): Permission[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const { verbs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const named = apiGroups.flatMap((group) =>
    resources.flatMap((resource) => names.map((name) => ({ group, resource, name, verbs }))),
  );
  const urls = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ url, verbs: [verb] })));
  return [...(verbs.length === 0 ? [] : named), ...urls];
}

/** kubectl sorts rules by their text in Go. */
function goText({ verbs, group, resource, name, url }: Permission): string {
  const lists = [verbs.join(' '), group, resource, name, url].map((text) => `[${text ?? ''}]`);
  return lists.join(',');
}

/** `deployments.apps/scale`. */
function combined(resource: string, group: string): string {
  const [name = '', subresource] = resource.split(/\/(.*)/s);
  const full = group === '' ? name : `${name}.${group}`;
  return subresource === undefined ? full : `${full}/${subresource}`;
}

/** A binding of a role to subjects. */
export const bindingDescriber: Describer<RoleBinding> = {
  hasEvents: false,
  lines: (binding) => {
    const { metadata, roleRef, subjects = [] } = binding;
    const rows = subjects.map(({ kind, name, namespace }) => [kind, name, namespace]);
    const lines: Lines = [field('Kind', roleRef?.kind), field('Name', roleRef?.name)];
    return [
      field('Name', metadata?.name),
      labelsAndAnnotations(binding),
      block('Role', lines),
      block('Subjects', table(['Kind', 'Name', 'Namespace'], rows)),
    ];
  },
};
