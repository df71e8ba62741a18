import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type ScalarTag,
  type Tags,
} from '#yaml';

import type { JsonValue } from '../lib/index.ts';
import { YamlError, yamlFault } from './yaml-error.ts';
import { type ParsedYaml, YamlReader, type YamlReaderOptions } from './yaml-reader.ts';

/** One document of a YAML text. */
export interface YamlDocument {
  /** True for a document without content, such as one of comments alone. */
  readonly isEmpty: boolean;
  /** Returns the content as JSON. Throws a {@link YamlError}. */
  read<N = never>(options?: YamlReaderOptions<N>): ParsedYaml<N>;
  /** Returns the line of the node at a path, or of its nearest parent; counted from one. */
  lineOf(path: readonly (number | string)[]): number | undefined;
}

/**
 * Parses YAML as Kubernetes does: YAML 1.1, so `yes` and `y` are booleans, but times and
 * sexagesimal numbers are strings; of equal keys the last counts. Errors of one document do not
 * affect the others: {@link YamlDocument.read} throws them.
 *
 * Time and memory are linear in the size of the text, up to Go's limit on aliases.
 */
export function parseYamlDocuments(text: string): YamlDocument[] {
  const lines = new LineCounter();
  const tokens = tokensOf(text, lines);
  if (tokens === undefined) return [tooDeep];
  const composer = new Composer({
    version: '1.1',
    schema: 'yaml-1.1',
    customTags: goTags,
    intAsBigInt: true,
    // The check of the library is quadratic; the reader detects duplicate keys itself.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  return Array.from(composer.compose(tokens), (document) => ({
    isEmpty: document.errors.length === 0 && isNull(document.contents),
    read: (options = {}) => {
      const [problem] = document.errors;
      if (problem !== undefined) throw yamlFault(problem, lines);
      return new YamlReader(document, lines, options).read();
    },
    lineOf: (path) => lineOf(document, path, lines),
  }));
}

/** True for no content, for comments between two separators, and for `null`, all of which kubectl skips. */
function isNull(contents: Document.Parsed['contents']): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

/** Collections nested deeper are refused. Go's limit is 10,000. */
const DEEPEST = 500;
/** The depth of the parser's stack besides collections: the document, and a scalar. */
const OTHER_LEVELS = 2;

/**
 * Undefined for a text that is nested too deeply. The parser is iterative, but composing recurses,
 * and a stack overflow in the library crashes the process on Node 20.
 */
function tokensOf(text: string, lines: LineCounter): readonly CST.Token[] | undefined {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > DEEPEST + OTHER_LEVELS) return undefined;
  }
  tokens.push(...parser.end());
  return tokens;
}

const tooDeep: YamlDocument = {
  isEmpty: false,
  read: () => {
    throw new YamlError('yaml: exceeded max depth');
  },
  lineOf: () => undefined,
};

/** Returns the first document as JSON; later ones are ignored. Throws a {@link YamlError}. */
export function readYaml(text: string): JsonValue {
  const [document] = parseYamlDocuments(text);
  return document === undefined ? null : document.read().value;
}

const UNKNOWN_TO_GO = ['merge', 'omap', 'pairs', 'set', 'timestamp'];

/** Go's parser has no tags for collections and times; the reader handles merge keys. */
function goTags(tags: Tags): Tags {
  const known = tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      !(tag.format === 'TIME' || UNKNOWN_TO_GO.some((name) => tag.tag.endsWith(`:${name}`))),
  );
  return [...known.map(withDigits), prefixedOctal];
}

/**
 * Returns a tag for floats that needs a digit before the exponent: Go reads `.`, `-.` and `e5` as
 * strings. Managed fields have `.` as a key.
 */
export function withDigits(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !('test' in tag) || !tag.tag.endsWith(':float')) return tag;
  const { test } = tag;
  if (test === undefined || test.test('.nan')) return tag;
  return { ...tag, test: new RegExp(`^(?=[-+]?\\.?[0-9])(?:${test.source})`) };
}

/** `0o17`, which is not YAML 1.1, but Go's parser accepts it. */
const prefixedOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => {
    const magnitude = BigInt(text.replace(/^[-+]/, '').replaceAll('_', ''));
    return text.startsWith('-') ? -magnitude : magnitude;
  },
};

function lineOf(
  document: Document.Parsed,
  path: readonly (number | string)[],
  lines: LineCounter,
): number | undefined {
  let node: unknown = document.contents;
  for (const part of path) {
    const next: unknown = isMap(node) || isSeq(node) ? node.get(part, true) : undefined;
    if (!isNode(next)) break;
    node = next;
  }
  return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
}
