import { aggregateMessage } from '../lib/aggregate-message.ts';
import { ClientError, defineErrors } from '../lib/errors.ts';
import { quoteGo } from '../lib/go-format.ts';
import { getKey } from '../lib/json.ts';
import { validateLabelValue, validateQualifiedName } from './names.ts';
import type { DeepReadonly, LabelSelector, LabelSelectorRequirement } from './types.ts';

/** The operators, named as in apimachinery's `selection` package. */
export type LabelOperator = '!' | '!=' | '=' | '==' | 'exists' | 'gt' | 'in' | 'lt' | 'notin';

/** A requirement on one label. Create it with {@link labelRequirement}, which validates it. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** A label selector is invalid. The message is the server's. */
export class LabelSelectorError extends ClientError {
  constructor(message: string) {
    super('META_LABEL_SELECTOR_INVALID', message);
  }

  static {
    defineErrors(this, 'LabelSelectorError', 'META', {
      META_LABEL_SELECTOR_INVALID: { retry: 'never' },
    });
  }
}

/** A label selector: all requirements must hold. Immutable. */
export class LabelMatcher {
  /** Matches everything. */
  static readonly everything: LabelMatcher = new LabelMatcher([]);
  /** Matches nothing. It has no text form: a client must not send a request for it. */
  static readonly nothing: LabelMatcher = new LabelMatcher([], false);

  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** False only for {@link LabelMatcher.nothing}. */
  readonly selectable: boolean;
  readonly #tests: readonly ((labels: Labels) => boolean)[];

  private constructor(requirements: readonly LabelRequirement[], selectable = true) {
    this.requirements = requirements.toSorted(byKey);
    this.selectable = selectable;
    this.#tests = this.requirements.map(testFor);
  }

  /** Returns the conjunction of requirements, which are not validated again. */
  static of(requirements: readonly LabelRequirement[]): LabelMatcher {
    return requirements.length === 0 ? LabelMatcher.everything : new LabelMatcher(requirements);
  }

  /** True if it matches everything. */
  get isEmpty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    if (!this.selectable) return false;
    const present = labels ?? {};
    for (const test of this.#tests) {
      if (!test(present)) return false;
    }
    return true;
  }

  /** Returns a matcher with additional requirements. */
  and(...requirements: readonly LabelRequirement[]): LabelMatcher {
    return this.selectable ? LabelMatcher.of([...this.requirements, ...requirements]) : this;
  }

  /**
   * Returns the only value that the first requirement on this label allows, if there is just one.
   */
  requiresExactMatch(key: string): string | undefined {
    const found = this.requirements.find((requirement) => requirement.key === key);
    const isExact = found?.operator === '=' || found?.operator === '==' || found?.operator === 'in';
    return isExact && found.values.length === 1 ? found.values[0] : undefined;
  }

  /** Returns the text form, which {@link parseLabelSelector} parses. Values are sorted. */
  toString(): string {
    return this.requirements.map(formatRequirement).join(',');
  }
}

function byKey(left: LabelRequirement, right: LabelRequirement): number {
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}

function testFor({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return (labels) => hasOneOf(labels, key, values);
    case '!=':
    case 'notin':
      return (labels) => !hasOneOf(labels, key, values);
    case 'exists':
      return (labels) => Object.hasOwn(labels, key);
    case '!':
      return (labels) => !Object.hasOwn(labels, key);
    case 'gt':
      return numberTest(key, values, (value, bound) => value > bound);
    case 'lt':
      return numberTest(key, values, (value, bound) => value < bound);
  }
}

function hasOneOf(labels: Labels, key: string, values: readonly string[]): boolean {
  const value = getKey(labels, key);
  return value !== undefined && values.includes(value);
}

function numberTest(
  key: string,
  values: readonly string[],
  holds: (value: bigint, bound: bigint) => boolean,
): (labels: Labels) => boolean {
  const bound = parseInt64(values[0] ?? '');
  return (labels) => {
    const value = parseInt64(getKey(labels, key) ?? '');
    return value !== undefined && bound !== undefined && holds(value, bound);
  };
}

/** Parses a decimal 64-bit integer as the server does; undefined for anything else. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const infix: Readonly<Record<Exclude<LabelOperator, '!' | 'exists'>, string>> = {
  '=': '=',
  '==': '==',
  '!=': '!=',
  gt: '>',
  lt: '<',
  in: ' in ',
  notin: ' notin ',
};

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const listed = values.toSorted().join(',');
  const isSet = operator === 'in' || operator === 'notin';
  return `${key}${infix[operator]}${isSet ? `(${listed})` : listed}`;
}

/**
 * Creates a requirement, or throws {@link LabelSelectorError} with everything that is wrong with
 * it.
 */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[] = [],
): LabelRequirement {
  const problems = [
    ...joinedProblem('key', key, validateQualifiedName(key)),
    ...operatorProblems(operator, values),
    ...values.flatMap((value, index) =>
      joinedProblem(`values[${index}][${key}]`, value, validateLabelValue(value)),
    ),
  ];
  if (problems.length > 0) throw new LabelSelectorError(aggregateMessage(problems));
  return { key, operator, values: [...values] };
}

/** Returns the finding for a label key in a selector's text, or nothing. */
export function labelKeyProblem(key: string): string | undefined {
  // The server has no path for the key here, and prints <nil>.
  return joinedProblem('<nil>', key, validateQualifiedName(key))[0];
}

function joinedProblem(path: string, value: string, messages: readonly string[]): string[] {
  return messages.length === 0 ? [] : [invalid(path, quoteGo(value), messages.join('; '))];
}

function invalid(path: string, shown: string, detail: string): string {
  return `${path}: Invalid value: ${shown}: ${detail}`;
}

function operatorProblems(operator: LabelOperator, values: readonly string[]): string[] {
  const shown = values.length === 0 ? 'null' : JSON.stringify(values);
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length > 0
        ? []
        : [invalid('values', shown, "for 'in', 'notin' operators, values set can't be empty")];
    case '=':
    case '==':
    case '!=':
      return values.length === 1
        ? []
        : [invalid('values', shown, 'exact-match compatibility requires one single value')];
    case '!':
    case 'exists':
      return values.length === 0
        ? []
        : [invalid('values', shown, 'values set must be empty for exists and does not exist')];
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1
          ? []
          : [invalid('values', shown, "for 'Gt', 'Lt' operators, exactly one value is required")]),
        ...values.flatMap((value, index) =>
          parseInt64(value) === undefined
            ? [
                invalid(
                  `values[${index}]`,
                  quoteGo(value),
                  "for 'Gt', 'Lt' operators, the value must be an integer",
                ),
              ]
            : [],
        ),
      ];
    default:
      return [
        `operator: Unsupported value: ${JSON.stringify(operator)}: supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"`,
      ];
  }
}

/**
 * Returns a selector for objects with all of these labels. The labels are not validated; none
 * matches everything.
 */
export function labelMatcherFromSet(labels: Labels | undefined): LabelMatcher {
  return LabelMatcher.of(
    Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] })),
  );
}

const objectOperators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Returns the matcher for a `LabelSelector` of an object. An absent selector matches nothing, an
 * empty one everything. Throws {@link LabelSelectorError}.
 */
export function labelSelectorAsSelector(
  selector: DeepReadonly<LabelSelector> | null | undefined,
): LabelMatcher {
  if (selector === undefined || selector === null) return LabelMatcher.nothing;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return LabelMatcher.of([
    ...Object.entries(matchLabels).map(([key, value]) => labelRequirement(key, '=', [value])),
    ...matchExpressions.map(requirementOf),
  ]);
}

function requirementOf(expression: DeepReadonly<LabelSelectorRequirement>): LabelRequirement {
  const { key, operator, values = [] } = expression;
  const known = Object.hasOwn(objectOperators, operator) ? objectOperators[operator] : undefined;
  if (known === undefined) {
    throw new LabelSelectorError(`${quoteGo(operator)} is not a valid label selector operator`);
  }
  return labelRequirement(key, known, values);
}

/**
 * Parses a label selector: `a=b, c!=d, e in (x,y), f notin (z), g, !h, i>5, j<3`. Throws {@link
 * LabelSelectorError} with the server's message.
 */
export function parseLabelSelector(text: string): LabelMatcher {
  return new Parser(text).parse();
}

interface Token {
  readonly type: 'end' | 'symbol' | 'word';
  readonly text: string;
}

const end: Token = { type: 'end', text: '' };

const binaryOperators: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** White space separates words; `=`, `!`, `(`, `)`, `,`, `<`, `>` are tokens of their own. */
function tokenize(text: string): Token[] {
  const pieces = text.match(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? [];
  return pieces.map((piece) => ({
    type: /^[=!(),<>]/.test(piece) ? 'symbol' : 'word',
    text: piece,
  }));
}

/** A recursive-descent parser. `in` and `notin` are operators only where one is expected. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): LabelMatcher {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().type === 'end') return LabelMatcher.everything;
    if (!this.#atRequirement()) fail(this.#peek(), ", expected: !, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.type === 'end') return LabelMatcher.of(requirements);
      if (separator.text !== ',') fail(separator, ", expected: ',' or 'end of string'");
      if (!this.#atRequirement()) fail(this.#peek(), ", expected: identifier after ','");
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? end;
  }

  #take(): Token {
    const token = this.#peek();
    this.#position += 1;
    return token;
  }

  #atRequirement(): boolean {
    const next = this.#peek();
    return next.type === 'word' || next.text === '!';
  }

  #requirement(): LabelRequirement {
    try {
      return this.#requirementUnwrapped();
    } catch (error) {
      if (!(error instanceof LabelSelectorError)) throw error;
      throw new LabelSelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  #requirementUnwrapped(): LabelRequirement {
    const isNegated = this.#peek().text === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (key.type !== 'word') fail(key, ', expected: identifier');
    const problem = labelKeyProblem(key.text);
    if (problem !== undefined) throw new LabelSelectorError(problem);
    if (isNegated) return labelRequirement(key.text, '!');
    if (this.#atEndOfRequirement()) return labelRequirement(key.text, 'exists');
    const operator = this.#operator();
    const isSet = operator === 'in' || operator === 'notin';
    const values = isSet ? this.#valueSet() : [this.#exactValue()];
    return labelRequirement(key.text, operator, [...new Set(values)].toSorted());
  }

  #atEndOfRequirement(): boolean {
    const next = this.#peek();
    return next.type === 'end' || next.text === ',';
  }

  #operator(): LabelOperator {
    const token = this.#take();
    const operator = getKey(binaryOperators, token.text);
    return operator ?? fail(token, ', expected: in, notin, =, ==, !=, gt, lt');
  }

  #exactValue(): string {
    if (this.#atEndOfRequirement()) return '';
    const token = this.#take();
    return token.type === 'word' ? token.text : fail(token, ', expected: identifier');
  }

  #valueSet(): string[] {
    const open = this.#take();
    if (open.text !== '(') fail(open, " expected: '('");
    const first = this.#peek();
    if (first.text === ')') {
      this.#take();
      return [''];
    }
    if (first.type !== 'word' && first.text !== ',') {
      fail(first, ", expected: ',', ')' or identifier");
    }
    const values = this.#valueList();
    this.#take();
    return values;
  }

  /**
   * Parses up to the closing parenthesis; nothing before, between or after commas is the empty
   * value.
   */
  #valueList(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek().text;
      if (token.type === 'word') {
        values.push(token.text);
        if (next === ')') return values;
        if (next !== ',') fail(this.#peek(), ", expected: ',' or ')'");
      } else if (token.text === ',') {
        if (values.length === 0 || next === ',' || next === ')') values.push('');
        if (next === ')') return values;
      } else {
        fail(token, ", expected: ',', or identifier");
      }
    }
  }
}

function fail(found: Token, expectation: string): never {
  throw new LabelSelectorError(`found '${found.text}'${expectation}`);
}
