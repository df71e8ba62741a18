import type { LineCounter, YAMLParseError } from '#yaml';
import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/index.ts';

/** The codes of {@link YamlError}. */
export const YAML_ERRORS = {
  YAML_INVALID: {
    retry: 'never',
    when: 'The text is not valid YAML, or has content that JSON cannot express.',
  },
} as const;

/** Options of {@link YamlError}. */
export interface YamlErrorOptions extends ClientErrorOptions {
  /** The problem, without content of the text. Default: the message. */
  readonly reason?: string | undefined;
  /** The line in the text, counted from one, if it is known. */
  readonly line?: number | undefined;
}

/**
 * A text is not valid YAML, or has content that JSON cannot express. `message` is that of Go's
 * parser, which may quote the text; `reason` never does, so it is safe for files with secrets.
 */
export class YamlError extends ClientError {
  declare readonly code: keyof typeof YAML_ERRORS;
  readonly reason: string;
  readonly line: number | undefined;

  constructor(message: string, { reason, line, ...options }: YamlErrorOptions = {}) {
    super('YAML_INVALID', message, options);
    this.reason = reason ?? message.replace(/^yaml: /, '');
    this.line = line;
  }

  static {
    defineErrors(this, 'YamlError', 'YAML', YAML_ERRORS);
  }
}

/**
 * Formats an error as Go's parser does. Its scanner counts lines from one, its parser from zero;
 * the first line is not named.
 */
interface Fault {
  readonly code: YAMLParseError['code'];
  /** A part of the library's message. */
  readonly says?: string;
  readonly words: string;
  readonly by: 'parser' | 'scanner';
}

const FAULTS: readonly Fault[] = [
  {
    code: 'BLOCK_AS_IMPLICIT_KEY',
    words: 'mapping values are not allowed in this context',
    by: 'scanner',
  },
  { code: 'TAB_AS_INDENT', words: 'found character that cannot start any token', by: 'scanner' },
  { code: 'BAD_SCALAR_START', words: 'found character that cannot start any token', by: 'scanner' },
  { code: 'BAD_DQ_ESCAPE', words: 'found unknown escape character', by: 'scanner' },
  { code: 'RESOURCE_EXHAUSTION', words: 'exceeded max depth', by: 'scanner' },
  { code: 'BAD_DIRECTIVE', words: 'found incompatible YAML document', by: 'parser' },
  { code: 'MISSING_CHAR', says: 'quote', words: 'found unexpected end of stream', by: 'scanner' },
  { code: 'MISSING_CHAR', says: 'map values', words: "could not find expected ':'", by: 'scanner' },
  { code: 'MISSING_CHAR', says: ']', words: "did not find expected ',' or ']'", by: 'parser' },
  { code: 'MISSING_CHAR', says: '}', words: "did not find expected ',' or '}'", by: 'parser' },
  { code: 'BAD_INDENT', says: ']', words: "did not find expected ',' or ']'", by: 'parser' },
  { code: 'BAD_INDENT', says: '}', words: "did not find expected ',' or '}'", by: 'parser' },
  { code: 'BAD_INDENT', words: 'did not find expected key', by: 'parser' },
  { code: 'BLOCK_IN_FLOW', words: "did not find expected ',' or '}'", by: 'parser' },
  {
    code: 'UNEXPECTED_TOKEN',
    says: 'Block scalar header',
    words: 'did not find expected comment or line break',
    by: 'scanner',
  },
  {
    code: 'UNEXPECTED_TOKEN',
    says: 'node end',
    words: 'did not find expected key',
    by: 'parser',
  },
  { code: 'UNEXPECTED_TOKEN', words: 'did not find expected node content', by: 'parser' },
];

/** Translates an error of the library into the message of Go's parser. */
export function yamlFault(problem: YAMLParseError, lines: LineCounter): YamlError {
  const { code, message, pos } = problem;
  const fault = FAULTS.find(
    (known) => known.code === code && (known.says === undefined || message.includes(known.says)),
  );
  const { line } = lines.linePos(pos[0]);
  const named = fault?.by === 'parser' ? line - 1 : line;
  const place = line === 1 ? '' : `line ${named}: `;
  return new YamlError(`yaml: ${place}${fault?.words ?? message}`, {
    // The library's messages and errors quote the text.
    reason: fault?.words ?? code.toLowerCase().replaceAll('_', ' '),
    line,
  });
}
