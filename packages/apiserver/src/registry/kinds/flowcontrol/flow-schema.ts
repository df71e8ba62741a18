// Upstream: pkg/apis/flowcontrol/v1/defaults.go
// Upstream: pkg/apis/flowcontrol/validation/validation.go: ValidateFlowSchema
// Upstream: pkg/registry/flowcontrol/flowschema/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printFlowSchema
import type * as flowcontrol from 'client-ts/api/flowcontrol/v1';
import { findStatusCondition, nameOf } from 'client-ts/meta';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsLabel, nameIsDnsSubdomain } from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { NONE } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';

type FlowSchema = Loose<flowcontrol.FlowSchema>;
type PolicyRules = Loose<flowcontrol.PolicyRulesWithSubjects>;
type Subject = Loose<flowcontrol.Subject>;

const DEFAULT_PRECEDENCE = 1000;
const HIGHEST_PRECEDENCE = 10_000;
const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];
const meta = metaValidator({ namespaced: false });

/** Rules of FlowSchemas. */
export const flowSchemaStrategy: Strategy<FlowSchema> = {
  setDefaults: (schema) => {
    (schema.spec ??= {}).matchingPrecedence ||= DEFAULT_PRECEDENCE;
  },
  validate: validateFlowSchema,
  validateUpdate: validateFlowSchema,
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: ({ status = {} }) => validateFlowStatus(status.conditions ?? []),
  generation: 'spec',
};

function validateFlowSchema(schema: FlowSchema): FieldError[] {
  const { matchingPrecedence = 0, rules = [], distinguisherMethod } = schema.spec ?? {};
  const { name = '' } = schema.spec?.priorityLevelConfiguration ?? {};
  const methods = ['ByNamespace', 'ByUser'];
  const method = distinguisherMethod?.type ?? '';
  return [
    ...meta.create(schema),
    ...validatePrecedence(matchingPrecedence, schema.metadata?.name ?? ''),
    ...(distinguisherMethod === undefined || methods.includes(method)
      ? []
      : [notSupported('spec.distinguisherMethod.type', { Type: method }, methods)]),
    ...(name === ''
      ? [required('spec.priorityLevelConfiguration.name', 'must reference a priority level')]
      : invalidEach('spec.priorityLevelConfiguration.name', name, nameIsDnsSubdomain(name, false))),
    ...rules.flatMap((rule, index) => validateRules(rule, `spec.rules[${index}]`)),
    ...validateFlowStatus(schema.status?.conditions ?? []),
  ];
}

function validatePrecedence(precedence: number, name: string): FieldError[] {
  const field = 'spec.matchingPrecedence';
  return [
    ...(precedence <= 0 ? [invalid(field, precedence, 'must be a positive value')] : []),
    ...(precedence > HIGHEST_PRECEDENCE
      ? [invalid(field, precedence, `must not be greater than ${HIGHEST_PRECEDENCE}`)]
      : []),
    ...(precedence === 1 && name !== 'exempt'
      ? [invalid(field, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
  ];
}

function validateRules(rule: PolicyRules, field: string): FieldError[] {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rule;
  return [
    ...(subjects.length === 0
      ? [required(`${field}.subjects`, 'subjects must contain at least one value')]
      : subjects.flatMap((subject, index) =>
          validateSubject(subject, `${field}.subjects[${index}]`),
        )),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [required(field, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resourceRules.flatMap((each, index) =>
      validateResourceRule(each, `${field}.resourceRules[${index}]`),
    ),
    ...nonResourceRules.flatMap(({ verbs = [], nonResourceURLs = [] }, index) => {
      const path = `${field}.nonResourceRules[${index}]`;
      return [
        ...validateVerbs(verbs, `${path}.verbs`),
        ...validateList(nonResourceURLs, `${path}.nonResourceURLs`, {
          missing: 'nonResourceURLs must contain at least one value',
          others: 'non-resource URLs',
        }),
      ];
    }),
  ];
}

const SUBJECTS = [
  ['serviceAccount', 'ServiceAccount'],
  ['user', 'User'],
  ['group', 'Group'],
] as const;

function validateSubject(subject: Subject, field: string): FieldError[] {
  const { kind = '' } = subject;
  const own = SUBJECTS.find(([, each]) => each === kind);
  if (own === undefined) {
    return [notSupported(`${field}.kind`, kind, SUBJECTS.map(([, each]) => each).toSorted())];
  }
  const [name] = own;
  return [
    ...(subject[name] === undefined
      ? [required(`${field}.${name}`, `${name} is required when subject kind is '${kind}'`)]
      : validateNamed(subject[name], kind, `${field}.${name}`)),
    ...SUBJECTS.filter(([other]) => other !== name && subject[other] !== undefined).map(
      ([other, otherKind]) =>
        forbidden(
          `${field}.${other}`,
          `${other} is forbidden when subject kind is not '${otherKind}'`,
        ),
    ),
  ];
}

function validateNamed(
  { name = '', namespace = '' }: { name?: string; namespace?: string },
  kind: string,
  field: string,
): FieldError[] {
  const errors = name === '' ? [required(`${field}.name`)] : [];
  if (kind !== 'ServiceAccount') return errors;
  return [
    ...errors,
    ...(name === '' || name === '*'
      ? []
      : invalidEach(`${field}.name`, name, nameIsDnsSubdomain(name, false))),
    ...(namespace === ''
      ? [required(`${field}.namespace`, 'must specify namespace for service account')]
      : invalidEach(`${field}.namespace`, namespace, nameIsDnsLabel(namespace, false))),
  ];
}

function validateResourceRule(
  rule: Loose<flowcontrol.ResourcePolicyRule>,
  field: string,
): FieldError[] {
  const { verbs = [], apiGroups = [], resources = [], clusterScope } = rule;
  const namespaces = rule.namespaces ?? [];
  return [
    ...validateVerbs(verbs, `${field}.verbs`),
    ...validateList(apiGroups, `${field}.apiGroups`, {
      missing: 'resource rules must supply at least one api group',
      others: 'api groups',
    }),
    ...validateList(resources, `${field}.resources`, {
      missing: 'resource rules must supply at least one resource',
      others: 'resources',
    }),
    ...(namespaces.length === 0 && clusterScope === true
      ? []
      : validateList(namespaces, `${field}.namespaces`, {
          missing: 'resource rules that are not cluster scoped must supply at least one namespace',
          others: 'namespaces',
        })),
    ...(namespaces.includes('*') ? [] : namespaces).flatMap((namespace, index) =>
      nameIsDnsLabel(namespace, false).map((message) =>
        invalid(
          `${field}.namespaces[${index}]`,
          namespace,
          `each member of this list must be '*' or a DNS-1123 label; ${message}`,
        ),
      ),
    ),
  ];
}

function validateList(
  values: readonly string[],
  field: string,
  { missing, others }: { readonly missing: string; readonly others: string },
): FieldError[] {
  if (values.length === 0) return [required(field, missing)];
  return values.length > 1 && values.includes('*')
    ? [invalid(field, values, `if '*' is present, must not specify other ${others}`)]
    : [];
}

function validateVerbs(verbs: readonly string[], field: string): FieldError[] {
  const errors = validateList(verbs, field, {
    missing: 'verbs must contain at least one value',
    others: 'verbs',
  });
  if (verbs.includes('*') || verbs.every((verb) => VERBS.includes(verb))) return errors;
  return [...errors, notSupported(field, verbs, VERBS)];
}

/** Checks the types of status conditions. */
export function validateFlowStatus(conditions: readonly { type?: string }[]): FieldError[] {
  return conditions.flatMap(({ type = '' }, index) => {
    const field = `status.conditions[${index}].type`;
    const isRepeated = conditions.slice(0, index).some((other) => (other.type ?? '') === type);
    return [
      ...(isRepeated ? [duplicate(field, type)] : []),
      ...(type === '' ? [required(field)] : []),
    ];
  });
}

type Flow = Printable<FlowSchema>;

/** The table of FlowSchemas, sorted by precedence. */
export const flowSchemaPrinter: Printer<Flow> = printer<Flow>(
  [
    nameColumn(),
    column(
      'PriorityLevel',
      'Priority level of the requests',
      ({ spec }) => spec?.priorityLevelConfiguration?.name ?? '',
    ),
    column(
      'MatchingPrecedence',
      'Precedence; the schema with the lowest number matches first',
      precedenceOf,
    ),
    column(
      'DistinguisherMethod',
      'How the flows of a schema are distinguished',
      ({ spec }) => spec?.distinguisherMethod?.type ?? NONE,
    ),
    ageColumn(),
    column(
      'MissingPL',
      'Whether the priority level does not exist',
      ({ status }) => findStatusCondition(status?.conditions, 'Dangling')?.status ?? '?',
    ),
  ],
  {
    compare: (left, right) =>
      precedenceOf(left) - precedenceOf(right) || (nameOf(left) < nameOf(right) ? -1 : 1),
  },
);

function precedenceOf({ spec }: Flow): number {
  return spec?.matchingPrecedence ?? 0;
}
