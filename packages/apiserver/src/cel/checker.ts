import { type Functions, type Overload, TYPE_NAMES } from './declarations.ts';
import {
  type Call,
  type Comprehension,
  type Expression,
  type LiteralValue,
  qualifiedName,
  type Select,
  type StructLiteral,
} from './expression.ts';
import type { Issues } from './issues.ts';
import type { FindStruct, StructType } from './structs.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  formatType,
  INT,
  isDyn,
  isOptional,
  isSameType,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parameter,
  STRING,
  type Type,
  typeMismatch,
  typeOfType,
  UINT,
  unwrapOptional,
} from './types.ts';
import { Uint } from './uint.ts';
import { Bindings, moreGeneral } from './unification.ts';

/** What an expression can use. */
export interface Environment {
  readonly functions: Functions;
  readonly variables: ReadonlyMap<string, Type>;
  readonly findStruct: FindStruct;
}

/** What the checker found out about an expression. */
export interface Checked {
  readonly expression: Expression;
  readonly type: Type;
  readonly types: ReadonlyMap<Expression, Type>;
  /** The overloads that a call can be, of which its arguments choose one. */
  readonly overloads: ReadonlyMap<Call, readonly Overload[]>;
  /** Calls whose target is the namespace of the function, as in `optional.of(1)`. */
  readonly functions: ReadonlySet<Call>;
  /** Selections that are the name of a variable or type, as in `google.protobuf.Duration`. */
  readonly names: ReadonlyMap<Expression, string>;
  readonly structs: ReadonlyMap<StructLiteral, StructType>;
}

/** Finds the types of an expression and its parts. Faults are added to the issues. */
export function check(expression: Expression, environment: Environment, issues: Issues): Checked {
  return new Checker(environment, issues).run(expression);
}

class Checker {
  readonly #environment: Environment;
  readonly #issues: Issues;
  readonly #bindings = new Bindings();
  readonly #types = new Map<Expression, Type>();
  readonly #overloads = new Map<Call, readonly Overload[]>();
  readonly #functions = new Set<Call>();
  readonly #names = new Map<Expression, string>();
  readonly #structs = new Map<StructLiteral, StructType>();
  /** Variables of macros, innermost last. */
  readonly #scopes: Map<string, Type>[] = [];
  #variableCount = 0;

  constructor(environment: Environment, issues: Issues) {
    this.#environment = environment;
    this.#issues = issues;
  }

  run(expression: Expression): Checked {
    this.#check(expression);
    for (const [part, type] of this.#types) {
      this.#types.set(part, this.#bindings.substitute(type, true));
    }
    return {
      expression,
      type: this.#typeOf(expression),
      types: this.#types,
      overloads: this.#overloads,
      functions: this.#functions,
      names: this.#names,
      structs: this.#structs,
    };
  }

  #typeOf(expression: Expression): Type {
    return this.#types.get(expression) ?? ERROR;
  }

  #check(expression: Expression): Type {
    const type = this.#find(expression);
    this.#types.set(expression, type);
    return type;
  }

  #find(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'identifier':
        return this.#identifier(expression, expression.name);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression.elements);
      case 'map':
        return this.#map(expression.entries);
      case 'struct':
        return this.#struct(expression);
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #lookUp(given: string): Type | undefined {
    const isAbsolute = given.startsWith('.');
    const name = isAbsolute ? given.slice(1) : given;
    if (!isAbsolute) {
      for (const scope of this.#scopes.toReversed()) {
        const found = scope.get(name);
        if (found !== undefined) return found;
      }
    }
    const variable = this.#environment.variables.get(name);
    if (variable !== undefined) return variable;
    const type = TYPE_NAMES.get(name) ?? this.#environment.findStruct(name)?.type;
    return type === undefined ? undefined : typeOfType(type);
  }

  #identifier(expression: Expression, name: string): Type {
    const type = this.#lookUp(name);
    if (type === undefined) return this.#undeclared(expression.at, name);
    this.#names.set(expression, name.replace(/^\./, ''));
    return type;
  }

  #undeclared(at: number, name: string): Type {
    this.#issues.add(at, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  #select(select: Select): Type {
    const name = qualifiedName(select);
    const type = name === undefined ? undefined : this.#lookUp(name);
    if (name !== undefined && type !== undefined) {
      this.#names.set(select, name);
      return type;
    }
    const field = this.#field(select.at, select.operand, select.field, false);
    return select.isTest ? BOOL : this.#bindings.substitute(field);
  }

  #field(at: number, operand: Expression, field: string, isWrapped: boolean): Type {
    const type = this.#bindings.substitute(this.#check(operand));
    const target = unwrapOptional(type);
    const found = this.#fieldOf(at, target, field);
    return isWrapped || isOptional(type) ? optionalOf(found) : found;
  }

  #fieldOf(at: number, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.parameters[1] ?? DYN;
      case 'struct': {
        if (target.isOpen === true) return DYN;
        // Values of libraries have methods only.
        if (target.fields === undefined) {
          this.#issues.add(at, `unexpected failed resolution of '${target.name}'`);
          return ERROR;
        }
        const found = target.fields.get(field);
        if (found === undefined) this.#issues.add(at, `undefined field '${field}'`);
        return found?.type ?? ERROR;
      }
      case 'param':
        this.#bindings.isAssignable(DYN, target);
        return DYN;
      case 'dyn':
      case 'error':
        return DYN;
      default:
        this.#issues.add(at, `type '${formatType(target)}' does not support field selection`);
        return DYN;
    }
  }

  #call(call: Call): Type {
    const { name, target, args, at } = call;
    const [operand, field] = args;
    if (name === '_?._' && operand !== undefined && field?.kind === 'literal') {
      const { value } = field;
      this.#types.set(field, STRING);
      const type = this.#field(at, operand, typeof value === 'string' ? value : '', true);
      return this.#bindings.substitute(type);
    }
    for (const arg of args) this.#check(arg);
    if (target === undefined) return this.#resolve(call, name.replace(/^\./, ''), undefined);
    const prefix = qualifiedName(target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${name}`;
    if (qualified !== undefined && this.#environment.functions.has(qualified)) {
      this.#functions.add(call);
      return this.#resolve(call, qualified, undefined);
    }
    this.#check(target);
    return this.#resolve(call, name, target);
  }

  #resolve(call: Call, name: string, target: Expression | undefined): Type {
    const overloads = this.#environment.functions.get(name);
    if (overloads === undefined) return this.#undeclared(call.at, name);
    if (name === '_&&_' || name === '_||_') return this.#logical(call, overloads);
    const args = target === undefined ? call.args : [target, ...call.args];
    const types = args.map((arg) => this.#typeOf(arg));
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of overloads) {
      if (overload.isMember !== (target !== undefined)) continue;
      const fresh = this.#instantiate(overload);
      if (!this.#bindings.areAssignable(types, fresh.parameters)) continue;
      matching.push(overload);
      const own = this.#bindings.substitute(fresh.result);
      if (result === undefined) result = own;
      else if (!isDyn(result) && !isSameType(own, result)) result = DYN;
    }
    if (result === undefined) return this.#noOverload(call, name, types, target !== undefined);
    this.#overloads.set(call, matching);
    return result;
  }

  #logical(call: Call, overloads: readonly Overload[]): Type {
    this.#overloads.set(call, overloads);
    let result = BOOL;
    for (const arg of call.args) {
      const type = this.#typeOf(arg);
      if (this.#bindings.isAssignable(type, BOOL)) continue;
      this.#mismatch(arg.at, BOOL, type);
      result = ERROR;
    }
    return result;
  }

  #noOverload(call: Call, name: string, types: readonly Type[], isMember: boolean): Type {
    const known = types.map((type) => formatType(this.#bindings.substitute(type, true)));
    const [target = '', ...rest] = known;
    const signature = isMember ? `${target}.(${rest.join(', ')})` : `(${known.join(', ')})`;
    this.#issues.add(call.at, `found no matching overload for '${name}' applied to '${signature}'`);
    return ERROR;
  }

  /** The types of an overload, with type parameters of their own. */
  #instantiate(overload: Overload): Pick<Overload, 'parameters' | 'result'> {
    const names = new Map<string, Type>();
    const fresh = (type: Type): Type => {
      if (type.kind === 'param') {
        const known = names.get(type.name) ?? this.#freshParameter();
        names.set(type.name, known);
        return known;
      }
      if (type.parameters.length === 0) return type;
      return { ...type, parameters: type.parameters.map((part) => fresh(part)) };
    };
    return {
      parameters: overload.parameters.map((type) => fresh(type)),
      result: fresh(overload.result),
    };
  }

  #freshParameter(): Type {
    return parameter(`_var${this.#variableCount++}`);
  }

  #mismatch(at: number, expected: Type, found: Type): void {
    this.#issues.add(at, typeMismatch(expected, found));
  }

  #list(elements: readonly { readonly value: Expression; readonly isOptional: boolean }[]): Type {
    let joined: Type | undefined;
    for (const { value, isOptional: isWrapped } of elements) {
      joined = this.#join(joined, this.#element(value, isWrapped));
    }
    return listOf(joined ?? this.#freshParameter());
  }

  /** The type of an element; one with a question mark is an optional. */
  #element(value: Expression, isWrapped: boolean): Type {
    const type = this.#check(value);
    if (!isWrapped) return type;
    const inner = unwrapOptional(type);
    if (!isOptional(type) && !isDyn(type)) this.#mismatch(value.at, optionalOf(inner), inner);
    return inner;
  }

  /** The type of what has one of two types; that literals mix none is checked afterwards. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#bindings.isAssignable(previous, current) ? moreGeneral(previous, current) : DYN;
  }

  #map(
    entries: readonly {
      readonly key: Expression;
      readonly value: Expression;
      readonly isOptional: boolean;
    }[],
  ): Type {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, isOptional: isWrapped } of entries) {
      keys = this.#join(keys, this.#check(key));
      values = this.#join(values, this.#element(value, isWrapped));
    }
    return mapOf(keys ?? this.#freshParameter(), values ?? this.#freshParameter());
  }

  #struct(literal: StructLiteral): Type {
    const { at, typeName, fields } = literal;
    const named = this.#lookUp(typeName);
    if (named === undefined) return this.#undeclared(at, typeName.replace(/^\./, ''));
    if (named.kind !== 'type') {
      this.#issues.add(at, `'${formatType(named)}' is not a type`);
      return ERROR;
    }
    const struct = this.#environment.findStruct(typeName.replace(/^\./, ''));
    if (struct === undefined) {
      this.#issues.add(at, `'${formatType(unwrapType(named))}' is not a message type`);
    } else {
      this.#structs.set(literal, struct);
    }
    for (const { value, name, at: place, isOptional: isWrapped } of fields) {
      const type = this.#element(value, isWrapped);
      if (struct === undefined) continue;
      const expected = struct.fieldType(name);
      if (expected === undefined) this.#issues.add(place, `undefined field '${name}'`);
      else if (!this.#bindings.isAssignable(expected, type)) {
        this.#issues.add(
          place,
          `expected type of field '${name}' is '${formatType(expected)}' but provided type is '${formatType(type)}'`,
        );
      }
    }
    return struct?.type ?? ERROR;
  }

  #comprehension(loop: Comprehension): Type {
    const range = this.#bindings.substitute(this.#check(loop.range));
    const accumulator = this.#check(loop.initial);
    const [first, second] = this.#variables(loop, range);
    this.#scopes.push(new Map([[loop.accumulator, accumulator]]));
    const inner = new Map([[loop.variable, first]]);
    if (loop.variable2 !== undefined) inner.set(loop.variable2, second);
    this.#scopes.push(inner);
    this.#assert(loop.condition, BOOL);
    this.#assert(loop.step, accumulator);
    this.#scopes.pop();
    const result = this.#check(loop.result);
    this.#scopes.pop();
    return this.#bindings.substitute(result);
  }

  #variables(loop: Comprehension, range: Type): readonly [Type, Type] {
    const [first = DYN, second = DYN] = range.parameters;
    const isPair = loop.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return isPair ? [INT, first] : [first, DYN];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
      case 'param':
        this.#bindings.isAssignable(DYN, range);
        return [DYN, DYN];
      default: {
        const problem = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        this.#issues.add(loop.range.at, `expression of type '${formatType(range)}' ${problem}`);
        return [ERROR, ERROR];
      }
    }
  }

  #assert(expression: Expression, expected: Type): void {
    const type = this.#check(expression);
    if (!this.#bindings.isAssignable(expected, type)) this.#mismatch(expression.at, expected, type);
  }
}

function unwrapType({ parameters: [of] }: Type): Type {
  return of ?? DYN;
}

function literalType(value: LiteralValue): Type {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint') return INT;
  if (typeof value === 'number') return DOUBLE;
  if (typeof value === 'string') return STRING;
  return value instanceof Uint ? UINT : BYTES;
}
