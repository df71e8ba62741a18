// Upstream: pkg/apis/admissionregistration/validation/validation.go
import type * as admission from 'client-ts/api/admissionregistration/v1';
import {
  parseApiVersion,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
  validateQualifiedName,
} from 'client-ts/meta';
import { BOOL } from '../../../cel/types.ts';
import { validateChoice, validateOptionalChoice } from '../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  internalError,
  invalid,
  invalidEach,
  notSupported,
  required,
  tooMany,
} from '../../../validation/field-error.ts';
import { validateLabelSelector } from '../../../validation/labels.ts';
import { type AdmissionExpression, compileAdmission } from './expressions.ts';
import type { Loose } from '../../../validation/loose.ts';

type Rule = Loose<admission.RuleWithOperations>;

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MOST_CONDITIONS = 64;

export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore'];
export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];

/** Checks a rule that selects requests. */
export function validateAdmissionRule(rule: Rule, field: string): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  return [
    ...validateWithWildcard(operations, 'operations', `${field}.operations`),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation)
        ? []
        : [notSupported(`${field}.operations[${index}]`, operation, OPERATIONS)],
    ),
    ...validateWithWildcard(apiGroups, 'API groups', `${field}.apiGroups`),
    ...validateWithWildcard(apiVersions, 'API versions', `${field}.apiVersions`),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [required(`${field}.apiVersions[${index}]`)] : [],
    ),
    ...validateResources(resources, `${field}.resources`),
    ...validateOptionalChoice(scope, SCOPES, `${field}.scope`),
  ];
}

function validateWithWildcard(
  values: readonly string[],
  meaning: string,
  field: string,
): FieldError[] {
  if (values.length === 0) return [required(field)];
  return values.length > 1 && values.includes('*')
    ? [invalid(field, values, `if '*' is present, must not specify other ${meaning}`)]
    : [];
}

function validateResources(resources: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(field)] : [];
  const withAllSubresources = new Set<string>();
  const ofAllResources = new Set<string>();
  let namesResource = false;
  for (const [index, text] of resources.entries()) {
    const path = `${field}[${index}]`;
    if (text === '') {
      errors.push(required(path));
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      namesResource = text !== '*';
      continue;
    }
    const resource = text.slice(0, slash);
    const subresource = text.slice(slash + 1);
    if (withAllSubresources.has(resource)) {
      const detail = `if '${resource}/*' is present, must not specify ${text}`;
      errors.push(invalid(path, text, detail));
    }
    if (ofAllResources.has(subresource)) {
      const detail = `if '*/${subresource}' is present, must not specify ${text}`;
      errors.push(invalid(path, text, detail));
    }
    if (subresource === '*') withAllSubresources.add(resource);
    if (resource === '*') ofAllResources.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    const detail = "if '*/*' is present, must not specify other resources";
    errors.push(invalid(field, resources, detail));
  }
  if (resources.includes('*') && namesResource) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(field, resources, detail));
  }
  return errors;
}

/** Checks the match constraints of a policy or binding. */
export function validateMatchResources(
  resources: Loose<admission.MatchResources>,
  field: string,
): FieldError[] {
  return [
    ...validateChoice(resources.matchPolicy, MATCH_POLICIES, `${field}.matchPolicy`),
    ...(['namespaceSelector', 'objectSelector'] as const).flatMap((name) =>
      resources[name] === undefined
        ? [required(`${field}.${name}`)]
        : validateLabelSelector(resources[name], `${field}.${name}`),
    ),
    ...(['resourceRules', 'excludeResourceRules'] as const).flatMap((name) =>
      (resources[name] ?? []).flatMap((rule, index) =>
        validateNamedRule(rule, `${field}.${name}[${index}]`),
      ),
    ),
  ];
}

function validateNamedRule(
  rule: Loose<admission.NamedRuleWithOperations>,
  field: string,
): FieldError[] {
  const { resourceNames: names = [] } = rule;
  return [
    ...names.flatMap((name, index) => {
      const path = `${field}.resourceNames[${index}]`;
      return [
        ...invalidEach(path, name, validatePathSegmentName(name)),
        ...(names.indexOf(name) < index ? [duplicate(path, name)] : []),
      ];
    }),
    ...validateAdmissionRule(rule, field),
  ];
}

/** Checks the form of match conditions; their CEL expressions are not compiled. */
export function validateMatchConditions(
  conditions: readonly Loose<admission.MatchCondition>[],
  field: string,
  hasParams = false,
): FieldError[] {
  return [
    ...(conditions.length > MOST_CONDITIONS
      ? [tooMany(field, conditions.length, MOST_CONDITIONS)]
      : []),
    ...conditions.flatMap(({ name = '', expression = '' }, index) => {
      const path = `${field}[${index}]`;
      const isRepeated = conditions.slice(0, index).some((other) => other.name === name);
      return [
        ...(expression.trim() === ''
          ? [required(`${path}.expression`)]
          : expressionErrors(
              compileAdmission(expression, { hasParams, hasAuthorizer: true }, [BOOL]),
              `${path}.expression`,
            )),
        ...(name === ''
          ? [required(`${path}.name`)]
          : invalidEach(`${path}.name`, name, validateQualifiedName(name))),
        ...(name !== '' && isRepeated ? [duplicate(`${path}.name`, name)] : []),
      ];
    }),
  ];
}

/** Returns the error of an expression that does not compile. */
export function expressionErrors(
  { source, problem, isInternal }: AdmissionExpression,
  field: string,
): FieldError[] {
  if (problem === undefined) return [];
  return [isInternal === true ? internalError(field, problem) : invalid(field, source, problem)];
}

/** Checks the parameter kind of a policy. */
export function validateParamKind(
  { apiVersion = '', kind = '' }: Loose<admission.ParamKind>,
  field: string,
): FieldError[] {
  const { group, version } = parseApiVersion(apiVersion);
  const versionField = `${field}.apiVersion`;
  const joined = (value: string, problems: readonly string[]): FieldError[] =>
    problems.length === 0 ? [] : [invalid(versionField, value, problems.join(','))];
  const kindProblems = validateDns1035Label(kind.toLowerCase());
  return [
    ...(apiVersion === ''
      ? [required(versionField)]
      : [
          ...(group === '' ? [] : joined(group, validateDns1123Subdomain(group))),
          ...(version === ''
            ? [invalid(versionField, apiVersion, 'version must be specified')]
            : joined(version, validateDns1035Label(version))),
        ]),
    ...(kind === ''
      ? [required(`${field}.kind`)]
      : kindProblems.length === 0
        ? []
        : [
            invalid(
              `${field}.kind`,
              kind,
              `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`,
            ),
          ]),
  ];
}

/** Checks the parameter reference of a binding. */
export function validateParamRef(
  { name = '', selector, parameterNotFoundAction: action = '' }: Loose<admission.ParamRef>,
  field: string,
): FieldError[] {
  const exclusive = 'name and selector are mutually exclusive';
  const actions = ['Deny', 'Allow'];
  return [
    ...(name === '' ? [] : invalidEach(`${field}.name`, name, validatePathSegmentName(name))),
    ...(name !== '' && selector !== undefined ? [forbidden(`${field}.name`, exclusive)] : []),
    ...validateLabelSelector(selector, `${field}.selector`),
    ...(name !== '' && selector !== undefined ? [forbidden(`${field}.selector`, exclusive)] : []),
    ...(name === '' && selector === undefined
      ? [required(field, 'one of name or selector must be specified')]
      : []),
    ...validateChoice(action, actions, `${field}.parameterNotFoundAction`),
  ];
}
