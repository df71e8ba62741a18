import type { ValidationRule } from 'client-ts/api/apiextensions/v1';
import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { compile } from '../cel/environment.ts';
import { estimateCost } from '../cel/estimate.ts';
import { Issues } from '../cel/issues.ts';
import { CelError } from '../cel/cel-error.ts';
import { plan, type Program } from '../cel/program.ts';
import { optionalOf, type Type } from '../cel/types.ts';
import { Failure, Optional, type Value } from '../cel/values.ts';
import type { Schema } from '../schema/schema.ts';
import { markFloats, type ValuePath } from '../schema/written-floats.ts';
import {
  duplicate,
  duplicateOmitValue,
  type FieldError,
  forbidden,
  invalid,
  invalidOmitValue,
  required,
} from '../validation/field-error.ts';
import { stepName } from './pruning.ts';
import { ruleType, type RuleType, sizesOf, withMetadata } from './rule-types.ts';
import { ruleValue } from './rule-values.ts';
import { correlatedItem, isUnchanged } from './value-validator.ts';

/** What one expression and all expressions about an object may cost. */
const EXPRESSION_LIMIT = 1_000_000;
const OBJECT_LIMIT = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;

/** An expression that can be evaluated, or what is wrong with it. */
export interface CompiledExpression {
  readonly problem?: string | undefined;
  readonly program?: Program | undefined;
  /** The most that an evaluation can cost. */
  readonly maxCost: bigint;
}

/** A rule of a schema. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly expression: CompiledExpression;
  readonly message?: CompiledExpression | undefined;
  /** Whether it compares with the old object. */
  readonly usesOldSelf: boolean;
}

/** Compiles the rules of one schema, without those inside of it. */
export function compileRules(rules: readonly ValidationRule[], type: RuleType): CompiledRule[] {
  return rules.map((rule) => {
    const old = rule.optionalOldSelf === true ? optionalOf(type.type) : type.type;
    const variables = new Map([
      ['self', type.type],
      ['oldSelf', old],
    ]);
    const sizes = sizesOf(type);
    const { names, ...expression } = compileOne(rule.rule, variables, sizes, 'bool', '');
    const { messageExpression = '' } = rule;
    const message =
      messageExpression === '' || expression.problem !== undefined
        ? undefined
        : compileOne(messageExpression, variables, sizes, 'string', 'messageExpression ');
    return { rule, expression, message, usesOldSelf: names?.has('oldSelf') === true };
  });
}

function compileOne(
  source: string,
  variables: ReadonlyMap<string, Type>,
  sizes: ReturnType<typeof sizesOf>,
  kind: 'bool' | 'string',
  prefix: string,
): CompiledExpression & { readonly names?: ReadonlySet<string> } {
  if (source.trim() === '') return { maxCost: 0n };
  const checked = compile(source, variables);
  if (checked instanceof Issues) {
    return { problem: `${prefix}compilation failed: ${String(checked)}`, maxCost: 0n };
  }
  if (checked.type.kind !== kind) {
    const what = prefix === '' ? 'cel expression' : 'messageExpression';
    return { problem: `${what} must evaluate to a ${kind}`, maxCost: 0n };
  }
  const names = new Set(checked.names.values());
  const program = plan(checked);
  if (program instanceof Failure) {
    const what = prefix === '' ? 'program' : 'messageExpression';
    return { problem: `${what} instantiation failed: ${program.message}`, maxCost: 0n, names };
  }
  return { program, maxCost: estimateCost(checked, sizes).max, names };
}

/** The rules of a schema and of the schemas in it, compiled when they are first needed. */
interface RuleNode {
  readonly schema: Schema;
  readonly rules: readonly CompiledRule[];
  readonly allOf: readonly RuleNode[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly values: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

const nodes = new WeakMap<Schema, { readonly node: RuleNode | undefined }>();

function rootNode(schema: Schema): RuleNode | undefined {
  let known = nodes.get(schema);
  if (known === undefined) {
    known = { node: nodeOf(schema, schema, true) };
    nodes.set(schema, known);
  }
  return known.node;
}

/** `rules` has the rules for values of `schema`; it is the schema itself, or a clause of its `allOf`. */
function nodeOf(rules: Schema, schema: Schema, isRoot: boolean): RuleNode | undefined {
  const { celRules = [], allOf = [] } = rules.validation ?? {};
  const inside = (part: Schema | undefined, own: Schema | undefined): RuleNode | undefined =>
    part && own && nodeOf(part, own, own.embeddedResource === true);
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of rules.properties ?? []) {
    const node = inside(property.schema, schema.properties?.get(name)?.schema);
    if (node !== undefined) properties.set(name, node);
  }
  const type = celRules.length === 0 ? undefined : ruleType(schema, isRoot);
  const node: RuleNode = {
    schema: isRoot ? withMetadata(schema) : schema,
    rules: type ? compileRules(celRules as unknown as readonly ValidationRule[], type) : [],
    allOf: allOf.flatMap((clause) => nodeOf(clause, schema, isRoot) ?? []),
    properties,
    values: inside(rules.additionalProperties, schema.additionalProperties),
    items: inside(rules.items, schema.items),
  };
  const isEmpty =
    node.rules.length === 0 &&
    node.allOf.length === 0 &&
    properties.size === 0 &&
    node.values === undefined &&
    node.items === undefined;
  return isEmpty ? undefined : node;
}

/** What the rules say about an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Failures of parts that an update did not change, which do not refuse it. */
  readonly tolerated: readonly FieldError[];
}

/** Evaluates all rules of a schema. With `old`, failures in unchanged parts are tolerated. */
export function checkRules(
  object: JsonObject,
  schema: Schema,
  old: JsonObject | undefined,
  floats: readonly ValuePath[] = [],
): RuleFindings {
  const node = rootNode(schema);
  if (node === undefined) return { errors: [], tolerated: [] };
  const evaluation = new Evaluation();
  const marked = markFloats(object, floats);
  evaluation.visit(node, marked, old, '', correlate(object, old, schema));
  return evaluation;
}

/** Evaluates the rules of a schema for its default, as one that was there before and as a new one. */
export function checkDefaultRules(
  value: JsonValue,
  schema: Schema,
  field: string,
): readonly FieldError[] {
  const node = nodeOf(schema, schema, schema.embeddedResource === true);
  if (node === undefined) return [];
  for (const old of [value, undefined]) {
    const evaluation = new Evaluation();
    evaluation.visit(node, value, old, field, { isUnchanged: false });
    if (evaluation.errors.length > 0) return evaluation.errors;
  }
  return [];
}

/** What is known about the value before an update. */
interface Correlation {
  /** The old value of the same place; undefined if it is unknown. */
  readonly old?: JsonValue | undefined;
  /** Whether the value, or the nearest one around it with a known old value, is as it was. */
  readonly isUnchanged: boolean;
}

class Evaluation implements RuleFindings {
  readonly errors: FieldError[] = [];
  readonly tolerated: FieldError[] = [];
  /** What may still be spent; less than 0 when evaluation has ended. */
  #budget = OBJECT_LIMIT;

  visit(
    node: RuleNode,
    value: JsonValue,
    old: JsonValue | undefined,
    field: string,
    correlation: Correlation,
  ): void {
    if (this.#budget < 0 || value === null) return;
    this.#evaluate(node, value, old ?? undefined, field, correlation);
    for (const clause of node.allOf) {
      this.visit(clause, value, old, field, { isUnchanged: correlation.isUnchanged });
    }
    if (Array.isArray(value)) this.#visitItems(node, value, old, field, correlation);
    else if (isJsonObject(value)) this.#visitFields(node, value, old, field, correlation);
  }

  #visitItems(
    { items, schema }: RuleNode,
    list: readonly JsonValue[],
    old: JsonValue | undefined,
    field: string,
    correlation: Correlation,
  ): void {
    if (items === undefined) return;
    for (const [index, item] of list.entries()) {
      const before = schema.listType === 'map' ? correlatedItem(item, schema, old) : undefined;
      const place = `${field}[${index}]`;
      this.visit(items, item, before, place, inner(correlation, item, before, items.schema));
    }
  }

  #visitFields(
    { properties, values }: RuleNode,
    object: JsonObject,
    old: JsonValue | undefined,
    field: string,
    correlation: Correlation,
  ): void {
    for (const [key, value = null] of Object.entries(object)) {
      const node = properties.get(key) ?? values;
      if (node === undefined) continue;
      const before = isJsonObject(old) ? getKey(old, key) : undefined;
      const path = properties.has(key) ? child(field, key) : `${field}[${stepName(key)}]`;
      this.visit(node, value, before, path, inner(correlation, value, before, node.schema));
    }
  }

  #evaluate(
    { rules, schema }: RuleNode,
    value: JsonValue,
    old: JsonValue | undefined,
    field: string,
    correlation: Correlation,
  ): void {
    if (rules.length === 0) return;
    const self = ruleValue(value, schema);
    const oldSelf = old === undefined ? undefined : ruleValue(old, schema);
    for (const rule of rules) {
      if (this.#budget < 0) return;
      if (this.#budget === 0) {
        this.#stop(field, schema, OUT_OF_BUDGET);
        return;
      }
      this.#apply(rule, { self, oldSelf, value, schema, field, correlation });
    }
  }

  #apply(compiled: CompiledRule, context: RuleContext): void {
    const { rule, expression, usesOldSelf } = compiled;
    const { oldSelf, schema } = context;
    const field = atRoot(context.field);
    if (expression.problem !== undefined) {
      this.errors.push(
        invalid(field, schema.type ?? '', `rule compile error: ${expression.problem}`),
      );
      return;
    }
    const isOptional = rule.optionalOldSelf === true;
    if (expression.program === undefined) return;
    if (usesOldSelf && oldSelf === undefined && !isOptional) return;
    const variables: [string, Value][] = [['self', context.self]];
    if (isOptional)
      variables.push(['oldSelf', oldSelf === undefined ? Optional.NONE : new Optional(oldSelf)]);
    else if (oldSelf !== undefined) variables.push(['oldSelf', oldSelf]);
    const outcome = this.#run(expression.program, variables);
    if (outcome === undefined) {
      this.#stop(field, schema, OUT_OF_BUDGET);
      return;
    }
    if (outcome instanceof Failure) this.#failed(outcome.message, rule, context);
    else if (outcome !== true) this.#refused(compiled, variables, context);
  }

  /** Evaluates an expression; undefined if the budget does not suffice. */
  #run(program: Program, variables: readonly (readonly [string, Value])[]): Value | undefined {
    try {
      const { value, cost } = program.run(variables, EXPRESSION_LIMIT);
      if (cost > this.#budget) return undefined;
      this.#budget -= cost;
      return value;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      if (EXPRESSION_LIMIT > this.#budget) return undefined;
      return new Failure(error.message);
    }
  }

  #failed(message: string, rule: ValidationRule, { schema, field: place }: RuleContext): void {
    const field = atRoot(place);
    if (message.startsWith('no such overload')) {
      const what =
        'call arguments did not match a supported operator, function or macro signature for rule';
      this.errors.push(invalid(field, schema.type ?? '', `'${message}': ${what}: ${nameOf(rule)}`));
    } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
      const what =
        'no further validation rules will be run due to call cost exceeds limit for rule';
      this.#stop(field, schema, `'${message}': ${what}: ${nameOf(rule)}`);
    } else {
      this.errors.push(
        invalid(field, schema.type ?? '', `${message} evaluating rule: ${nameOf(rule)}`),
      );
    }
  }

  #refused(
    { rule, message, usesOldSelf }: CompiledRule,
    variables: readonly (readonly [string, Value])[],
    context: RuleContext,
  ): void {
    const { schema, value, correlation } = context;
    const path =
      rule.fieldPath === undefined || rule.fieldPath === ''
        ? ''
        : fieldPathText(rule.fieldPath, schema);
    const field = atRoot(path === '' ? context.field : child(context.field, path));
    const into = !usesOldSelf && correlation.isUnchanged ? this.tolerated : this.errors;
    const text =
      message?.program === undefined ? undefined : this.#message(message.program, variables);
    if (text instanceof Failure) {
      into.push(invalid(field, schema.type ?? '', text.message));
      this.#budget = -1;
      return;
    }
    const detail =
      text ??
      (rule.message === undefined || rule.message === ''
        ? `failed rule: ${nameOf(rule)}`
        : rule.message.trim());
    const isWhole = schema.type === 'object' || schema.type === 'array';
    into.push(errorFor(rule.reason, field, isWhole ? undefined : value, detail));
  }

  /** Evaluates a message. Undefined if there is none; a failure if the budget does not suffice. */
  #message(
    program: Program,
    variables: readonly (readonly [string, Value])[],
  ): Failure | string | undefined {
    const value = this.#run(program, variables);
    if (value === undefined) {
      return new Failure(
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      );
    }
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    const isUsable =
      text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;
    return isUsable ? text : undefined;
  }

  #stop(field: string, { type }: Schema, detail: string): void {
    this.errors.push(invalid(atRoot(field), type, detail));
    this.#budget = -1;
  }
}

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

interface RuleContext {
  readonly self: Value;
  readonly oldSelf: Value | undefined;
  readonly value: JsonValue;
  readonly schema: Schema;
  readonly field: string;
  readonly correlation: Correlation;
}

function nameOf({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

/** The root has no path. */
function atRoot(field: string): string {
  return field === '' ? '<nil>' : field;
}

function child(field: string, key: string): string {
  return field === '' ? key : `${field}.${key}`;
}

/** `.a['b']` as it stands in errors: `a[b]` for the key of a map, `a.b` for a field. */
function fieldPathText(path: string, root: Schema): string {
  let schema: Schema | undefined = root;
  let text = '';
  for (const [, bare, quoted = ''] of path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name = bare ?? quoted.replace(/\\(.)/g, '$1');
    const property: Schema | undefined = schema?.properties?.get(name)?.schema;
    text = property === undefined ? `${text}[${name}]` : child(text, name);
    schema = property ?? schema?.additionalProperties;
  }
  return text;
}

function errorFor(
  reason: string | undefined,
  field: string,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return value === undefined ? duplicateOmitValue(field) : duplicate(field, value);
    default:
      return value === undefined ? invalidOmitValue(field, detail) : invalid(field, value, detail);
  }
}

function correlate(value: JsonValue, old: JsonValue | undefined, schema: Schema): Correlation {
  return { old, isUnchanged: old !== undefined && isUnchanged(value, old, schema) };
}

function inner(
  outer: Correlation,
  value: JsonValue,
  old: JsonValue | undefined,
  schema: Schema,
): Correlation {
  if (outer.old === undefined || old === undefined) return { isUnchanged: outer.isUnchanged };
  return correlate(value, old, schema);
}
