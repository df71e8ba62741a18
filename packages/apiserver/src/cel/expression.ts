import type { Uint } from './uint.ts';

/** A value that is written in an expression. */
export type LiteralValue = Uint | Uint8Array | bigint | boolean | number | string | null;

interface Node {
  /** Where it stands in the source: for an operator its sign, for a call the parenthesis. */
  readonly at: number;
}

/** A literal, such as `1u` or `'a'`. */
export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

/** The name of a variable or of a type. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `operand.field`; `has(operand.field)` if it only tests. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  readonly isTest: boolean;
}

/** A function, a method (with a target) or an operator. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]` */
export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly { readonly value: Expression; readonly isOptional: boolean }[];
}

/** `{a: b, ?c: d}` */
export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly {
    readonly at: number;
    readonly key: Expression;
    readonly value: Expression;
    readonly isOptional: boolean;
  }[];
}

/** `Type{field: value}` */
export interface StructLiteral extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly {
    readonly at: number;
    readonly name: string;
    readonly value: Expression;
    readonly isOptional: boolean;
  }[];
}

/** What macros such as `all` and `map` stand for: a loop over a list or the keys of a map. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** Of macros with two variables: the value; `variable` is then the index or key. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A parsed expression, macros expanded. */
export type Expression =
  | Call
  | Comprehension
  | Identifier
  | ListLiteral
  | Literal
  | MapLiteral
  | Select
  | StructLiteral;

/** The accumulator of all macros; no expression can name it. */
export const ACCUMULATOR = '@result';

/** Returns `a.b.c` for selections of a name, as in a function with a namespace; else undefined. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.isTest) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

/** Returns true for a loop that never runs: it names a value. */
export function isBinding({ range, condition, accumulator }: Comprehension): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== '__result__'
  );
}

/** Returns the expressions that an expression is made of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined
        ? expression.args
        : [expression.target, ...expression.args];
    case 'list':
      return expression.elements.map(({ value }) => value);
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.fields.map(({ value }) => value);
    case 'comprehension': {
      const { range, initial, condition, step, result } = expression;
      return [range, initial, condition, step, result];
    }
    default:
      return [];
  }
}
