import type { JSONSchemaProps, ValidationRule } from 'client-ts/api/apiextensions/v1';
import { type FieldError, forbidden, invalid } from '../validation/field-error.ts';
import { maxCardinality, ruleType } from './rule-types.ts';
import { type CompiledRule, compileRules } from './rules.ts';
import { itemSchemas, named, schemaOrBool } from './schema-walk.ts';
import { structuralSchema } from './structural.ts';

/** What a rule, and all rules of a CRD, may cost at most. */
const RULE_LIMIT = 10_000_000n;
const DEFINITION_LIMIT = 100_000_000n;
const UNBOUNDED = 2n ** 64n - 1n;

/** Compiles the rules of a CRD and estimates their costs. The schema must be valid otherwise. */
export function validateRules(schema: JSONSchemaProps, field: string): FieldError[] {
  const costs: RuleCost[] = [];
  const errors = visit(schema, { field, isRoot: true, cardinality: 1n, costs });
  const total = capped(costs.reduce((sum, { cost }) => sum + cost, 0n));
  if (total <= DEFINITION_LIMIT) return errors;
  const expensive = costs
    .filter(({ cost }) => cost >= DEFINITION_LIMIT / 100n)
    .toSorted((left, right) => Number(right.cost - left.cost))
    .slice(0, 4);
  const share =
    'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...errors,
    ...expensive.map((one) => forbidden(one.field, share)),
    forbidden(field, tooExpensive(what, total, DEFINITION_LIMIT)),
  ];
}

interface RuleCost {
  readonly field: string;
  readonly cost: bigint;
}

interface Place {
  readonly field: string;
  readonly isRoot: boolean;
  /** How many values there can be at most; undefined if a list or map around them has no limit. */
  readonly cardinality: bigint | undefined;
  /** The list around it whose elements have no counterpart before an update. */
  readonly uncorrelated?: string | undefined;
  readonly costs: RuleCost[];
}

function visit(schema: JSONSchemaProps, place: Place): FieldError[] {
  const { field, cardinality } = place;
  const most = maxElements(schema);
  const within =
    cardinality === undefined || most === undefined ? undefined : capped(cardinality * most);
  const inner = { ...place, isRoot: false, cardinality: within };
  const isKeyed = schema['x-kubernetes-list-type'] === 'map';
  const inItems = isKeyed ? inner : { ...inner, uncorrelated: field };
  return [
    ...[...schemaOrBool(schema, 'additionalProperties'), ...named(schema, 'properties')].flatMap(
      (part) => visit(part.schema, { ...inner, field: field + part.path }),
    ),
    ...itemSchemas(schema).flatMap((part) =>
      visit(part.schema, { ...inItems, field: field + part.path }),
    ),
    ...ownRules(schema, place),
  ];
}

function maxElements(schema: JSONSchemaProps): bigint | undefined {
  const { type, additionalProperties, maxProperties, maxItems } = schema;
  const isMap = type === 'object' && additionalProperties !== undefined;
  if (!isMap && type !== 'array') return 1n;
  const limit = isMap ? maxProperties : maxItems;
  return limit === undefined ? undefined : BigInt(Math.max(limit, 0));
}

function ownRules(schema: JSONSchemaProps, place: Place): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const type = rules.length === 0 ? undefined : ruleType(structuralSchema(schema), isResource);
  if (type === undefined) return [];
  const cardinality = place.cardinality ?? maxCardinality(type);
  return compileRules(rules, type).flatMap((compiled, index) => {
    const field = `${place.field}.x-kubernetes-validations[${index}]`;
    const cost = capped(compiled.expression.maxCost * cardinality);
    return [
      ...ruleErrors(compiled, field, cost, place),
      ...messageErrors(compiled, field, place),
      ...oldSelfErrors(compiled, field, place.uncorrelated),
    ];
  });
}

function ruleErrors(
  { rule, expression }: CompiledRule,
  field: string,
  cost: bigint,
  { costs }: Place,
): FieldError[] {
  const errors: FieldError[] = [];
  costs.push({ field: `${field}.rule`, cost });
  if (cost > RULE_LIMIT) {
    errors.push(forbidden(`${field}.rule`, tooExpensive('estimated rule cost', cost, RULE_LIMIT)));
  }
  if (expression.problem !== undefined) {
    errors.push(invalid(`${field}.rule`, internalForm(rule), expression.problem));
  }
  return errors;
}

function messageErrors(
  { rule, message }: CompiledRule,
  at: string,
  { costs }: Place,
): FieldError[] {
  const field = `${at}.messageExpression`;
  if (message === undefined) return [];
  if (message.problem !== undefined) return [invalid(field, internalForm(rule), message.problem)];
  const { maxCost: cost } = message;
  costs.push({ field, cost });
  if (cost <= RULE_LIMIT) return [];
  return [forbidden(field, tooExpensive('estimated messageExpression cost', cost, RULE_LIMIT))];
}

function oldSelfErrors(
  { rule, usesOldSelf }: CompiledRule,
  field: string,
  uncorrelated: string | undefined,
): FieldError[] {
  if (usesOldSelf && uncorrelated !== undefined) {
    const what = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
    return [invalid(`${field}.rule`, rule.rule, `${what} ${uncorrelated}`)];
  }
  if (usesOldSelf || rule.optionalOldSelf === undefined) return [];
  const detail = 'may not be set if oldSelf is not used in rule';
  return [invalid(`${field}.optionalOldSelf`, rule.optionalOldSelf, detail)];
}

/** A rule as messages of the server quote it: with the names of Go's fields. */
function internalForm(rule: ValidationRule): object {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

function tooExpensive(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const text = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

function capped(cost: bigint): bigint {
  return cost > UNBOUNDED ? UNBOUNDED : cost;
}
