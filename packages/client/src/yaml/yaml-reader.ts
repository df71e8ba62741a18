import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Pair,
  Scalar,
  type YAMLMap,
} from '#yaml';

import { quoteGo, setKey } from '../lib/index.ts';
import { YamlError } from './yaml-error.ts';

/** A JSON value in which integers that JavaScript cannot hold exactly are of type `N`. */
export type YamlValue<N = never> =
  | string
  | number
  | boolean
  | null
  | N
  | YamlValue<N>[]
  | { [key: string]: YamlValue<N> };

/** The content of a document. */
export interface ParsedYaml<N = never> {
  readonly value: YamlValue<N>;
  /** Warnings about duplicate keys in a mapping, in Go's words; the first hundred. */
  readonly duplicates: readonly string[];
}

/** Options of {@link YamlDocument.read}. */
export interface YamlReaderOptions<N> {
  /** Converts integers beyond 2^53. Default: the nearest number. */
  readonly bigInteger?: ((value: bigint) => N) | undefined;
}

type Content = Pair['value'];

/** The maximum share of work for expanding aliases, for small and large documents, as in Go. */
const MOST_ALIASED = { small: 0.99, large: 0.1, from: 400_000, to: 4_000_000 };
/** Go does not count these; a long string with many aliases would be copied that often. */
const MOST_ALIASED_CHARACTERS = 16 * 1024 * 1024;
const MOST_DUPLICATES = 100;

/** Converts a document to JSON, and reports what JSON cannot express. */
export class YamlReader<N> {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #options: YamlReaderOptions<N>;
  readonly #duplicates: string[] = [];
  readonly #expanding = new Set<Content>();
  #targets: ReadonlyMap<Alias, Content> | undefined;
  #values = 0;
  #aliasedValues = 0;
  #aliasedCharacters = 0;

  constructor(document: Document.Parsed, lines: LineCounter, options: YamlReaderOptions<N>) {
    this.#document = document;
    this.#lines = lines;
    this.#options = options;
  }

  read(): ParsedYaml<N> {
    const value = this.#value(this.#document.contents);
    return { value, duplicates: this.#duplicates };
  }

  #value(node: Content): YamlValue<N> {
    this.#count();
    if (isAlias(node)) return this.#expand(node, (target) => this.#value(target));
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return node.items.map((item) => this.#value(item));
    return isScalar(node) ? this.#scalar(node.value) : null;
  }

  #map(map: YAMLMap): YamlValue<N> {
    const object: Record<string, YamlValue<N>> = {};
    this.#fill(object, map, new Set());
    return object;
  }

  #fill(object: Record<string, YamlValue<N>>, { items }: YAMLMap, seen: Set<string>): void {
    for (const { key, value } of items) {
      if (isMergeKey(key)) {
        this.#merge(object, value, seen);
        continue;
      }
      const name = this.#key(key, value);
      const content = this.#value(value);
      if (seen.has(name.shown) && this.#duplicates.length < MOST_DUPLICATES) {
        const line = this.#lineOf(value) ?? this.#lineOf(key) ?? 1;
        this.#duplicates.push(`line ${line}: key ${name.shown} already set in map`);
      }
      seen.add(name.shown);
      setKey(object, name.text, content);
    }
  }

  /**
   * Merges `<<`: the keys of another mapping, or of several of which the first takes precedence.
   */
  #merge(object: Record<string, YamlValue<N>>, source: Content, seen: Set<string>): void {
    // An empty merge costs time too.
    this.#count();
    if (isAlias(source)) this.#expand(source, (target) => this.#merge(object, target, seen));
    else if (isMap(source)) this.#fill(object, source, seen);
    else if (isSeq(source)) {
      for (const item of source.items.toReversed()) this.#merge(object, item, seen);
    } else {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
  }

  #key(node: Pair['key'], value: Content): KeyName {
    const scalar = isAlias(node) ? this.#targetOf(node) : node;
    if (!isScalar(scalar)) throw new YamlError('yaml: invalid map key');
    const content = scalar.value;
    if (content === null) {
      const shown = isScalar(value) ? JSON.stringify(value.value) : 'map[string]interface {}{}';
      throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`, {
        reason: 'unsupported map key: <nil>',
      });
    }
    if (typeof content === 'string') {
      if (isAlias(node) || this.#expanding.size > 0) this.#countCharacters(content);
      return { text: content, shown: quoteGo(content) };
    }
    if (!isPrimitive(content)) throw new YamlError('yaml: invalid map key');
    return { text: String(content), shown: String(content) };
  }

  #expand<T>(alias: Alias, use: (target: Content) => T): T {
    const target = this.#targetOf(alias);
    if (target === undefined) {
      throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`, {
        reason: 'unknown anchor referenced',
      });
    }
    if (this.#expanding.has(target)) {
      throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`, {
        reason: 'anchor value contains itself',
      });
    }
    this.#expanding.add(target);
    try {
      return use(target);
    } finally {
      this.#expanding.delete(target);
    }
  }

  /** The library searches the whole document for each alias; one pass finds them all. */
  #targetOf(alias: Alias): Content | undefined {
    this.#targets ??= aliasTargets(this.#document.contents);
    return this.#targets.get(alias);
  }

  #scalar(value: unknown): YamlValue<N> {
    if (typeof value === 'bigint') {
      const number = Number(value);
      if (Number.isSafeInteger(number)) return number;
      return this.#options.bigInteger?.(value) ?? number;
    }
    if (typeof value === 'string') {
      if (this.#expanding.size > 0) this.#countCharacters(value);
      return value;
    }
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
      throw new YamlError(`json: unsupported value: ${name}`);
    }
    return value as boolean | number | null;
  }

  /** A few nested aliases can expand to any size, hence a limit. */
  #count(): void {
    this.#values += 1;
    if (this.#expanding.size === 0) return;
    this.#aliasedValues += 1;
    if (this.#aliasedValues <= 100 || this.#values <= 1000) return;
    const { small, large, from, to } = MOST_ALIASED;
    const progress = Math.min(Math.max((this.#values - from) / (to - from), 0), 1);
    if (this.#aliasedValues / this.#values > small - (small - large) * progress) {
      throw excessiveAliasing();
    }
  }

  #countCharacters(text: string): void {
    this.#aliasedCharacters += text.length;
    if (this.#aliasedCharacters > MOST_ALIASED_CHARACTERS) throw excessiveAliasing();
  }

  #lineOf(node: unknown): number | undefined {
    const start = (node as { range?: readonly number[] | null } | null)?.range?.[0];
    return start === undefined ? undefined : this.#lines.linePos(start).line;
  }
}

/** The node of each alias: the last one before it with its anchor. */
function aliasTargets(contents: Content): ReadonlyMap<Alias, Content> {
  const anchors = new Map<string, Content>();
  const targets = new Map<Alias, Content>();
  const walk = (node: Content): void => {
    if (isAlias(node)) {
      targets.set(node, anchors.get(node.source));
      return;
    }
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) {
      anchors.set(node.anchor, node);
    }
    if (isSeq(node)) for (const item of node.items) walk(item);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      walk(key);
      walk(value);
    }
  };
  walk(contents);
  return targets;
}

function excessiveAliasing(): YamlError {
  return new YamlError('yaml: document contains excessive aliasing');
}

interface KeyName {
  /** The key in the object. */
  readonly text: string;
  /** The key in messages, which distinguishes `1` from `"1"`. */
  readonly shown: string;
}

function isPrimitive(value: unknown): value is bigint | boolean | number {
  return ['bigint', 'boolean', 'number'].includes(typeof value);
}

function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && node.type === Scalar.PLAIN;
}
