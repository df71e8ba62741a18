import type { Checked } from './checker.ts';
import {
  type Argument,
  type CallEstimate,
  exactly,
  plus,
  type Range,
  times,
  union,
  UNBOUNDED,
  UNKNOWN,
} from './costs.ts';
import type { Overload } from './declarations.ts';
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expression,
  isBinding,
} from './expression.ts';
import { DYN, type Type, unwrapOptional } from './types.ts';
import { sizeOf } from './values.ts';

/**
 * How large the value at a path can be, as far as a schema says. A path begins with a variable and
 * goes on with fields, `@items`, `@keys` and `@values`.
 */
export type SizeOfPath = (path: readonly string[]) => Range | undefined;

const NOTHING = exactly(0);
const ONE = exactly(1);
const STRUCT = exactly(40);

/** Returns the least and the most that an evaluation can cost. */
export function estimateCost(checked: Checked, sizeOfPath: SizeOfPath = () => undefined): Range {
  return new Estimator(checked, sizeOfPath).cost(checked.expression);
}

/** The sizes of the keys (or indices) and values of a list or map that an expression makes. */
interface Entries {
  readonly isList: boolean;
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: Entries | undefined;
}

class Estimator {
  readonly #checked: Checked;
  readonly #sizeOfPath: SizeOfPath;
  readonly #paths = new Map<Expression, readonly string[]>();
  readonly #sizes = new Map<Expression, Range>();
  readonly #entries = new Map<Expression, Entries>();
  /** Variables of macros, innermost last. */
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: Checked, sizeOfPath: SizeOfPath) {
    this.#checked = checked;
    this.#sizeOfPath = sizeOfPath;
  }

  cost(expression: Expression): Range {
    const name = this.#checked.names.get(expression);
    if (name !== undefined) return this.#name(expression, name);
    switch (expression.kind) {
      case 'select':
        return this.#select(expression.operand, expression.field, expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(
          expression,
          expression.elements.map(({ value }) => value),
        );
      case 'map':
        return this.#map(expression, expression.entries);
      case 'struct':
        return expression.fields
          .map(({ value }) => this.cost(value))
          .reduce((sum, cost) => plus(sum, cost), STRUCT);
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#loop(expression);
      default:
        return NOTHING;
    }
  }

  #type(expression: Expression): Type {
    return this.#checked.types.get(expression) ?? DYN;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #name(expression: Expression, name: string): Range {
    this.#paths.set(expression, this.#local(name)?.path ?? [name]);
    return ONE;
  }

  #path(expression: Expression): readonly string[] {
    const name = expression.kind === 'identifier' ? expression.name : undefined;
    const local = name === undefined ? undefined : this.#local(name);
    return local?.path ?? this.#paths.get(expression) ?? [];
  }

  #select(operand: Expression, field: string, select: Expression & { kind: 'select' }): Range {
    const cost = this.cost(operand);
    if (select.isTest) return cost;
    this.#paths.set(select, [...this.#path(operand), field]);
    const { kind } = this.#type(operand);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(cost, ONE) : cost;
  }

  #call(call: Call): Range {
    if (call.name === 'dyn' && call.target === undefined) return this.#dyn(call);
    const isMember = call.target !== undefined && !this.#checked.functions.has(call);
    const given = isMember && call.target !== undefined ? [call.target, ...call.args] : call.args;
    const costs = new Map(given.map((arg) => [arg, this.cost(arg)] as const));
    const overloads = this.#checked.overloads.get(call);
    if (call.name === '_?._') return plus(sumOf(costs.values()), ONE);
    if (overloads === undefined) return NOTHING;
    const args = given.map((arg) => this.#argument(arg));
    let total: Range | undefined;
    let size: Range | undefined;
    for (const overload of overloads) {
      const own = this.#overload(call, overload, args, [...costs.values()], isMember);
      total = total === undefined ? own.cost : union(total, own.cost);
      if (own.resultSize !== undefined)
        size = size === undefined ? own.resultSize : union(size, own.resultSize);
      size = this.#indexed(call, overload, size) ?? this.#size(call) ?? size;
    }
    if (size !== undefined) this.#sizes.set(call, size);
    return total ?? NOTHING;
  }

  /** Follows an index into a list or map. */
  #indexed(call: Call, overload: Overload, size: Range | undefined): Range | undefined {
    const [operand] = call.args;
    if (call.name !== '_[_]' || operand === undefined) return size;
    const kind = overload.parameters[0]?.kind;
    if (kind !== 'list' && kind !== 'map') return size;
    this.#paths.set(call, [...this.#path(operand), kind === 'list' ? '@items' : '@values']);
    return this.#entriesOf(operand)?.value;
  }

  #dyn(call: Call): Range {
    const [arg] = call.args;
    if (arg === undefined) return ONE;
    const cost = this.cost(arg);
    this.#copy(arg, call);
    return plus(cost, ONE);
  }

  #copy(from: Expression, to: Expression): void {
    const size = this.#size(from);
    const entries = this.#entriesOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #overload(
    call: Call,
    overload: Overload,
    args: readonly Argument[],
    costs: readonly Range[],
    isMember: boolean,
  ): CallEstimate {
    const [first = NOTHING, second = NOTHING, third = NOTHING] = costs;
    if (overload.name === '_&&_' || overload.name === '_||_') {
      return { cost: { min: first.min, max: plus(first, second).max } };
    }
    const size = (index: number): Range => args[index]?.size ?? UNKNOWN;
    if (overload.name === '_?_:_') {
      this.#join(call, 1, 2);
      return { cost: plus(first, union(second, third)), resultSize: union(size(1), size(2)) };
    }
    if (overload.name === '_+_') this.#join(call, 0, 1);
    const own = overload.cost?.estimate({ isMember, args, size }) ?? { cost: ONE };
    return { cost: plus(own.cost, sumOf(costs)), resultSize: own.resultSize };
  }

  /** What is in either of two arguments is in the result. */
  #join(call: Call, left: number, right: number): void {
    const [one, other] = [left, right].map((index) => {
      const arg = call.args[index];
      return arg === undefined ? undefined : this.#entriesOf(arg);
    });
    if (one === undefined || other === undefined) return;
    const key = union(one.key, other.key);
    this.#entries.set(call, { isList: one.isList, key, value: union(one.value, other.value) });
  }

  #argument(expression: Expression): Argument {
    const type = this.#type(expression);
    const path = this.#path(expression);
    // Accumulators have no place in an object.
    const isKnown = path.length > 0 && path[0] !== ACCUMULATOR;
    return {
      type,
      expression,
      size: this.#size(expression),
      elementSize: () => {
        if (type.parameters.length === 0) return undefined;
        return (isKnown ? this.#sizeOfPath([...path, '@items']) : undefined) ?? UNKNOWN;
      },
    };
  }

  #size(expression: Expression): Range | undefined {
    const known = this.#sizes.get(expression) ?? literalSize(expression);
    if (known !== undefined) return known;
    const path = this.#path(expression);
    const bySchema = path.length === 0 ? undefined : this.#sizeOfPath(path);
    if (bySchema !== undefined) {
      this.#sizes.set(expression, bySchema);
      return bySchema;
    }
    if (isScalar(this.#type(expression))) return ONE;
    return expression.kind === 'identifier' ? this.#local(expression.name)?.size : undefined;
  }

  #entriesOf(expression: Expression): Entries | undefined {
    const known = this.#entries.get(expression);
    if (known !== undefined || expression.kind !== 'identifier') return known;
    return this.#local(expression.name)?.entries;
  }

  #list(list: Expression, elements: readonly Expression[]): Range {
    const cost = sumOf(elements.map((element) => this.cost(element)));
    const sizes = elements.map((element) => this.#size(element) ?? UNKNOWN);
    this.#entries.set(list, { isList: true, key: ONE, value: coverOf(sizes) });
    return plus(cost, exactly(10));
  }

  #map(
    map: Expression,
    entries: readonly { readonly key: Expression; readonly value: Expression }[],
  ): Range {
    const costs = entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const key = coverOf(entries.map((entry) => this.#size(entry.key) ?? UNKNOWN));
    const value = coverOf(entries.map((entry) => this.#size(entry.value) ?? UNKNOWN));
    this.#entries.set(map, { isList: false, key, value });
    return plus(sumOf(costs), exactly(30));
  }

  /** Names the variables of a loop. */
  #enter(loop: Comprehension): void {
    const entries = this.#entriesOf(loop.range);
    const path = this.#path(loop.range);
    const isList = entries?.isList ?? this.#type(loop.range).kind === 'list';
    const local = (part: string, size: Range | undefined): Local => ({
      path: [...path, part],
      size,
      entries: undefined,
    });
    const key = local(isList ? '@indices' : '@keys', entries?.key);
    const value = local(isList ? '@items' : '@values', entries?.value);
    if (loop.variable2 === undefined) {
      this.#push(loop.variable, isList ? value : key);
      return;
    }
    this.#push(loop.variable, key);
    this.#push(loop.variable2, value);
  }

  #loop(loop: Comprehension): Range {
    const before = plus(this.cost(loop.range), this.cost(loop.initial));
    this.#push(loop.accumulator, this.#localOf(loop.initial));
    this.#enter(loop);
    const each = plus(this.cost(loop.condition), this.cost(loop.step));
    this.#pop(loop.variable);
    if (loop.variable2 !== undefined) this.#pop(loop.variable2);
    const after = this.cost(loop.result);
    this.#pop(loop.accumulator);
    const count = this.#size(loop.range) ?? UNKNOWN;
    const { kind } = loop.initial;
    const initialSize = kind === 'literal' ? this.#size(loop.initial) : undefined;
    if (initialSize !== undefined) this.#sizes.set(loop, initialSize);
    if (kind === 'list' || kind === 'map') {
      this.#sizes.set(loop, count);
      const entries = this.#entriesOf(loop.step);
      if (entries !== undefined) this.#entries.set(loop, entries);
    }
    return plus(plus(before, after), times(count, each));
  }

  #localOf(expression: Expression): Local {
    const [path, size] = [this.#path(expression), this.#size(expression)];
    return { path, size, entries: this.#entriesOf(expression) };
  }

  #binding(loop: Comprehension): Range {
    const before = plus(this.cost(loop.range), this.cost(loop.initial));
    this.#push(loop.accumulator, this.#localOf(loop.initial));
    const after = this.cost(loop.result);
    this.#pop(loop.accumulator);
    this.#copy(loop.result, loop);
    return plus(before, after);
  }
}

function sumOf(costs: Iterable<Range>): Range {
  let total = NOTHING;
  for (const cost of costs) total = plus(total, cost);
  return total;
}

function coverOf(sizes: readonly Range[]): Range {
  if (sizes.length === 0) return NOTHING;
  return sizes.reduce((cover, size) => union(cover, size), { min: UNBOUNDED, max: 0n });
}

function literalSize(expression: Expression): Range | undefined {
  switch (expression.kind) {
    case 'literal':
      return exactly(sizeOf(expression.value) ?? 1);
    case 'list':
      return exactly(expression.elements.length);
    case 'map':
      return exactly(expression.entries.length);
    default:
      return undefined;
  }
}

const SCALARS: ReadonlySet<string> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
]);

function isScalar(type: Type): boolean {
  return SCALARS.has(unwrapOptional(type).kind);
}
