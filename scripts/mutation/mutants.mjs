import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} Place
 * @property {number} start
 * @property {number} end
 */

/**
 * One small change that should make a test fail.
 * @typedef {object} Mutant
 * @property {string} path
 * @property {number} line
 * @property {number} start the text from here
 * @property {number} end to here
 * @property {string} replacement becomes this
 * @property {string} description for people: `< becomes <=`
 * @property {Place} runsAt a test that runs this place runs the mutant
 */

/** What each operator becomes. @type {Readonly<Record<string, string>>} */
const OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
};

/**
 * All mutants of a source file: operators swapped, conditions negated, booleans flipped, statements
 * removed. Types, and the texts of messages, are left alone.
 * @param {string} path
 * @param {string} text
 * @returns {Mutant[]}
 */
export function findMutants(path, text) {
  /** @type {Mutant[]} */
  const mutants = [];
  /** @param {number} start @param {number} end @param {string} replacement @param {string} description */
  const add = (start, end, replacement, description, runsAt = { start, end }) => {
    const line = text.slice(0, start).split('\n').length;
    mutants.push({ path, line, start, end, replacement, description, runsAt });
  };
  /**
   * Swaps the operator that stands after an offset.
   * @param {string} operator @param {number} from @param {Place} [runsAt]
   */
  const swap = (operator, from, runsAt) => {
    const other = OPERATORS[operator];
    if (other === undefined) return;
    const start = text.indexOf(operator, from);
    add(start, start + operator.length, other, `${operator} becomes ${other}`, runsAt);
  };
  /** @param {{ start: number, end: number }} test */
  const negate = ({ start, end }) => {
    const condition = text.slice(start, end);
    add(start, end, `!(${condition})`, `negate ${short(condition)}`);
  };
  /** Where `true` and `false` are types. @type {Set<number>} */
  const types = new Set();
  const { program } = parseSync(path, text);
  new Visitor({
    BinaryExpression: ({ left, right, operator }) => {
      // Text is put together with `+` too; minus would only spoil a message.
      const isText = [left, right].some(
        ({ type, start }) => type === 'TemplateLiteral' || /['"`]/.test(text[start] ?? ''),
      );
      if (!isText) swap(operator, left.end);
    },
    // V8 counts the operator to the right side, which need not run where the mutant decides.
    LogicalExpression: ({ left, operator }) => swap(operator, left.end, left),
    AssignmentExpression: ({ left, operator }) => swap(operator, left.end),
    UpdateExpression: ({ argument, operator, prefix, start }) =>
      swap(operator, prefix ? start : argument.end),
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    WhileStatement: ({ test }) => negate(test),
    TSLiteralType: ({ start }) => void types.add(start),
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean') add(start, end, `${!value}`, `${value} becomes ${!value}`);
    },
    ExpressionStatement: ({ expression, start, end }) => {
      if (expression.type === 'Literal') return;
      const statement = text.slice(start, end);
      if (/^super\b/.test(statement)) return;
      add(start, end, ';', `remove ${short(statement)}`);
    },
  }).visit(program);
  return mutants.filter(({ start }) => !types.has(start));
}

/** @param {string} code */
function short(code) {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

/** @param {string} text @param {Mutant} mutant */
export function applyMutant(text, { start, end, replacement }) {
  return text.slice(0, start) + replacement + text.slice(end);
}
