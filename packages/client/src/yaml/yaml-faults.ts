import type { LineCounter, YAMLParseError } from '#yaml';

import { YamlError } from './yaml-error.ts';

/**
 * A fault in the words of Go's parser. Its scanner counts lines from one, its parser from zero; the
 * first line is not named.
 */
interface Fault {
  readonly code: YAMLParseError['code'];
  /** What the message of the library contains. */
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

/** Translates an error of the library into the words that users of Go's parser know. */
export function yamlFault(problem: YAMLParseError, lines: LineCounter): YamlError {
  const { code, message, pos } = problem;
  const fault = FAULTS.find(
    (known) => known.code === code && (known.says === undefined || message.includes(known.says)),
  );
  const { line } = lines.linePos(pos[0]);
  const named = fault?.by === 'parser' ? line - 1 : line;
  const place = line === 1 ? '' : `line ${named}: `;
  return new YamlError(`yaml: ${place}${fault?.words ?? message}`, {
    // The library's own messages quote the text, and so does its error.
    reason: fault?.words ?? code.toLowerCase().replaceAll('_', ' '),
    line,
  });
}
