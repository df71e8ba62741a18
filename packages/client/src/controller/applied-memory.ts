import { isJsonObject } from '../lib/json.ts';
import { LruCache } from '../record/event-correlator.ts';

/** The objects whose last apply is remembered. A forgotten one costs one request without effect. */
const LIMIT = 10_000;

/**
 * What a controller applied, and which of its fields the server then showed. They differ, because
 * servers fill in keys of lists (the protocol of a port), normalize values (the quantity 1000m) and
 * drop empty ones. While the fields stay as they were after an apply, the same apply has no effect.
 * Only digests are kept.
 */
export class AppliedMemory {
  readonly #digests = new LruCache<string>(LIMIT);

  /** Records that an apply of `wanted` to the object of this key left these fields. */
  remember(key: string, wanted: object, fields: object): void {
    this.#digests.set(key, digestOf(wanted, fields));
  }

  /** True if the last apply to the object of this key was the same, and left the same fields. */
  isSame(key: string, wanted: object, fields: object): boolean {
    return this.#digests.get(key) === digestOf(wanted, fields);
  }
}

function digestOf(...values: readonly object[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  return hash.update(JSON.stringify(values, sorted)).digest('base64');
}

/** The order of keys depends on the encoding of a response. */
function sorted(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
