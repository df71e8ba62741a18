// Upstream: pkg/apis/admissionregistration/v1/defaults.go
// Upstream: pkg/apis/admissionregistration/validation/validation.go:
//   ValidateValidatingAdmissionPolicy, ValidateMutatingAdmissionPolicy
// Upstream: pkg/registry/admissionregistration/validatingadmissionpolicy/strategy.go
// Upstream: pkg/registry/admissionregistration/validatingadmissionpolicybinding/strategy.go
// Upstream: pkg/registry/admissionregistration/mutatingadmissionpolicy/strategy.go
// Upstream: pkg/registry/admissionregistration/mutatingadmissionpolicybinding/strategy.go
// Upstream: pkg/printers/internalversion/printers.go
import type * as admission from 'client-ts/api/admissionregistration/v1';
import { type LabelSelector, validateQualifiedName } from 'client-ts/meta';
import { CONFIGURATION, PATCH_LIST } from '../../../cel/library/patches.ts';
import { BOOL, NULL, STRING } from '../../../cel/types.ts';
import { validateChoice, validateOptionalChoice } from '../../../validation/choices.ts';
import { validateConditions } from '../../../validation/conditions.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
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
import { UNSET } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';
import {
  type AdmissionExpression,
  type AdmissionVariables,
  compileAdmission,
  compileVariables,
  variableTypes,
} from './expressions.ts';
import {
  expressionErrors,
  FAILURE_POLICIES,
  validateMatchConditions,
  validateMatchResources,
  validateParamKind,
  validateParamRef,
} from './rules.ts';

type ValidatingPolicy = Loose<admission.ValidatingAdmissionPolicy>;
type MutatingPolicy = Loose<admission.MutatingAdmissionPolicy>;
type PolicySpec = Loose<
  admission.MutatingAdmissionPolicySpec | admission.ValidatingAdmissionPolicySpec
>;
type ValidatingBinding = Loose<admission.ValidatingAdmissionPolicyBinding>;
type MutatingBinding = Loose<admission.MutatingAdmissionPolicyBinding>;
type MatchResources = Loose<admission.MatchResources>;

const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MOST_ANNOTATIONS = 20;
const meta = metaValidator({ namespaced: false });

const common = { generation: 'spec', unconditionalUpdate: false } as const;

/** Rules of ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyStrategy: Strategy<ValidatingPolicy> = {
  ...common,
  setDefaults: (policy) => {
    const spec = (policy.spec ??= {});
    spec.failurePolicy ??= 'Fail';
    setMatchDefaults(spec.matchConstraints);
  },
  validate: validateValidatingPolicy,
  validateUpdate: validateValidatingPolicy,
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: ({ status = {} }) =>
    validateConditions(status.conditions ?? [], 'status.conditions'),
};

/** Rules of MutatingAdmissionPolicies. */
export const mutatingAdmissionPolicyStrategy: Strategy<MutatingPolicy> = {
  ...common,
  setDefaults: (policy) => {
    const spec = (policy.spec ??= {});
    spec.failurePolicy ??= 'Fail';
    setMatchDefaults(spec.matchConstraints);
  },
  validate: validateMutatingPolicy,
  validateUpdate: validateMutatingPolicy,
};

/** Rules of ValidatingAdmissionPolicyBindings. */
export const validatingAdmissionPolicyBindingStrategy: Strategy<ValidatingBinding> = {
  ...common,
  setDefaults: ({ spec }) => setMatchDefaults(spec?.matchResources),
  validate: validateValidatingBinding,
  validateUpdate: validateValidatingBinding,
};

/** Rules of MutatingAdmissionPolicyBindings. */
export const mutatingAdmissionPolicyBindingStrategy: Strategy<MutatingBinding> = {
  ...common,
  setDefaults: ({ spec }) => setMatchDefaults(spec?.matchResources),
  validate: validateMutatingBinding,
  validateUpdate: validateMutatingBinding,
};

function setMatchDefaults(resources: MatchResources | undefined): void {
  if (resources === undefined) return;
  resources.matchPolicy ??= 'Equivalent';
  resources.namespaceSelector ??= {};
  resources.objectSelector ??= {};
  const { resourceRules = [], excludeResourceRules = [] } = resources;
  for (const rule of [...resourceRules, ...excludeResourceRules]) rule.scope ??= '*';
}

/** Checks the match constraints and conditions that both kinds of policy have. */
function validateMatching(spec: PolicySpec): FieldError[] {
  const { matchConstraints, paramKind } = spec;
  return [
    ...validateChoice(spec.failurePolicy, FAILURE_POLICIES, 'spec.failurePolicy'),
    ...(paramKind === undefined ? [] : validateParamKind(paramKind, 'spec.paramKind')),
    ...(matchConstraints === undefined
      ? [required('spec.matchConstraints')]
      : [
          ...validateMatchResources(matchConstraints, 'spec.matchConstraints'),
          ...((matchConstraints.resourceRules ?? []).length === 0
            ? [required('spec.matchConstraints.resourceRules')]
            : []),
        ]),
  ];
}

function validateExpressions(
  spec: PolicySpec,
  compiled: ReadonlyMap<string, AdmissionExpression>,
): FieldError[] {
  const hasParams = spec.paramKind !== undefined;
  return [
    ...validateMatchConditions(spec.matchConditions ?? [], 'spec.matchConditions', hasParams),
    ...(spec.variables ?? []).flatMap(({ name = '', expression = '' }, index) => {
      const field = `spec.variables[${index}]`;
      const variable = compiled.get(name);
      return [
        ...(name.trim() === ''
          ? [required(`${field}.name`, 'name is not specified')]
          : /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)
            ? []
            : [invalid(`${field}.name`, name, 'must be a valid CEL identifier')]),
        ...(expression.trim() === ''
          ? [required(`${field}.expression`, 'expression is not specified')]
          : variable === undefined
            ? []
            : expressionErrors(variable, `${field}.expression`)),
      ];
    }),
  ];
}

/** The variables of a policy and what else its expressions can name. */
function variablesOf({ paramKind, variables = [] }: PolicySpec): {
  readonly compiled: ReadonlyMap<string, AdmissionExpression>;
  readonly known: AdmissionVariables;
} {
  const base = { hasParams: paramKind !== undefined, hasAuthorizer: true };
  const compiled = compileVariables(variables, base);
  // Without any, the name itself is unknown.
  const known = variables.length === 0 ? base : { ...base, variables: variableTypes(compiled) };
  return { compiled, known };
}

function validateValidatingPolicy(policy: ValidatingPolicy): FieldError[] {
  const { spec = {} } = policy;
  const { validations = [], auditAnnotations = [] } = spec;
  const needsOne = 'validations or auditAnnotations must contain at least one item';
  const { compiled, known } = variablesOf(spec);
  return [
    ...meta.create(policy),
    ...validateMatching(spec),
    ...validateExpressions(spec, compiled),
    ...(validations.length + auditAnnotations.length === 0
      ? [required('spec.validations', needsOne), required('spec.auditAnnotations', needsOne)]
      : []),
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, `spec.validations[${index}]`, known),
    ),
    ...validateAuditAnnotations(auditAnnotations, policy.metadata?.name ?? '', known),
  ];
}

function validateValidation(
  validation: Loose<admission.Validation>,
  field: string,
  known: AdmissionVariables,
): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  const blank = (text: string): boolean => text !== '' && text.trim() === '';
  return [
    ...(expression.trim() === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : expressionErrors(compileAdmission(expression, known, [BOOL]), `${field}.expression`)),
    ...(blank(messageExpression)
      ? [invalid(`${field}.messageExpression`, messageExpression, 'must be non-empty if specified')]
      : messageExpression === ''
        ? []
        : expressionErrors(
            compileAdmission(messageExpression, { ...known, hasAuthorizer: false }, [STRING]),
            `${field}.messageExpression`,
          )),
    ...(blank(message)
      ? [invalid(`${field}.message`, message, 'must be non-empty if specified')]
      : message.trim().includes('\n')
        ? [invalid(`${field}.message`, message, 'must not contain line breaks')]
        : []),
    ...validateOptionalChoice(reason, REASONS, `${field}.reason`),
  ];
}

function validateAuditAnnotations(
  annotations: readonly Loose<admission.AuditAnnotation>[],
  policyName: string,
  known: AdmissionVariables,
): FieldError[] {
  const field = 'spec.auditAnnotations';
  return [
    ...(annotations.length > MOST_ANNOTATIONS
      ? [
          invalid(
            field,
            annotations.map(({ key = '', valueExpression = '' }) => ({
              Key: key,
              ValueExpression: valueExpression,
            })),
            `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`,
          ),
        ]
      : []),
    ...annotations.flatMap(({ key = '', valueExpression = '' }, index) => {
      const path = `${field}[${index}]`;
      const qualified = `${policyName}/${key}`;
      const isRepeated = annotations.slice(0, index).some((other) => (other.key ?? '') === key);
      return [
        ...invalidEach(`${path}.key`, qualified, validateQualifiedName(qualified)),
        ...(valueExpression.trim() === ''
          ? [required(`${path}.valueExpression`, 'valueExpression is not specified')]
          : expressionErrors(
              compileAdmission(valueExpression, known, [STRING, NULL]),
              `${path}.valueExpression`,
            )),
        ...(isRepeated ? [duplicate(`${path}.key`, key)] : []),
      ];
    }),
  ];
}

function validateMutatingPolicy(policy: MutatingPolicy): FieldError[] {
  const { spec = {} } = policy;
  const { mutations = [], matchConstraints, reinvocationPolicy } = spec;
  const { compiled, known } = variablesOf(spec);
  return [
    ...meta.create(policy),
    ...validateMatching(spec),
    ...validateMutatingOperations(matchConstraints, 'spec.matchConstraints'),
    ...validateExpressions(spec, compiled),
    ...(mutations.length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...mutations.flatMap((mutation, index) =>
      validateMutation(mutation, `spec.mutations[${index}]`, { ...known, hasPatchTypes: true }),
    ),
    ...validateChoice(reinvocationPolicy, ['IfNeeded', 'Never'], 'spec.reinvocationPolicy'),
  ];
}

/** Rejects operations that a mutating policy cannot match, such as `DELETE`. */
function validateMutatingOperations(
  resources: MatchResources | undefined,
  field: string,
): FieldError[] {
  return (resources?.resourceRules ?? []).flatMap(({ operations = [] }) =>
    operations
      .filter((operation) => !MUTATING_OPERATIONS.includes(operation))
      .map((operation) =>
        notSupported(`${field}.resourceRules.operations`, operation, MUTATING_OPERATIONS),
      ),
  );
}

const RESULTS = { jsonPatch: PATCH_LIST, applyConfiguration: CONFIGURATION } as const;

function validateMutation(
  mutation: Loose<admission.Mutation>,
  field: string,
  known: AdmissionVariables,
): FieldError[] {
  const { patchType = '' } = mutation;
  const types = { JSONPatch: 'jsonPatch', ApplyConfiguration: 'applyConfiguration' } as const;
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    return validateChoice(patchType, Object.keys(types).toSorted(), `${field}.patchType`);
  }
  const wanted = types[patchType];
  const other = wanted === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const expression = (mutation[wanted]?.expression ?? '').trim();
  return [
    ...(mutation[wanted] === undefined
      ? [required(`${field}.${wanted}`, `must be specified when patchType is ${patchType}`)]
      : expression === ''
        ? [required(`${field}.${wanted}.expression`)]
        : expressionErrors(
            compileAdmission(expression, known, [RESULTS[wanted]]),
            `${field}.${wanted}.expression`,
          )),
    ...(mutation[other] === undefined
      ? []
      : [
          invalid(
            `${field}.${other}`,
            `{${other}}`,
            `must not be specified when patchType is ${patchType}`,
          ),
        ]),
  ];
}

function validateBindingSpec(
  spec: Loose<admission.MutatingAdmissionPolicyBindingSpec>,
): FieldError[] {
  const { policyName = '', paramRef, matchResources } = spec;
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : invalidEach('spec.policyName', policyName, nameIsDnsSubdomain(policyName, false))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, 'spec.paramRef')),
    ...(matchResources === undefined
      ? []
      : validateMatchResources(matchResources, 'spec.matchResources')),
  ];
}

function validateValidatingBinding(binding: ValidatingBinding): FieldError[] {
  const { spec = {} } = binding;
  const { validationActions: actions = [] } = spec;
  const field = 'spec.validationActions';
  return [
    ...meta.create(binding),
    ...validateBindingSpec(spec),
    ...actions.flatMap((action, index) => [
      ...(ACTIONS.includes(action) ? [] : [notSupported(`${field}[${index}]`, action, ACTIONS)]),
      ...(actions.indexOf(action) < index ? [duplicate(`${field}[${index}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [
          invalid(
            field,
            actions,
            'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ),
        ]
      : []),
    ...(actions.length === 0
      ? [required(field, 'at least one validation action is required')]
      : []),
  ];
}

function validateMutatingBinding(binding: MutatingBinding): FieldError[] {
  const { spec = {} } = binding;
  return [
    ...meta.create(binding),
    ...validateBindingSpec(spec),
    ...validateMutatingOperations(spec.matchResources, 'spec.matchResources'),
  ];
}

/** The table of ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyPrinter: Printer<
  Printable<admission.ValidatingAdmissionPolicy>
> = printer([
  nameColumn(),
  column('Validations', 'Number of validations', ({ spec }) => (spec?.validations ?? []).length, {
    type: 'integer',
  }),
  paramKindColumn(),
  ageColumn(),
]);

/** The table of MutatingAdmissionPolicies. */
export const mutatingAdmissionPolicyPrinter: Printer<Printable<admission.MutatingAdmissionPolicy>> =
  printer([
    nameColumn(),
    column('Mutations', 'Number of mutations', ({ spec }) => (spec?.mutations ?? []).length, {
      type: 'integer',
    }),
    paramKindColumn(),
    ageColumn(),
  ]);

function paramKindColumn<
  T extends { readonly spec?: { readonly paramKind?: Printable<admission.ParamKind> } },
>(): Column<T> {
  return column('ParamKind', 'Kind of the parameter objects', ({ spec }) =>
    spec?.paramKind === undefined
      ? UNSET
      : `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}`,
  );
}

type PolicyBinding =
  | Printable<admission.MutatingAdmissionPolicyBinding>
  | Printable<admission.ValidatingAdmissionPolicyBinding>;

/** The table of both kinds of policy bindings. */
export const admissionPolicyBindingPrinter: Printer<PolicyBinding> = printer<PolicyBinding>([
  nameColumn(),
  column('PolicyName', 'Name of the policy', ({ spec }) => spec?.policyName ?? ''),
  column('ParamRef', 'Parameter object, with its namespace', formatParamRef),
  ageColumn(),
]);

function formatParamRef({ spec }: PolicyBinding): string {
  const { name = '', namespace = '', selector } = spec?.paramRef ?? {};
  // The scope of the parameter kind is not known here.
  if (name !== '') return `${namespace === '' ? '*' : namespace}/${name}`;
  return selector === undefined ? UNSET : formatProtoSelector(selector);
}

/** Formats a selector as Go's protobuf code does. */
function formatProtoSelector({ matchLabels, matchExpressions }: Printable<LabelSelector>): string {
  const labels = Object.entries(matchLabels ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = (matchExpressions ?? [])
    .map(
      ({ key = '', operator = '', values }) =>
        `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
    )
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
