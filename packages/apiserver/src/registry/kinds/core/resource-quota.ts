// Upstream: pkg/apis/core/validation/validation.go: ValidateResourceQuota
// Upstream: pkg/registry/core/resourcequota/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printResourceQuota
import type * as core from 'client-ts/api/core/v1';
import { getKey, jsonEqual } from 'client-ts/internal';
import { compareQuantities, type Quantity } from 'client-ts/meta';
import { type FieldError, invalid, required } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, metaValidator } from '../../../validation/object-meta.ts';
import {
  isStandardQuotaResource,
  quantityText,
  validateResourceName,
  validateResourceValue,
} from '../../../validation/resources.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec, roundResources } from '../support.ts';

type Quota = Loose<core.ResourceQuota>;
type QuotaSpec = Loose<core.ResourceQuotaSpec>;
type ScopeRequirement = Loose<core.ScopedResourceSelectorRequirement>;
type Amounts = Readonly<Record<string, Quantity>>;

const meta = metaValidator({ namespaced: true });

/** Rules of ResourceQuotas. `admission/quota/` enforces them. */
export const resourceQuotaStrategy: Strategy<Quota> = {
  setDefaults: ({ spec, status }) => {
    roundResources(spec?.hard);
    roundResources(status?.hard);
    roundResources(status?.used);
  },
  validate: (quota) => [...meta.create(quota), ...validateSpec(quota.spec ?? {})],
  validateUpdate: (quota, old) => [
    ...meta.update(quota, old),
    ...validateSpec(quota.spec ?? {}),
    ...validateScopesUnchanged(quota.spec?.scopes ?? [], old.spec?.scopes ?? []),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (quota, old) => [
    ...meta.update(quota, old),
    ...validateAmounts(quota.status?.hard ?? {}, 'status.hard'),
    ...validateAmounts(quota.status?.used ?? {}, 'status.used'),
  ],
  warnings: ({ spec }, old) => (old === undefined ? quotaWarnings(spec?.hard ?? {}) : []),
  generation: 'none',
  deleteReturnsObject: true,
};

function quotaWarnings(hard: Amounts): string[] {
  return (['cpu', 'memory', 'storage', 'ephemeral-storage'] as const).flatMap((resource) => {
    const hasShortName = resource === 'cpu' || resource === 'memory';
    const full = `requests.${resource}` as const;
    const name = hard[full] === undefined && hasShortName ? resource : full;
    const request = hard[name];
    const limit = hard[`limits.${resource}`];
    if (request === undefined || limit === undefined) return [];
    return compareQuantities(request, limit) > 0
      ? [
          `ResourceQuota ${name} (${quantityText(request)}) should be less than limits.${resource} (${quantityText(limit)})`,
        ]
      : [];
  });
}

function validateSpec(spec: QuotaSpec): FieldError[] {
  return [
    ...validateAmounts(spec.hard ?? {}, 'spec.hard'),
    ...validateScopes(spec, 'spec.scopes'),
    ...validateScopeSelector(spec, 'spec.scopeSelector.matchExpressions'),
  ];
}

function validateAmounts(amounts: Amounts, field: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, value]) => {
    const path = `${field}[${name}]`;
    return [
      ...validateResourceName(name, path),
      ...(name.includes('/') || isStandardQuotaResource(name)
        ? []
        : [invalid(path, name, 'must be a standard resource for quota')]),
      ...validateResourceValue(name, value, path),
    ];
  });
}

function validateScopes({ scopes = [], hard = {} }: QuotaSpec, field: string): FieldError[] {
  return [
    ...scopes.flatMap((scope) => [
      ...(isKnownScope(scope) ? [] : [invalid(field, scopes, 'unsupported scope')]),
      ...resourcesOutOf(scope, hard).map(() =>
        invalid(field, scopes, 'unsupported scope applied to resource'),
      ),
    ]),
    ...validateNoConflict(scopes, scopes, field),
  ];
}

function validateScopeSelector(spec: QuotaSpec, field: string): FieldError[] {
  const { scopeSelector, hard = {}, scopes = null } = spec;
  const requirements = scopeSelector?.matchExpressions ?? [];
  return [
    ...requirements.flatMap((requirement) => [
      ...(isKnownScope(requirement.scopeName ?? '')
        ? []
        : [invalid(`${field}.scopeName`, requirement.scopeName ?? '', 'unsupported scope')]),
      ...resourcesOutOf(requirement.scopeName ?? '', hard).map(() =>
        invalid(field, printableSelector(requirements), 'unsupported scope applied to resource'),
      ),
      ...validateRequirement(requirement, field),
    ]),
    ...validateNoConflict(
      requirements.map(({ scopeName = '' }) => scopeName),
      scopes,
      field,
    ),
  ];
}

function printableSelector(requirements: readonly ScopeRequirement[]): unknown {
  return {
    MatchExpressions: requirements.map(({ scopeName = '', operator = '', values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  };
}

const SCOPES_WITHOUT_VALUES = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);

function validateRequirement(
  { scopeName = '', operator = '', values = [] }: ScopeRequirement,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (SCOPES_WITHOUT_VALUES.has(scopeName) && operator !== 'Exists') {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalid(`${field}.operator`, operator, detail));
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length > 0) return errors;
    const detail =
      "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return [...errors, required(`${field}.values`, detail)];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return errors;
    const detail =
      "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return [...errors, invalid(`${field}.values`, values, detail)];
  }
  return [...errors, invalid(`${field}.operator`, operator, 'not a valid selector operator')];
}

function isKnownScope(scope: string): boolean {
  return (
    SCOPES_WITHOUT_VALUES.has(scope) || ['PriorityClass', 'VolumeAttributesClass'].includes(scope)
  );
}

const COMPUTE = new Set([
  'cpu',
  'limits.cpu',
  'limits.memory',
  'memory',
  'requests.cpu',
  'requests.memory',
]);

/** Returns the limited resources that a scope cannot match. */
function resourcesOutOf(scope: string, hard: Amounts): string[] {
  return Object.keys(hard).filter((name) => {
    if (!isStandardQuotaResource(name)) return false;
    if (scope === 'BestEffort') return name !== 'pods';
    if (scope === 'VolumeAttributesClass') {
      return name !== 'persistentvolumeclaims' && name !== 'requests.storage';
    }
    return isKnownScope(scope) && name !== 'pods' && !COMPUTE.has(name);
  });
}

function validateNoConflict(
  scopes: readonly string[],
  shown: readonly string[] | null,
  field: string,
): FieldError[] {
  return [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].flatMap((pair) =>
    pair.every((scope) => scopes.includes(scope))
      ? [invalid(field, shown, 'conflicting scopes')]
      : [],
  );
}

function validateScopesUnchanged(scopes: readonly string[], old: readonly string[]): FieldError[] {
  const isSame = jsonEqual([...new Set(scopes)].toSorted(), [...new Set(old)].toSorted());
  return isSame ? [] : [invalid('spec.scopes', scopes, FIELD_IS_IMMUTABLE)];
}

/** The table of ResourceQuotas. */
export const resourceQuotaPrinter: Printer<Printable<core.ResourceQuota>> = printer([
  nameColumn(),
  column('Request', 'Used / hard amount of each request', (quota) => formatQuota(quota, false)),
  column('Limit', 'Used / hard amount of each limit', (quota) => formatQuota(quota, true)),
  ageColumn(),
]);

/** Formats the limits of a quota, or everything else. */
function formatQuota({ status }: Printable<core.ResourceQuota>, ofLimits: boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([resource]) => resource.startsWith('limits.') === ofLimits)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(
      ([resource, hard]) => `${resource}: ${getKey(status?.used ?? {}, resource) ?? '0'}/${hard}`,
    )
    .join(', ');
}
