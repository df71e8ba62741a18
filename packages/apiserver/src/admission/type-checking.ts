import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
} from 'client-ts/api/admissionregistration/v1';
import { compareStrings } from 'client-ts/internal';
import { type GroupVersionKind, parseApiVersion } from 'client-ts/meta';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  type Field,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
} from '../cel/types.ts';
import { namesOf } from '../crd/rule-types.ts';
import type { Catalog } from '../registry/catalog.ts';
import {
  type AdmissionVariables,
  checkAdmission,
  variableType,
} from '../registry/kinds/admissionregistration/expressions.ts';
import type { ResourceInfo } from '../registry/resource.ts';
import type { Schema } from '../schema/schema.ts';

/** How many kinds of one rule are looked at. */
const MOST_KINDS = 10;

/**
 * Checks the expressions of a policy against the schemas of the kinds that it matches by name.
 * Returns what a real server notes in the status: one warning for each expression with faults.
 * `unique` distinguishes the types of one check from those of another in messages.
 */
export function typeCheck(
  policy: ValidatingAdmissionPolicy,
  catalog: Catalog,
  unique: number,
): ExpressionWarning[] {
  const checker = new TypeChecker(policy, catalog, unique);
  return (policy.spec?.validations ?? []).flatMap((validation, index) => {
    const field = `spec.validations[${index}]`;
    const { expression, messageExpression = '' } = validation;
    return [
      ...checker.check(`${field}.expression`, expression),
      ...(messageExpression === ''
        ? []
        : checker.check(`${field}.messageExpression`, messageExpression)),
    ];
  });
}

class TypeChecker {
  /** What expressions can name, for each kind. */
  readonly #kinds: readonly (readonly [GroupVersionKind, AdmissionVariables])[];

  constructor({ spec }: ValidatingAdmissionPolicy, catalog: Catalog, unique: number) {
    const { apiVersion = '', kind = '' } = spec?.paramKind ?? {};
    const hasParams = spec?.paramKind !== undefined;
    const paramInfo = catalog
      .resources(parseApiVersion(apiVersion).group, parseApiVersion(apiVersion).version)
      .find((info) => info.kind === kind);
    const params = typeOfKind(paramInfo, unique);
    const rules = spec?.matchConstraints?.resourceRules ?? [];
    this.#kinds = matchedKinds(rules, catalog).map((info) => {
      const known = { object: typeOfKind(info, unique), params };
      const variables = new Map<string, Type>();
      const given = { hasParams, hasAuthorizer: true, known, variables };
      for (const { name, expression } of spec?.variables ?? []) {
        const type = checkAdmission(expression, given);
        variables.set(name, typeof type === 'string' ? DYN : variableType(type));
      }
      return [info, given];
    });
  }

  check(fieldRef: string, expression: string): ExpressionWarning[] {
    const faults = this.#kinds.flatMap(([{ group, version, kind }, variables]) => {
      const result = checkAdmission(expression, variables);
      return typeof result === 'string' ? [`${group}/${version}, Kind=${kind}: ${result}\n`] : [];
    });
    return faults.length === 0 ? [] : [{ fieldRef, warning: faults.join('\n') }];
  }
}

/** Returns the kinds that rules name, without wildcards and subresources, in order. */
function matchedKinds(rules: readonly NamedRuleWithOperations[], catalog: Catalog): ResourceInfo[] {
  const found = new Map<string, ResourceInfo>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue;
    const wanted = resources.filter((name) => !/[*/]/.test(name));
    const kinds = apiGroups
      .toSorted(compareStrings)
      .flatMap((group) =>
        apiVersions
          .toSorted(compareStrings)
          .flatMap((version) =>
            wanted
              .toSorted(compareStrings)
              .flatMap((resource) => resourcesFor(catalog, group, version, resource)),
          ),
      );
    for (const info of kinds.slice(0, MOST_KINDS)) {
      found.set(`${info.group}/${info.version}/${info.kind}`, info);
    }
    // One rule with that many ends the search.
    if (kinds.length >= MOST_KINDS) break;
  }
  return [...found.values()].toSorted(
    (left, right) =>
      compareStrings(left.group, right.group) ||
      compareStrings(left.version, right.version) ||
      compareStrings(left.kind, right.kind),
  );
}

/** The empty group stands for all of them, as for the mapper of a real server. */
function resourcesFor(
  catalog: Catalog,
  group: string,
  version: string,
  resource: string,
): ResourceInfo[] {
  const groups =
    group === ''
      ? catalog.groupVersions().filter((one) => one.version === version)
      : [{ group, version }];
  return groups.flatMap((one) => catalog.served(one.group, version, resource)?.info ?? []);
}

function typeOfKind(info: ResourceInfo | undefined, unique: number): Type {
  if (info === undefined) return DYN;
  return typeOfSchema(info.schema, `${info.kind}${unique}`, new Set()) ?? DYN;
}

/** Returns the type of a schema; undefined for values that expressions cannot use. */
function typeOfSchema(schema: Schema, name: string, around: ReadonlySet<Schema>): Type | undefined {
  switch (schema.special) {
    case 'int-or-string':
      return DYN;
    case 'time':
    case 'micro-time':
      return TIMESTAMP;
    case 'bytes':
      return BYTES;
    case 'fields-v1':
      return emptyStruct(name);
    case 'raw':
      // Raw JSON is an object, unless it is a value in a schema.
      return schema.id?.endsWith('.JSON') === true ? undefined : emptyStruct(name);
    case undefined:
      break;
    default:
      return undefined;
  }
  switch (schema.type) {
    case 'array': {
      const item = schema.items && typeOfSchema(schema.items, `${name}.@idx`, around);
      return item && listOf(item);
    }
    case 'object':
      return objectType(schema, name, around);
    case 'string':
      return textType(schema.format);
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    default:
      return undefined;
  }
}

function emptyStruct(name: string): Type {
  return { kind: 'struct', name, parameters: [], fields: new Map() };
}

function objectType(schema: Schema, name: string, around: ReadonlySet<Schema>): Type | undefined {
  const { additionalProperties: values, properties } = schema;
  if (values !== undefined && properties === undefined) {
    const value = typeOfSchema(values, `${name}.@elem`, around);
    return value && mapOf(STRING, value);
  }
  // A type in itself has no fields.
  if (around.has(schema)) return emptyStruct(name);
  const within = new Set(around).add(schema);
  const fields = new Map<string, Field>();
  for (const [property, { schema: own }] of properties ?? []) {
    const names = namesOf(property);
    const type = typeOfSchema(own, `${name}.${names[0] ?? property}`, within);
    if (type === undefined) continue;
    for (const known of names) fields.set(known, { type, property });
  }
  return { kind: 'struct', name, parameters: [], fields };
}

function textType(format: string | undefined): Type {
  switch (format) {
    case 'byte':
      return BYTES;
    case 'duration':
      return DURATION;
    case 'date':
    case 'date-time':
      return TIMESTAMP;
    default:
      return STRING;
  }
}
