import { quoteGo, setKey } from 'client-ts/lib';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  Scalar,
  type Tags,
  type YAMLMap,
} from 'yaml';

import { type JsonNode, JsonNumber, JsonSyntaxError } from '../schema/json-parser.ts';
import { isPlain, parseJson } from '../schema/parse-json.ts';
import { YamlError, yamlFault } from './yaml-faults.ts';

export interface ParsedYaml {
  readonly value: JsonNode;
  /** What is to be said about keys that stood twice in one mapping; the later one counts. */
  readonly duplicates: readonly string[];
}

/**
 * Reads the first document of a text the way the server does: YAML 1.1, so `yes` is a boolean and
 * `y` too; but times and numbers to the base of sixty are texts. Throws a {@link YamlError}.
 */
export function parseYaml(text: string): ParsedYaml {
  return parseAsJson(text) ?? parseExactly(text);
}

/** Most of what is called YAML is JSON, which is read much faster. */
function parseAsJson(text: string): ParsedYaml | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text);
    return isPlain(value) ? { value, duplicates: [] } : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function parseExactly(text: string): ParsedYaml {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    schema: 'yaml-1.1',
    customTags: serverTags,
    intAsBigInt: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const [document] = documents as readonly Document.Parsed[];
  if (document === undefined) return { value: null, duplicates: [] };
  const [problem] = document.errors;
  if (problem !== undefined) throw yamlFault(problem, lines);
  return new YamlReader(document, lines).read();
}

/** Merging is done here, in the order of the text; what else is left out stays text. */
function serverTags(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      !(tag.format === 'TIME' || tag.tag.endsWith(':timestamp') || tag.tag.endsWith(':merge')),
  );
}

/** Expanding aliases may make up this much of the work on small and on large documents. */
const MOST_ALIASED = { small: 0.99, large: 0.1, from: 400_000, to: 4_000_000 };

type YamlValue = Pair['value'];

/** Makes JSON of a document, and notices what JSON cannot say. */
class YamlReader {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #duplicates: string[] = [];
  readonly #expanding = new Set<unknown>();
  #values = 0;
  #aliasedValues = 0;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  read(): ParsedYaml {
    const value = this.#value(this.#document.contents);
    return { value, duplicates: this.#duplicates };
  }

  #value(node: YamlValue): JsonNode {
    this.#count();
    if (isAlias(node)) return this.#expand(node, (target) => this.#value(target));
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return node.items.map((item) => this.#value(item));
    return isScalar(node) ? scalarValue(node.value) : null;
  }

  #map(map: YAMLMap): JsonNode {
    const object: Record<string, JsonNode> = {};
    this.#fill(object, map, new Set());
    return object;
  }

  #fill(object: Record<string, JsonNode>, { items }: YAMLMap, seen: Set<string>): void {
    for (const { key, value } of items) {
      if (isMergeKey(key)) {
        this.#merge(object, value, seen);
        continue;
      }
      const name = this.#key(key, value);
      const content = this.#value(value);
      if (seen.has(name.shown)) {
        const line = this.#lineOf(value) ?? this.#lineOf(key) ?? 1;
        this.#duplicates.push(`line ${line}: key ${name.shown} already set in map`);
      }
      seen.add(name.shown);
      setKey(object, name.text, content);
    }
  }

  /** `<<`: the keys of another mapping, or of several of which the first counts most. */
  #merge(object: Record<string, JsonNode>, source: YamlValue, seen: Set<string>): void {
    if (isAlias(source)) this.#expand(source, (target) => this.#merge(object, target, seen));
    else if (isMap(source)) this.#fill(object, source, seen);
    else if (isSeq(source)) {
      for (const item of source.items.toReversed()) this.#merge(object, item, seen);
    } else {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
  }

  #key(node: Pair['key'], value: YamlValue): KeyName {
    const scalar = isAlias(node) ? node.resolve(this.#document) : node;
    if (!isScalar(scalar)) throw new YamlError('yaml: invalid map key');
    const content = scalar.value;
    if (content === null) {
      const shown = isScalar(value) ? JSON.stringify(value.value) : 'map[string]interface {}{}';
      throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
    }
    if (typeof content === 'string') return { text: content, shown: quoteGo(content) };
    if (!isPrimitive(content)) throw new YamlError('yaml: invalid map key');
    return { text: String(content), shown: String(content) };
  }

  #expand<T>(alias: Alias, use: (target: YamlValue) => T): T {
    const target = alias.resolve(this.#document);
    if (target === undefined)
      throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`);
    if (this.#expanding.has(target)) {
      throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`);
    }
    this.#expanding.add(target);
    try {
      return use(target);
    } finally {
      this.#expanding.delete(target);
    }
  }

  /** A few aliases of aliases make a document of any size; it has to end somewhere. */
  #count(): void {
    this.#values += 1;
    if (this.#expanding.size === 0) return;
    this.#aliasedValues += 1;
    if (this.#aliasedValues <= 100 || this.#values <= 1000) return;
    const { small, large, from, to } = MOST_ALIASED;
    const progress = Math.min(Math.max((this.#values - from) / (to - from), 0), 1);
    if (this.#aliasedValues / this.#values > small - (small - large) * progress) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #lineOf(node: unknown): number | undefined {
    const start = (node as { range?: readonly number[] | null } | null)?.range?.[0];
    return start === undefined ? undefined : this.#lines.linePos(start).line;
  }
}

interface KeyName {
  /** In the object. */
  readonly text: string;
  /** In messages. Tells `1` from `"1"`. */
  readonly shown: string;
}

function isPrimitive(value: unknown): value is bigint | boolean | number {
  return ['bigint', 'boolean', 'number'].includes(typeof value);
}

function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && node.type === Scalar.PLAIN;
}

function scalarValue(value: unknown): JsonNode {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : new JsonNumber(String(value));
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw new YamlError(`json: unsupported value: ${name}`);
  }
  return value as JsonNode;
}
