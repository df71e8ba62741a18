// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/compile.go
import { CelError } from '../../../cel/cel-error.ts';
import { compile, extended } from '../../../cel/environment.ts';
import { Issues } from '../../../cel/issues.ts';
import { AUTHORIZER, RESOURCE_CHECK } from '../../../cel/library/authorization.ts';
import { findPatchStruct, PATCHES } from '../../../cel/library/patches.ts';
import { plan, type Program } from '../../../cel/program.ts';
import {
  BOOL,
  DYN,
  formatType,
  INT,
  isSameType,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../../cel/types.ts';
import { CelMap, Failure, type Value } from '../../../cel/values.ts';

/** What one expression of admission may cost. */
const EXPRESSION_LIMIT = 1_000_000;

/** Variables that not all expressions have. */
export interface AdmissionVariables {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Whether the expression can make objects and patches, as that of a mutation. */
  readonly hasPatchTypes?: boolean | undefined;
  /** Those that a policy defines, and their types. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
  /** The types of objects and parameters, if they are known. */
  readonly known?: { readonly object: Type; readonly params: Type } | undefined;
}

/** A compiled expression, or what is wrong with it. */
export interface AdmissionExpression {
  readonly source: string;
  readonly problem?: string | undefined;
  /** Whether the problem shows only after the check. */
  readonly isInternal?: boolean | undefined;
  readonly program?: Program | undefined;
  readonly type: Type;
}

function struct(name: string, fields: Readonly<Record<string, Type>>): Type {
  const entries = Object.entries(fields).map(
    ([property, type]) => [property, { property, type }] as const,
  );
  return { kind: 'struct', name: `kubernetes.${name}`, parameters: [], fields: new Map(entries) };
}

const TEXTS = mapOf(STRING, STRING);

const GVK = struct('GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const GVR = struct('GroupVersionResource', { group: STRING, version: STRING, resource: STRING });

const REQUEST = struct('AdmissionRequest', {
  kind: GVK,
  resource: GVR,
  subResource: STRING,
  requestKind: GVK,
  requestResource: GVR,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: struct('UserInfo', {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
});

const NAMESPACE = struct('Namespace', {
  metadata: struct('NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: TEXTS,
    annotations: TEXTS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: struct('NamespaceSpec', { finalizers: listOf(STRING) }),
  status: struct('NamespaceStatus', {
    conditions: listOf(
      struct('NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});

function typesOf(given: AdmissionVariables): Map<string, Type> {
  const { hasParams, hasAuthorizer, variables, known } = given;
  const types = new Map<string, Type>([
    ['object', known?.object ?? DYN],
    ['oldObject', known?.object ?? DYN],
    ['namespaceObject', NAMESPACE],
    ['request', REQUEST],
  ]);
  if (hasParams) types.set('params', known?.params ?? DYN);
  if (hasAuthorizer) {
    types.set('authorizer', AUTHORIZER);
    // A real server forgets it when it checks types.
    if (known === undefined) types.set('authorizer.requestResource', RESOURCE_CHECK);
  }
  if (variables !== undefined) {
    types.set('variables', struct('variables', Object.fromEntries(variables)));
  }
  return types;
}

const MUTATION = extended(PATCHES, findPatchStruct);

/** Compiles an expression of a webhook or policy, of one of these types. None: any type is fine. */
export function compileAdmission(
  source: string,
  variables: AdmissionVariables,
  expected: readonly Type[],
): AdmissionExpression {
  const extension = variables.hasPatchTypes === true ? MUTATION : undefined;
  const checked = compile(source, typesOf(variables), extension);
  if (checked instanceof Issues) {
    return { source, type: DYN, problem: `compilation failed: ${checked.toString()}` };
  }
  const { type } = checked;
  if (expected.length > 0 && !expected.some((one) => isSameType(one, type))) {
    const names = expected.map((one) => (one.kind === 'null' ? one.name : formatType(one)));
    const wanted = names.length === 1 ? names.join('') : `one of [${names.join(' ')}]`;
    return { source, type, problem: `must evaluate to ${wanted} but got ${formatType(type)}` };
  }
  const program = plan(checked);
  if (program instanceof Failure) {
    const problem = `program instantiation failed: ${program.message}`;
    return { source, type, problem, isInternal: true };
  }
  return { source, type, program };
}

/** Checks the types of an expression. Returns its type, or the issues in words. */
export function checkAdmission(source: string, variables: AdmissionVariables): Type | string {
  const checked = compile(source, typesOf(variables));
  return checked instanceof Issues ? checked.toString() : checked.type;
}

/** Compiles the variables of a policy, each of which can use those before it. */
export function compileVariables(
  definitions: readonly { readonly name?: string; readonly expression?: string }[],
  variables: AdmissionVariables,
): Map<string, AdmissionExpression> {
  const compiled = new Map<string, AdmissionExpression>();
  for (const { name = '', expression = '' } of definitions) {
    const known = { ...variables, variables: variableTypes(compiled) };
    compiled.set(name, compileAdmission(expression, known, []));
  }
  return compiled;
}

/** Returns the types of compiled variables. What is neither plain, a list nor a map is dynamic. */
export function variableTypes(
  compiled: ReadonlyMap<string, AdmissionExpression>,
): Map<string, Type> {
  return new Map(Array.from(compiled, ([name, { type }]) => [name, variableType(type)] as const));
}

/** Returns the type of a variable by that of its expression. */
export function variableType(type: Type): Type {
  const [first = DYN, second = DYN] = type.parameters;
  switch (type.kind) {
    case 'list':
      return listOf(variableType(first));
    case 'map':
      return mapOf(variableType(first), variableType(second));
    case 'opaque':
    case 'struct':
    case 'type':
      return DYN;
    default:
      return type;
  }
}

/** What is left to spend on the expressions about one request. */
export class Budget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Evaluates an expression. Undefined if the budget does not suffice. */
  evaluate(
    { program, problem }: AdmissionExpression,
    values: readonly (readonly [string, Value])[],
  ): Value | undefined {
    if (program === undefined) return new Failure(`compilation error: ${problem ?? ''}`);
    try {
      const { value, cost } = program.run(values, EXPRESSION_LIMIT);
      this.#left -= cost;
      return this.#left < 0 ? undefined : value;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      this.#left -= EXPRESSION_LIMIT;
      return this.#left < 0 ? undefined : new Failure(error.message);
    }
  }
}

/** The variable `variables`: each is evaluated when it is first read. */
export class PolicyVariables extends CelMap {
  readonly #compiled: ReadonlyMap<string, AdmissionExpression>;
  readonly #values: readonly (readonly [string, Value])[];
  readonly #budget: Budget;
  readonly #known = new Map<string, Value>();

  constructor(
    compiled: ReadonlyMap<string, AdmissionExpression>,
    values: readonly (readonly [string, Value])[],
    budget: Budget,
  ) {
    super();
    this.#compiled = compiled;
    this.#values = values;
    this.#budget = budget;
  }

  get size(): number {
    return this.#compiled.size;
  }

  get(key: Value): Value | undefined {
    const name = typeof key === 'string' ? key : '';
    const known = this.#known.get(name);
    const expression = this.#compiled.get(name);
    if (known !== undefined || expression === undefined) return known;
    const found = this.#budget.evaluate(expression, [...this.#values, ['variables', this]]);
    const value = named(name, found ?? new Failure('running out of cost budget'));
    this.#known.set(name, value);
    return value;
  }

  keys(): Iterable<Value> {
    return this.#compiled.keys();
  }
}

function named(name: string, value: Value): Value {
  if (!(value instanceof Failure)) return value;
  return new Failure(`composited variable "${name}" fails to evaluate: ${value.message}`);
}
