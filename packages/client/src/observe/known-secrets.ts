import type { DiagnosedInformer } from '../cache/diagnostics.ts';
import type { CachedObject } from '../cache/list-watch.ts';
import { isJsonObject } from '../lib/json.ts';
import { usedCredentials, usedCredentialsVersion } from '../transport/used-credentials.ts';
import { MASK } from './mask-secrets.ts';

/** Shorter values are not looked for: they are words, and would hide half of a text. */
const MIN_LENGTH = 8;

/** Of a longer value, only the beginning is looked for. Texts that are shown are shorter. */
const MAX_LENGTH = 4096;

/** With more values than this the memory begins again with what caches hold now. */
const MAX_VALUES = 200_000;

/** Fields of a service account token that are no secrets: its namespace would be hidden everywhere. */
const PUBLIC_FIELDS = new Set(['ca.crt', 'namespace', 'service-ca.crt']);

/** What of a cache has been read. */
interface Known {
  /** The changes of the cache until then. */
  readonly changes: number;
  readonly objects: ReadonlyMap<string, CachedObject>;
}

/**
 * Hides the values of Secrets that informers hold, and the credentials that clients have used, wherever
 * they occur in a text. A value stays known after it has changed. The caches are read when a text is to be
 * shown, and then only what has changed in them.
 */
export class KnownSecrets {
  readonly #informers: () => Iterable<DiagnosedInformer>;
  readonly #known = new WeakMap<DiagnosedInformer, Known>();
  readonly #values = new ValueIndex();
  #credentials = 0;

  constructor(informers: () => Iterable<DiagnosedInformer>) {
    this.#informers = informers;
  }

  hide(text: string): string {
    if (text.length < MIN_LENGTH) return text;
    this.#refresh();
    return this.#values.hideIn(text);
  }

  #refresh(): void {
    const isFull = this.#values.size > MAX_VALUES;
    if (isFull) this.#values.clear();
    if (isFull || this.#credentials !== usedCredentialsVersion()) {
      this.#credentials = usedCredentialsVersion();
      for (const value of usedCredentials()) this.#values.add(value);
    }
    for (const informer of this.#informers()) {
      if (mayHoldSecrets(informer)) this.#read(informer, isFull);
    }
  }

  #read(informer: DiagnosedInformer, isAll: boolean): void {
    const { added, updated, deleted } = informer.statistics;
    const changes = added + updated + deleted;
    const known = isAll ? undefined : this.#known.get(informer);
    if (known?.changes === changes) return;
    const objects = new Map<string, CachedObject>();
    for (const key of informer.indexer.keys()) {
      const object = informer.indexer.getByKey(key);
      if (object === undefined) continue;
      objects.set(key, object);
      if (known?.objects.get(key) !== object) this.#addValues(object);
    }
    this.#known.set(informer, { changes, objects });
  }

  #addValues(secret: CachedObject): void {
    const { type, data, stringData } = secret as {
      readonly type?: unknown;
      readonly data?: unknown;
      readonly stringData?: unknown;
    };
    const isToken = type === 'kubernetes.io/service-account-token';
    for (const [name, value] of fieldsOf(data)) {
      if (isToken && PUBLIC_FIELDS.has(name)) continue;
      const beginning = value.slice(0, MAX_LENGTH);
      this.#values.add(beginning);
      this.#values.add(Buffer.from(beginning, 'base64').toString());
    }
    for (const [, value] of fieldsOf(stringData)) this.#values.add(value);
  }
}

/** True for a cache of Secrets. */
function mayHoldSecrets({ name, indexer }: DiagnosedInformer): boolean {
  if (/^secrets\b/.test(name)) return true;
  const [first] = indexer.keys();
  const object = first === undefined ? undefined : indexer.getByKey(first);
  return (object as { readonly kind?: unknown } | undefined)?.kind === 'Secret';
}

function fieldsOf(fields: unknown): (readonly [string, string])[] {
  if (!isJsonObject(fields)) return [];
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}

/** Finds any of many values in a text, in the time of the text: they are kept by their beginnings. */
class ValueIndex {
  readonly #byBeginning = new Map<string, Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#byBeginning.clear();
    this.#size = 0;
  }

  /** Adds the lines of a value, also as they are in quotes. Bytes that are no text are left out. */
  add(value: string): void {
    if (value.includes('\uFFFD')) return;
    for (const line of value.slice(0, MAX_LENGTH).split('\n')) {
      const plain = line.trim();
      // The frame of a key or certificate is the same in all of them.
      if (plain.startsWith('-----')) continue;
      this.#addLine(plain);
      const quoted = JSON.stringify(plain).slice(1, -1);
      if (quoted !== plain) this.#addLine(quoted);
    }
  }

  hideIn(text: string): string {
    if (this.#size === 0) return text;
    let shown = '';
    let start = 0;
    for (let index = 0; index + MIN_LENGTH <= text.length; index += 1) {
      const values = this.#byBeginning.get(text.slice(index, index + MIN_LENGTH));
      if (values === undefined) continue;
      const length = longestIn(values, text, index);
      if (length === 0) continue;
      shown += text.slice(start, index) + MASK;
      start = index + length;
      index = start - 1;
    }
    return start === 0 ? text : shown + text.slice(start);
  }

  #addLine(line: string): void {
    if (line.length < MIN_LENGTH) return;
    const beginning = line.slice(0, MIN_LENGTH);
    const values = this.#byBeginning.get(beginning);
    if (values?.has(line) === true) return;
    this.#size += 1;
    if (values === undefined) this.#byBeginning.set(beginning, new Set([line]));
    else values.add(line);
  }
}

/** Returns the length of the longest value at a place of a text; the text may end within one. */
function longestIn(values: Iterable<string>, text: string, index: number): number {
  let longest = 0;
  for (const value of values) {
    const length = Math.min(value.length, text.length - index);
    if (length > longest && text.startsWith(value.slice(0, length), index)) longest = length;
  }
  return longest;
}
