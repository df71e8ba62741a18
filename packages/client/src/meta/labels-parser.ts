import { getKey } from '../lib/json.ts';
import {
  labelKeyProblem,
  LabelMatcher,
  type LabelOperator,
  type LabelRequirement,
  labelRequirement,
  LabelSelectorError,
} from './labels.ts';

/**
 * Reads a label selector: `a=b, c!=d, e in (x,y), f notin (z), g, !h, i>5, j<3`. Throws
 * {@link LabelSelectorError} with the message that a server would answer.
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

/** White space separates words and is dropped; `=`, `!`, `(`, `)`, `,`, `<`, `>` stand alone. */
function tokenize(text: string): Token[] {
  const pieces = text.match(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? [];
  return pieces.map((piece) => ({
    type: /^[=!(),<>]/.test(piece) ? 'symbol' : 'word',
    text: piece,
  }));
}

/** One pass from left to right. `in` and `notin` are operators only where one can stand. */
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

  /** Up to the closing parenthesis; nothing before, between or after commas is the empty value. */
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
