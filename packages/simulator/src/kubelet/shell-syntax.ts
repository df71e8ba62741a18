/** A part of a word: text, or a variable. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string };

/** A word of a command, before variables are replaced. */
export interface ShellWord {
  readonly parts: readonly WordPart[];
  /** A quoted word is kept although it may be empty. */
  readonly isQuoted: boolean;
}

/** A redirection of an output (1 or 2) or of the input (0): to a file, or with `>&` to an output. */
export interface ShellRedirection {
  readonly descriptor: number;
  readonly kind: '<' | '>' | '>&' | '>>';
  readonly target: ShellWord;
}

/** A command with its arguments and redirections. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly redirections: readonly ShellRedirection[];
}

/** A pipeline and the operator before it. */
export interface ShellStep {
  readonly operator: '&&' | ';' | '||';
  readonly pipeline: readonly ShellCommand[];
}

type Token = ShellWord | string;

/** Parses a script. Returns a message if it is invalid. */
export function parseScript(script: string): ShellStep[] | string {
  const tokens = tokenize(script);
  if (typeof tokens === 'string') return tokens;
  const steps: ShellStep[] = [];
  let operator: ShellStep['operator'] = ';';
  let rest: readonly Token[] = tokens;
  while (rest.length > 0) {
    const end = rest.findIndex((token) => token === ';' || token === '&&' || token === '||');
    const part = end === -1 ? rest : rest.slice(0, end);
    const next = end === -1 ? undefined : rest[end];
    rest = end === -1 ? [] : rest.slice(end + 1);
    if (part.length > 0) {
      const pipeline = parsePipeline(part);
      if (typeof pipeline === 'string') return pipeline;
      steps.push({ operator, pipeline });
    } else if (operator !== ';' || next !== ';') {
      return `syntax error: unexpected "${typeof next === 'string' ? next : 'end of input'}"`;
    }
    operator = next === '&&' || next === '||' ? next : ';';
    if (operator !== ';' && rest.length === 0) return 'syntax error: unexpected end of input';
  }
  return steps;
}

function parsePipeline(tokens: readonly Token[]): ShellCommand[] | string {
  const commands: ShellCommand[] = [];
  for (let rest: readonly Token[] | undefined = tokens; rest !== undefined;) {
    const bar: number = rest.indexOf('|');
    const command = parseCommand(bar === -1 ? rest : rest.slice(0, bar));
    if (typeof command === 'string') return command;
    commands.push(command);
    rest = bar === -1 ? undefined : rest.slice(bar + 1);
  }
  return commands;
}

function parseCommand(tokens: readonly Token[]): ShellCommand | string {
  const words: ShellWord[] = [];
  const assignments: { name: string; value: ShellWord }[] = [];
  const redirections: ShellRedirection[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const [, number, kind] =
      typeof token === 'string' ? (/^(\d?)(<|>&|>>|>)$/.exec(token) ?? []) : [];
    if (kind !== undefined) {
      index += 1;
      const target = tokens[index];
      if (target === undefined || typeof target === 'string') return `syntax error near "${kind}"`;
      const descriptor = Number(number === '' ? kind !== '<' : number);
      redirections.push({ descriptor, kind: kind as ShellRedirection['kind'], target });
    } else if (typeof token === 'object') {
      const assignment = words.length === 0 ? assignmentOf(token) : undefined;
      if (assignment === undefined) words.push(token);
      else assignments.push(assignment);
    }
  }
  if (words.length + assignments.length === 0) return 'syntax error: a command is missing';
  return { words, assignments, redirections };
}

function assignmentOf(word: ShellWord): { name: string; value: ShellWord } | undefined {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text') return undefined;
  const [, name, text = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) ?? [];
  if (name === undefined) return undefined;
  const value = { parts: [{ kind: 'text', text } as const, ...rest], isQuoted: true };
  return { name, value };
}

const OPERATOR = /^(?:&&|\|\||>&|>>|[;|<>\n])/;
/** At the start of a word, a digit may be the descriptor of a redirection. */
const OPERATOR_OR_DESCRIPTOR = /^(?:&&|\|\||\d?(?:>&|>>|<|>)|[;|\n])/;

const VARIABLE = /^\$(?:(\w+|\?)|\{(\w+)\})/;

/** Splits a script into words and operators. Returns a message if a quote is not closed. */
function tokenize(script: string): Token[] | string {
  const tokens: Token[] = [];
  let parts: WordPart[] = [];
  let isQuoted = false;
  let isWord = false;
  const add = (text: string): void => {
    parts.push({ kind: 'text', text });
    isWord = true;
  };
  const finish = (): void => {
    if (isWord) tokens.push({ parts: merged(parts), isQuoted });
    parts = [];
    isQuoted = false;
    isWord = false;
  };
  let rest = script;
  while (rest !== '') {
    const variable = VARIABLE.exec(rest);
    const operator = (isWord ? OPERATOR : OPERATOR_OR_DESCRIPTOR).exec(rest)?.[0];
    if (variable !== null) {
      parts.push({ kind: 'variable', name: variable[1] ?? variable[2] ?? '' });
      isWord = true;
      rest = rest.slice(variable[0].length);
    } else if (operator !== undefined) {
      finish();
      tokens.push(operator === '\n' ? ';' : operator);
      rest = rest.slice(operator.length);
    } else if (/^\s/.test(rest)) {
      finish();
      rest = rest.slice(1);
    } else if (rest.startsWith('#') && !isWord) {
      rest = rest.slice(/^[^\n]*/.exec(rest)?.[0].length ?? 1);
    } else if (rest.startsWith("'") || rest.startsWith('"')) {
      const quoted = readQuoted(rest);
      if (quoted === undefined) return 'syntax error: unterminated quoted string';
      parts.push(...quoted.parts);
      isQuoted = true;
      isWord = true;
      rest = quoted.rest;
    } else if (rest.startsWith('\\') && rest.length > 1) {
      add(rest.charAt(1));
      rest = rest.slice(2);
    } else {
      add(rest.charAt(0));
      rest = rest.slice(1);
    }
  }
  finish();
  return tokens;
}

function readQuoted(text: string): { parts: WordPart[]; rest: string } | undefined {
  const quote = text.charAt(0);
  const parts: WordPart[] = [];
  let rest = text.slice(1);
  while (rest !== '' && !rest.startsWith(quote)) {
    const variable = quote === '"' ? VARIABLE.exec(rest) : null;
    const isEscape = quote === '"' && /^\\["\\$`]/.test(rest);
    if (variable !== null) parts.push({ kind: 'variable', name: variable[1] ?? variable[2] ?? '' });
    else parts.push({ kind: 'text', text: rest.charAt(isEscape ? 1 : 0) });
    rest = rest.slice(variable?.[0].length ?? (isEscape ? 2 : 1));
  }
  return rest === '' ? undefined : { parts, rest: rest.slice(1) };
}

function merged(parts: readonly WordPart[]): WordPart[] {
  const result: WordPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.kind === 'text' && part.kind === 'text') {
      result[result.length - 1] = { kind: 'text', text: last.text + part.text };
    } else {
      result.push(part);
    }
  }
  return result;
}
