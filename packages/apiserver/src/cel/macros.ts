import { ACCUMULATOR, type Call, type Expression, type LiteralValue } from './expression.ts';
import type { Issues } from './issues.ts';

/** The variable of a bound expression that has no loop. */
const UNUSED = '#unused';
const SORT_INPUT = '@__sortBy_input__';

/** Replaces a call of a macro, such as `list.all(x, x > 0)`, by what it stands for. */
export function expandMacro(call: Call, issues: Issues): Expression {
  const macro = MACROS.get(
    `${call.target === undefined ? '' : '.'}${call.name}:${call.args.length}`,
  );
  if (macro === undefined) return call;
  const problem = (at: number, message: string): Expression => {
    issues.add(at, message);
    return call;
  };
  return macro({ build: new Builder(call.at), call, args: call.args, problem });
}

interface MacroCall {
  readonly build: Builder;
  readonly call: Call;
  readonly args: readonly Expression[];
  /** Reports a fault and keeps the call. */
  readonly problem: (at: number, message: string) => Expression;
}

type Macro = (call: MacroCall) => Expression;

/** Makes the parts that a macro adds; all of them stand where the macro is called. */
class Builder {
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  get accumulator(): Expression {
    return this.name(ACCUMULATOR);
  }

  name(name: string): Expression {
    return { kind: 'identifier', at: this.#at, name };
  }

  literal(value: LiteralValue): Expression {
    return { kind: 'literal', at: this.#at, value };
  }

  list(...values: readonly Expression[]): Expression {
    const elements = values.map((value) => ({ value, isOptional: false }));
    return { kind: 'list', at: this.#at, elements };
  }

  map(): Expression {
    return { kind: 'map', at: this.#at, entries: [] };
  }

  call(name: string, ...args: readonly Expression[]): Expression {
    return { kind: 'call', at: this.#at, name, target: undefined, args };
  }

  method(name: string, target: Expression, ...args: readonly Expression[]): Expression {
    return { kind: 'call', at: this.#at, name, target, args };
  }

  loop(range: Expression, variables: readonly string[], loop: Loop): Expression {
    const [variable = UNUSED, variable2] = variables;
    const result = loop.result ?? this.accumulator;
    const condition = loop.condition ?? this.literal(true);
    const parts = { ...loop, condition, result, accumulator: ACCUMULATOR };
    return { kind: 'comprehension', at: this.#at, range, variable, variable2, ...parts };
  }

  /** An expression in which a name stands for a value: a loop that does not run. */
  bind(name: string, value: Expression, body: Expression): Expression {
    return {
      kind: 'comprehension',
      at: this.#at,
      range: this.list(),
      variable: UNUSED,
      variable2: undefined,
      accumulator: name,
      initial: value,
      condition: this.literal(false),
      step: this.name(name),
      result: body,
    };
  }
}

interface Loop {
  readonly initial: Expression;
  readonly condition?: Expression;
  readonly step: Expression;
  readonly result?: Expression;
}

/** What a macro does with each element, once its variables are known. */
type Body = (build: Builder, rest: readonly Expression[], names: readonly string[]) => Loop;

const all: Body = (build, [predicate]) => ({
  initial: build.literal(true),
  condition: build.call('@not_strictly_false', build.accumulator),
  step: build.call('_&&_', build.accumulator, given(predicate)),
});

const exists: Body = (build, [predicate]) => ({
  initial: build.literal(false),
  condition: build.call('@not_strictly_false', build.call('!_', build.accumulator)),
  step: build.call('_||_', build.accumulator, given(predicate)),
});

const existsOne: Body = (build, [predicate]) => ({
  initial: build.literal(0n),
  step: build.call(
    '_?_:_',
    given(predicate),
    build.call('_+_', build.accumulator, build.literal(1n)),
    build.accumulator,
  ),
  result: build.call('_==_', build.accumulator, build.literal(1n)),
});

const transformList: Body = (build, rest) => ({
  initial: build.list(),
  step: filtered(build, rest, (value) => build.call('_+_', build.accumulator, build.list(value))),
});

const filter: Body = (build, [predicate], [variable = '']) =>
  transformList(build, [given(predicate), build.name(variable)], []);

const transformMap: Body = (build, rest, [key = '']) => ({
  initial: build.map(),
  step: filtered(build, rest, (value) =>
    build.call('cel.@mapInsert', build.accumulator, build.name(key), value),
  ),
});

const transformMapEntry: Body = (build, rest) => ({
  initial: build.map(),
  step: filtered(build, rest, (value) => build.call('cel.@mapInsert', build.accumulator, value)),
});

/** The step of a transformation; of two arguments the first one decides whether it is made. */
function filtered(
  build: Builder,
  rest: readonly Expression[],
  step: (value: Expression) => Expression,
): Expression {
  const [predicate, value] = rest;
  if (value === undefined) return step(given(predicate));
  return build.call('_?_:_', given(predicate), step(value), build.accumulator);
}

function given(expression: Expression | undefined): Expression {
  if (expression === undefined) throw new RangeError('a macro got fewer arguments than it has');
  return expression;
}

/** A macro over a list or map, with one or two variables. */
function over(count: 1 | 2, body: Body, complaint = 'argument must be a simple name'): Macro {
  return ({ build, call, args, problem }) => {
    const names: string[] = [];
    for (const variable of args.slice(0, count)) {
      if (variable.kind !== 'identifier') return problem(variable.at, complaint);
      if (names.includes(variable.name)) {
        return problem(variable.at, `duplicate variable name: ${variable.name}`);
      }
      if (variable.name === '__result__') {
        return problem(variable.at, 'iteration variable overwrites accumulator variable');
      }
      names.push(variable.name);
    }
    return build.loop(given(call.target), names, body(build, args.slice(count), names));
  };
}

const has: Macro = ({ call, args: [operand], problem }) =>
  operand?.kind === 'select'
    ? { ...operand, at: call.at, isTest: true }
    : problem(operand?.at ?? call.at, 'invalid argument to has() macro');

/** `optMap` and `optFlatMap`: what to do with the value of an optional. */
function optional(name: string, wrap: (build: Builder, value: Expression) => Expression): Macro {
  return ({ build, call, args: [variable, body], problem }) => {
    if (variable?.kind !== 'identifier') {
      return problem(
        variable?.at ?? call.at,
        `${name}() variable name must be a simple identifier`,
      );
    }
    const target = given(call.target);
    const bound = build.bind(variable.name, build.method('value', target), given(body));
    const isThere = build.method('hasValue', target);
    return build.call('_?_:_', isThere, wrap(build, bound), build.call('optional.none'));
  };
}

const IDENTIFIER = 'argument is not an identifier';

const sortBy: Macro = (macro) => {
  const { build, call, problem } = macro;
  const target = given(call.target);
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    const kinds = 'a list, identifier, comprehension, call or select expression';
    return problem(target.at, `sortBy can only be applied to ${kinds}`);
  }
  const input = build.name(SORT_INPUT);
  const keys = over(1, transformList, IDENTIFIER)({ ...macro, call: { ...call, target: input } });
  const sorted = build.method('@sortByAssociatedKeys', input, keys);
  return build.bind(SORT_INPUT, target, sorted);
};

/** By name and number of arguments; methods begin with a dot. */
const MACROS: ReadonlyMap<string, Macro> = new Map([
  ['has:1', has],
  ['.all:2', over(1, all)],
  ['.exists:2', over(1, exists)],
  ['.exists_one:2', over(1, existsOne)],
  ['.map:2', over(1, transformList, IDENTIFIER)],
  ['.map:3', over(1, transformList, IDENTIFIER)],
  ['.filter:2', over(1, filter, IDENTIFIER)],
  ['.all:3', over(2, all)],
  ['.exists:3', over(2, exists)],
  ['.exists_one:3', over(2, existsOne)],
  ['.existsOne:3', over(2, existsOne)],
  ['.transformList:3', over(2, transformList)],
  ['.transformList:4', over(2, transformList)],
  ['.transformMap:3', over(2, transformMap)],
  ['.transformMap:4', over(2, transformMap)],
  ['.transformMapEntry:3', over(2, transformMapEntry)],
  ['.transformMapEntry:4', over(2, transformMapEntry)],
  ['.optMap:2', optional('optMap', (build, value) => build.call('optional.of', value))],
  ['.optFlatMap:2', optional('optFlatMap', (_build, value) => value)],
  ['.sortBy:2', sortBy],
]);
