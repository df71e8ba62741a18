import { CelError } from './cel-error.ts';
import type { Checked } from './checker.ts';
import type { Overload } from './declarations.ts';
import { TYPE_NAMES } from './declarations.ts';
import {
  type Call,
  type Comprehension,
  type Expression,
  isBinding,
  type ListLiteral,
  type MapLiteral,
  partsOf,
  type StructLiteral,
} from './expression.ts';
import { patternFault } from './library/regex.ts';
import { ERROR } from './types.ts';
import {
  areEqual,
  ArrayList,
  asInteger,
  CelList,
  CelMap,
  EntryMap,
  Failure,
  fits,
  keyOf,
  NO_SUCH_OVERLOAD,
  Optional,
  printValue,
  Struct,
  typeOf,
  TypeValue,
  type Value,
} from './values.ts';
import { Uint } from './uint.ts';

/** One evaluation: its variables and what it has cost. */
export interface Run {
  readonly variables: Map<string, Value>;
  readonly limit: number;
  cost: number;
}

/** The result of an evaluation. */
export interface Outcome {
  readonly value: Value;
  readonly cost: number;
}

/** An expression that can be evaluated. */
export interface Program {
  /** Evaluates it. A failure is a value; throws `APISERVER_CEL_COST` beyond the limit. */
  run(variables: Iterable<readonly [string, Value]>, limit?: number): Outcome;
}

/** Turns a checked expression into a program. Returns a failure if a constant part of it fails. */
export function plan(checked: Checked): Failure | Program {
  const planner = new Planner(checked);
  const step = planner.plan(checked.expression);
  if (planner.failure !== undefined) return planner.failure;
  return {
    run(variables, limit = Number.POSITIVE_INFINITY) {
      const run: Run = { variables: new Map(variables), limit, cost: 0 };
      const value = step.evaluate(run);
      return { value, cost: run.cost };
    },
  };
}

/** A part of a program. */
interface Step {
  readonly evaluate: (run: Run) => Value;
  /** The value, if it is always the same. */
  readonly constant?: Value | undefined;
  /**
   * Of variables and what is selected from them: the same without the cost of the variable. A
   * genuine server does not count a variable that is an index or a branch.
   */
  readonly resolve?: ((run: Run) => Value) | undefined;
  /** The cost of the variable: 0 for a choice of two. */
  readonly baseCost?: number | undefined;
}

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;
const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/** Methods whose first argument is a pattern, compiled with the program if it is a literal. */
const PATTERN_METHODS: ReadonlySet<string> = new Set(['find', 'findAll']);

function spend(run: Run, cost: number): void {
  run.cost += cost;
  if (run.cost > run.limit) {
    throw new CelError('APISERVER_CEL_COST', 'operation cancelled: actual cost limit exceeded');
  }
}

class Planner {
  readonly #checked: Checked;
  /** Why a constant part has no value. */
  failure: Failure | undefined;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  plan(expression: Expression): Step {
    const name = this.#checked.names.get(expression);
    if (name !== undefined) return this.#variable(expression, name);
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value);
      case 'select':
        return expression.isTest
          ? this.#presence(expression.operand, expression.field)
          : this.#qualified(expression.operand, (value) => select(value, expression.field));
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'struct':
        return this.#struct(expression);
      case 'comprehension':
        return this.#loop(expression);
      default:
        throw new TypeError(`the name "${expression.name}" passed the checker`);
    }
  }

  #variable(expression: Expression, name: string): Step {
    const type = TYPE_NAMES.get(name);
    const isType = type !== undefined && this.#checked.types.get(expression)?.kind === 'type';
    if (isType) return constant(new TypeValue(type));
    if (type === undefined && this.#checked.types.get(expression)?.kind === 'type') {
      this.failure ??= new Failure(`reference to undefined type: ${name}`);
    }
    const resolve = ({ variables }: Run): Value =>
      orFailure(variables.get(name), `no such attribute(s): ${name}`);
    return attribute(resolve, 1);
  }

  /** Selects from a value; each selection costs 1. */
  #qualified(operand: Expression, take: (value: Value, run: Run) => Value): Step {
    const step = this.plan(operand);
    const resolve = step.resolve ?? step.evaluate;
    return attribute(
      (run) => {
        const value = resolve(run);
        if (value instanceof Failure) return value;
        const taken = take(value, run);
        // What is looked for and is not there costs nothing.
        if (!(taken instanceof Optional) || taken.value !== undefined) spend(run, 1);
        return taken;
      },
      step.resolve === undefined ? 1 : (step.baseCost ?? 1),
    );
  }

  #presence(operand: Expression, field: string): Step {
    const { resolve } = this.#qualified(operand, (value) => isPresent(value, field));
    return { evaluate: resolve ?? (() => NO_SUCH_OVERLOAD) };
  }

  #call(call: Call): Step {
    const [first, second, third] = call.args;
    if (first !== undefined && second !== undefined) {
      switch (call.name) {
        case '_&&_':
        case '_||_':
          return this.#logical(first, second, call.name === '_||_');
        case '_[_]':
          return this.#index(first, second, index);
        case '_[?_]':
          return this.#index(first, second, optionalIndex);
        case '_?._':
          return this.#index(first, second, optionalIndex);
        case '_?_:_':
          if (third !== undefined) return this.#choice(first, second, third);
      }
    }
    return this.#function(call);
  }

  #index(operand: Expression, key: Expression, take: (value: Value, key: Value) => Value): Step {
    const step = this.plan(key);
    const resolve = step.resolve ?? step.evaluate;
    return this.#qualified(operand, (value, run) => {
      const at = resolve(run);
      return at instanceof Failure ? at : take(value, at);
    });
  }

  /** Stops at the operand that decides, on either side; a failure counts only if none does. */
  #logical(left: Expression, right: Expression, decisive: boolean): Step {
    const steps = [this.plan(left), this.plan(right)];
    return {
      evaluate(run) {
        let failure: Failure | undefined;
        for (const step of steps) {
          const value = step.evaluate(run);
          if (value === decisive) return decisive;
          if (value instanceof Failure) failure ??= value;
          else if (typeof value !== 'boolean') failure ??= NO_SUCH_OVERLOAD;
        }
        return failure ?? !decisive;
      },
    };
  }

  #choice(condition: Expression, yes: Expression, no: Expression): Step {
    const test = this.plan(condition);
    const [onTrue, onFalse] = [this.plan(yes), this.plan(no)];
    return attribute((run) => {
      const value = test.evaluate(run);
      if (value instanceof Failure) return value;
      if (typeof value !== 'boolean') return NO_SUCH_OVERLOAD;
      const step = value ? onTrue : onFalse;
      return (step.resolve ?? step.evaluate)(run);
    }, 0);
  }

  #list({ elements }: ListLiteral): Step {
    const steps = elements.map(({ value, isOptional }) => ({ isOptional, ...this.plan(value) }));
    const constants = steps.map((step) => step.constant);
    if (constants.every((value) => value !== undefined) && !steps.some((step) => step.isOptional)) {
      return constant(new ArrayList(constants));
    }
    return {
      evaluate(run) {
        const values: Value[] = [];
        for (const { evaluate, isOptional } of steps) {
          const value = evaluate(run);
          if (value instanceof Failure) return value;
          if (!isOptional) values.push(value);
          else if (!(value instanceof Optional)) return notOptional(value);
          else if (value.value !== undefined) values.push(value.value);
        }
        spend(run, LIST_COST);
        return new ArrayList(values);
      },
    };
  }

  #map({ entries }: MapLiteral): Step {
    const steps = entries.map(({ key, value, isOptional }) => ({
      isOptional,
      key: this.plan(key),
      value: this.plan(value),
    }));
    const build = (run: Run): Failure | [Value, Value][] => {
      const pairs: [Value, Value][] = [];
      for (const step of steps) {
        const key = step.key.evaluate(run);
        if (key instanceof Failure) return key;
        if (keyOf(key) === undefined) return new Failure('unsupported key type');
        const value = step.value.evaluate(run);
        if (value instanceof Failure) return value;
        if (!step.isOptional) pairs.push([key, value]);
        else if (!(value instanceof Optional)) return notOptional(value);
        else if (value.value !== undefined) pairs.push([key, value.value]);
      }
      return pairs;
    };
    const isConstant = steps.every(
      ({ key, value, isOptional }) =>
        !isOptional && key.constant !== undefined && value.constant !== undefined,
    );
    if (isConstant) {
      const pairs = build({ variables: new Map(), limit: 0, cost: 0 });
      if (!(pairs instanceof Failure)) return constant(new EntryMap(pairs));
    }
    return {
      evaluate(run) {
        const pairs = build(run);
        if (pairs instanceof Failure) return pairs;
        spend(run, MAP_COST);
        return new EntryMap(pairs);
      },
    };
  }

  #struct(literal: StructLiteral): Step {
    const struct = this.#checked.structs.get(literal);
    if (struct === undefined) throw new TypeError(`"${literal.typeName}" passed the checker`);
    const steps = literal.fields.map(({ name, value, isOptional }) => ({
      name,
      isOptional,
      evaluate: this.plan(value).evaluate,
    }));
    return {
      evaluate(run) {
        const fields = new Map<string, Value>();
        for (const { name, isOptional, evaluate } of steps) {
          const value = evaluate(run);
          if (value instanceof Failure) return value;
          if (!isOptional) fields.set(name, value);
          else if (!(value instanceof Optional)) return notOptional(value, name);
          else if (value.value !== undefined) fields.set(name, value.value);
        }
        spend(run, STRUCT_COST);
        return struct.create(fields);
      },
    };
  }

  #function(call: Call): Step {
    const overloads = this.#checked.overloads.get(call) ?? [];
    const hasTarget = call.target !== undefined && !this.#checked.functions.has(call);
    const given = hasTarget && call.target !== undefined ? [call.target, ...call.args] : call.args;
    const args = given.map((arg) => this.plan(arg));
    if (call.name === '@not_strictly_false') return notStrictlyFalse(args);
    if (call.name === 'or' || call.name === 'orValue') return orElse(args, call.name === 'or');
    const member = call.name === '@in' ? membership(args) : undefined;
    if (member !== undefined) return member;
    const step = invocation(call.name, args, overloads);
    const pattern = hasTarget && PATTERN_METHODS.has(call.name) ? args[1]?.constant : undefined;
    if (typeof pattern === 'string') this.failure ??= patternFault(pattern);
    const isConversion = CONVERSIONS.has(call.name) && args.length === 1 && !hasTarget;
    if (!isConversion || args[0]?.constant === undefined) return step;
    const value = step.evaluate({ variables: new Map(), limit: Number.POSITIVE_INFINITY, cost: 0 });
    if (value instanceof Failure) this.failure ??= value;
    return constant(value);
  }

  #loop(loop: Comprehension): Step {
    // A name that is bound and never read costs nothing.
    if (isBinding(loop) && !mentions(loop.result, loop.accumulator)) return this.plan(loop.result);
    const [range, initial] = [this.plan(loop.range), this.plan(loop.initial)];
    const [condition, step] = [this.plan(loop.condition), this.plan(loop.step)];
    const result = this.plan(loop.result);
    return {
      evaluate(run) {
        const over = range.evaluate(run);
        if (over instanceof Failure) return over;
        const items = itemsOf(over, loop.variable2 !== undefined);
        if (items === undefined) return notIterable(over);
        const names = [loop.accumulator, loop.variable, loop.variable2 ?? loop.variable];
        const outer = names.map((name) => run.variables.get(name));
        run.variables.set(loop.accumulator, initial.evaluate(run));
        for (const [first, second] of items) {
          run.variables.set(loop.variable, first);
          if (loop.variable2 !== undefined) run.variables.set(loop.variable2, second);
          if (condition.evaluate(run) === false) break;
          run.variables.set(loop.accumulator, step.evaluate(run));
        }
        // The result sees the accumulator, not the variables of the loop.
        restore(run, names.slice(1), outer.slice(1));
        const value = result.evaluate(run);
        restore(run, names, outer);
        return value;
      },
    };
  }
}

/** Whether a part of an expression is a name. Names of inner macros may hide it; that is no harm. */
function mentions(expression: Expression, name: string): boolean {
  switch (expression.kind) {
    case 'literal':
      return false;
    case 'identifier':
      return expression.name === name;
    default:
      return partsOf(expression).some((part) => mentions(part, name));
  }
}

function restore(run: Run, names: readonly string[], values: readonly (Value | undefined)[]): void {
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value === undefined) run.variables.delete(name);
    else run.variables.set(name, value);
  }
}

function constant(value: Value): Step {
  return { evaluate: () => value, constant: value };
}

function attribute(resolve: (run: Run) => Value, baseCost: number): Step {
  return {
    resolve,
    baseCost,
    evaluate(run) {
      const value = resolve(run);
      spend(run, baseCost);
      return value;
    },
  };
}

function notOptional(value: Value, field?: string): Failure {
  const entry = field === undefined ? 'entry' : `entry '${field}'`;
  return new Failure(
    `cannot initialize optional ${entry} from non-optional value ${printValue(value)}`,
  );
}

/** Calls the overload that fits the arguments. */
function invocation(name: string, args: readonly Step[], overloads: readonly Overload[]): Step {
  const [only] = overloads.length === 1 ? overloads : [];
  return {
    evaluate(run) {
      const values = args.map((arg) => arg.evaluate(run));
      const failure = values.find((value) => value instanceof Failure);
      const overload = overloads.find(({ parameters }) =>
        values.every((value, index) => fits(value, parameters[index] ?? ERROR)),
      );
      const result =
        failure ?? (overload === undefined ? noOverload(name, values) : overload.run(...values));
      const cost = only?.cost ?? (overload?.cost?.isForAll === true ? overload.cost : undefined);
      spend(run, cost === undefined ? 1 : cost.count(values, result));
      return result;
    },
  };
}

function notStrictlyFalse([arg]: readonly Step[]): Step {
  return {
    evaluate(run) {
      const value = arg?.evaluate(run);
      spend(run, 1);
      return value !== false;
    },
  };
}

const MISSING: Step = { evaluate: () => NO_SUCH_OVERLOAD };

/** `or` and `orValue`, which evaluate the other value only if they need it. */
function orElse([optional = MISSING, other = MISSING]: readonly Step[], isOptional: boolean): Step {
  return {
    evaluate(run) {
      const value = optional.evaluate(run);
      if (value instanceof Failure) return value;
      if (!(value instanceof Optional)) return value;
      if (value.value !== undefined) return isOptional ? value : value.value;
      return other.evaluate(run);
    },
  };
}

/** `x in [constants]` is a look-up, which costs nothing. */
function membership([element, list]: readonly Step[]): Step | undefined {
  const elements = list?.constant;
  if (!(elements instanceof CelList) || element === undefined) return undefined;
  const keys = new Set<string>();
  for (const one of elements) {
    const key = one instanceof Uint || typeof one === 'number' ? undefined : keyOf(one);
    if (key === undefined) return undefined;
    keys.add(key);
  }
  const isIn = (value: Value): Value => {
    if (value instanceof Failure) return value;
    const key = keyOf(value);
    return key === undefined ? [...elements].some((one) => areEqual(one, value)) : keys.has(key);
  };
  if (elements.size === 0) return constant(false);
  if (element.constant !== undefined) return constant(isIn(element.constant));
  return { evaluate: (run) => isIn(element.evaluate(run)) };
}

function itemsOf(value: Value, isPair: boolean): Iterable<readonly [Value, Value]> | undefined {
  if (value instanceof CelList) return isPair ? indexed(value) : alone(value);
  if (value instanceof CelMap) return isPair ? entriesOf(value) : alone(value.keys());
  return undefined;
}

function* indexed(list: CelList): IterableIterator<readonly [Value, Value]> {
  for (let at = 0; at < list.size; at++) yield [BigInt(at), list.at(at)];
}

function* alone(values: Iterable<Value>): IterableIterator<readonly [Value, Value]> {
  for (const value of values) yield [value, null];
}

function* entriesOf(map: CelMap): IterableIterator<readonly [Value, Value]> {
  for (const key of map.keys()) yield [key, map.get(key) ?? null];
}

function select(value: Value, field: string): Value {
  return index(value, field);
}

function isPresent(value: Value, field: string): Value {
  if (value instanceof Optional) {
    return value.value === undefined ? false : isPresent(value.value, field);
  }
  if (value instanceof Struct) return value.fields.has(field);
  return value instanceof CelMap && value.get(field) !== undefined;
}

function index(value: Value, key: Value): Value {
  if (value instanceof Optional) {
    return value.value === undefined ? value : optionalIndex(value.value, key);
  }
  if (value instanceof CelList) return element(value, key);
  // A field that is not set is null, if the checker knew that it can be there.
  if (value instanceof Struct && typeof key === 'string') return value.fields.get(key) ?? null;
  const found = value instanceof CelMap ? value.get(key) : undefined;
  return orFailure(found, `no such key: ${printValue(key)}`);
}

/** Null is a value; undefined is none. */
function orFailure(value: Value | undefined, message: string): Value {
  return value === undefined ? new Failure(message) : value;
}

function element(list: CelList, key: Value): Value {
  const at = asInteger(key);
  if (at === undefined) {
    const isNumber = typeof key === 'number';
    const what = isNumber ? `value ${key}` : `type '${typeOf(key).name}'`;
    return new Failure(`unsupported index ${what} in list`);
  }
  const isThere = at >= 0n && at < list.size;
  return isThere ? list.at(Number(at)) : new Failure(`index out of bounds: ${at}`);
}

function optionalIndex(value: Value, key: Value): Value {
  if (value instanceof Optional) {
    return value.value === undefined ? value : optionalIndex(value.value, key);
  }
  if (value instanceof Struct && typeof key === 'string' && !value.fields.has(key)) {
    return Optional.NONE;
  }
  const found = index(value, key);
  if (!(found instanceof Failure)) return new Optional(found);
  return /^(?:index out of bounds|no such key)/.test(found.message) ? Optional.NONE : found;
}

/** The operators and functions whose failure does not name them, or only by name. */
const UNNAMED: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'contains', 'matches']);
const NAMED_ONLY: ReadonlySet<string> = new Set(['-_', 'size', 'sort']);

/** The failure of a call whose arguments fit no overload. */
function noOverload(name: string, values: readonly Value[]): Failure {
  if (NAMED_ONLY.has(name)) return new Failure(`no such overload: ${name}`);
  if (UNNAMED.has(name) || /^[@_!]/.test(name)) return NO_SUCH_OVERLOAD;
  const types = values.map((value) => typeOf(value).name).join(', ');
  return new Failure(`no such overload: ${name}(${types})`);
}

/** How a genuine server names the types that cannot be gone through. */
function notIterable(value: Value): Failure {
  const name = typeOf(value)
    .name.replace(/^google\.protobuf\./, '')
    .replace(/_type$/, '');
  const type = name.slice(0, 1).toUpperCase() + name.slice(1);
  return new Failure(`got 'types.${type}', expected iterable type`);
}
