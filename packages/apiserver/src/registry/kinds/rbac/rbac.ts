// Upstream: pkg/apis/rbac/v1/defaults.go
// Upstream: pkg/apis/rbac/validation/validation.go
// Upstream: pkg/registry/rbac/role/strategy.go
// Upstream: pkg/registry/rbac/clusterrole/strategy.go
// Upstream: pkg/registry/rbac/rolebinding/strategy.go
// Upstream: pkg/registry/rbac/clusterrolebinding/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printRoleBinding, printClusterRoleBinding
import type * as rbac from 'client-ts/api/rbac/v1';
import { jsonEqual } from 'client-ts/internal';
import { validatePathSegmentName } from 'client-ts/meta';
import {
  type FieldError,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { matcherOf, validateLabelSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsSubdomain } from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  type Column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';

type Role = Loose<rbac.Role>;
type ClusterRole = Loose<rbac.ClusterRole>;
type PolicyRule = Loose<rbac.PolicyRule>;
type Binding = Loose<rbac.RoleBinding | rbac.ClusterRoleBinding>;
type Subject = Loose<rbac.Subject>;

const GROUP = 'rbac.authorization.k8s.io';
const namespacedMeta = metaValidator({ namespaced: true, validateName: validatePathSegmentName });
const clusterMeta = metaValidator({ namespaced: false, validateName: validatePathSegmentName });

const common = {
  validateName: validatePathSegmentName,
  generation: 'none',
  createOnUpdate: true,
} as const;

/** Rules of Roles. */
export const roleStrategy: Strategy<Role> = {
  ...common,
  validate: validateRole,
  validateUpdate: (role, old) => [...validateRole(role), ...namespacedMeta.update(role, old)],
};

/** Rules of ClusterRoles. */
export const clusterRoleStrategy: Strategy<ClusterRole> = {
  ...common,
  validate: validateClusterRole,
  validateUpdate: (role, old) => [...validateClusterRole(role), ...clusterMeta.update(role, old)],
};

/** Rules of RoleBindings. */
export const roleBindingStrategy: Strategy<Binding> = bindingStrategy(true);
/** Rules of ClusterRoleBindings. */
export const clusterRoleBindingStrategy: Strategy<Binding> = bindingStrategy(false);

function validateRole(role: Role): FieldError[] {
  return [...namespacedMeta.create(role), ...validateRules(role.rules ?? [], true)];
}

function validateClusterRole(role: ClusterRole): FieldError[] {
  return [
    ...clusterMeta.create(role),
    ...validateRules(role.rules ?? [], false),
    ...(role.aggregationRule === undefined ? [] : validateAggregation(role.aggregationRule)),
  ];
}

function validateAggregation({
  clusterRoleSelectors: selectors = [],
}: Loose<rbac.AggregationRule>): FieldError[] {
  const field = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [required(field, detail)];
  }
  return selectors.flatMap((selector, index) => [
    ...validateLabelSelector(selector, `${field}[${index}]`),
    ...(matcherOf(selector) === undefined
      ? [invalid(`${field}[${index}]`, undefined, 'invalid label selector.')]
      : []),
  ]);
}

function validateRules(rules: readonly PolicyRule[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, namespaced, `rules[${index}]`));
}

function validateRule(rule: PolicyRule, namespaced: boolean, field: string): FieldError[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  const { nonResourceURLs = [] } = rule;
  const errors =
    verbs.length === 0 ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : [];
  if (nonResourceURLs.length > 0) {
    const path = `${field}.nonResourceURLs`;
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs';
      errors.push(invalid(path, nonResourceURLs, detail));
    }
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs';
      errors.push(invalid(path, nonResourceURLs, detail));
    }
    return errors;
  }
  return [
    ...errors,
    ...(apiGroups.length === 0
      ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(resources.length === 0
      ? [required(`${field}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ];
}

function bindingStrategy(namespaced: boolean): Strategy<Binding> {
  const meta = namespaced ? namespacedMeta : clusterMeta;
  const roleKinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const validate = (binding: Binding): FieldError[] => [
    ...meta.create(binding),
    ...validateRoleRef(binding.roleRef ?? {}, roleKinds),
    ...(binding.subjects ?? []).flatMap((subject, index) =>
      validateSubject(subject, namespaced, `subjects[${index}]`),
    ),
  ];
  return {
    ...common,
    setDefaults: (binding) => {
      (binding.roleRef ??= {}).apiGroup ||= GROUP;
      for (const subject of binding.subjects ?? []) {
        if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= GROUP;
      }
    },
    validate,
    validateUpdate: (binding, old) => [
      ...validate(binding),
      ...meta.update(binding, old),
      ...(jsonEqual(binding.roleRef, old.roleRef)
        ? []
        : [invalid('roleRef', printableRef(binding.roleRef ?? {}), 'cannot change roleRef')]),
    ],
  };
}

function printableRef({ apiGroup = '', kind = '', name = '' }: Loose<rbac.RoleRef>): unknown {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function validateRoleRef(
  { apiGroup = '', kind = '', name = '' }: Loose<rbac.RoleRef>,
  kinds: readonly string[],
): FieldError[] {
  return [
    ...(apiGroup === GROUP ? [] : [notSupported('roleRef.apiGroup', apiGroup, [GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === ''
      ? [required('roleRef.name')]
      : invalidEach('roleRef.name', name, validatePathSegmentName(name))),
  ];
}

function validateSubject(subject: Subject, namespaced: boolean, field: string): FieldError[] {
  const { kind = '', name = '', apiGroup = '', namespace = '' } = subject;
  const errors = name === '' ? [required(`${field}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') {
        errors.push(...invalidEach(`${field}.name`, name, nameIsDnsSubdomain(name, false)));
      }
      if (apiGroup !== '') errors.push(notSupported(`${field}.apiGroup`, apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(`${field}.namespace`));
      return errors;
    case 'User':
    case 'Group':
      return apiGroup === GROUP
        ? errors
        : [...errors, notSupported(`${field}.apiGroup`, apiGroup, [GROUP])];
    default:
      return [...errors, notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

type PrintedBinding = Printable<rbac.ClusterRoleBinding> | Printable<rbac.RoleBinding>;

/** The table of RoleBindings and ClusterRoleBindings. */
export const roleBindingPrinter: Printer<PrintedBinding> = printer<PrintedBinding>([
  nameColumn(),
  column(
    'Role',
    'Kind and name of the role',
    ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
  ),
  ageColumn(),
  subjectColumn('Users', 'Users bound to the role', 'User', ({ name = '' }) => name),
  subjectColumn('Groups', 'Groups bound to the role', 'Group', ({ name = '' }) => name),
  subjectColumn(
    'ServiceAccounts',
    'Service accounts bound to the role, with their namespaces',
    'ServiceAccount',
    ({ namespace = '', name = '' }) => `${namespace}/${name}`,
  ),
]);

function subjectColumn(
  name: string,
  description: string,
  kind: string,
  format: (subject: Printable<Subject>) => string,
): Column<PrintedBinding> {
  const list = ({ subjects }: PrintedBinding): string =>
    (subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(format)
      .join(', ');
  return column(name, description, list, { wide: true });
}
