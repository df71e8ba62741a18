import { valuesIn } from '../codec/lazy/lazy-fields.ts';
import { type ParsedPath, parsePath } from '../meta/field-path.ts';
import { CacheError } from './cache-error.ts';
import type { AnyIndexers, IndexFunc, IndexValue } from './indexers.ts';
import type { ListerWatcher } from './list-watch.ts';

const noValues: readonly IndexValue[] = [];

/** The index functions of paths, so that equal paths are the same index. */
const pathFuncs = new WeakMap<ParsedPath, IndexFunc<object>>();
const pathOfFunc = new WeakMap<IndexFunc<never>, ParsedPath>();

/** Returns the index function of a path, or the function itself. Throws an `OptionError` for a bad path. */
export function indexFuncOf<T extends object>(
  name: string,
  index: IndexFunc<T> | string,
): IndexFunc<T> {
  if (typeof index !== 'string') return index;
  const path = parsePath(index, `the index ${JSON.stringify(name)}`);
  const known = pathFuncs.get(path);
  if (known !== undefined) return known;
  const func = (object: object): readonly IndexValue[] => {
    const values = valuesIn(object, path);
    if (values === undefined) return noValues;
    return typeof values === 'object' ? values : [values];
  };
  pathFuncs.set(path, func);
  pathOfFunc.set(func, path);
  return func;
}

/** Returns the path of an index function that {@link indexFuncOf} has made of one. */
function pathOfIndex(func: IndexFunc<never>): ParsedPath | undefined {
  return pathOfFunc.get(func);
}

/** Throws for an index of a field that a projection has left out: it would stay empty. */
export function checkIndexFields<T>(
  informer: string,
  indexers: AnyIndexers<T>,
  source: Pick<ListerWatcher<T>, 'hasField'>,
): void {
  for (const [name, index] of Object.entries(indexers)) {
    const path = typeof index === 'string' ? index : pathOfIndex(index)?.text;
    if (path === undefined || source.hasField?.(path) !== false) continue;
    throw new CacheError(
      'CACHE_INDEX_NOT_PROJECTED',
      `${informer}: the index ${JSON.stringify(name)} reads ${JSON.stringify(path)}, which is not in the projection`,
    );
  }
}

/** Receives the failures of an index function; see {@link KeyIndex}. */
export type IndexErrorHandler = (error: CacheError) => void;

/**
 * One index of an {@link Indexer}: from values to the keys of the objects that have them. Most values
 * of many indices (an owner, a node of a small cluster) belong to one object, so a single key is
 * stored without a set. A value without keys is removed.
 *
 * A change has two phases, so that a store with several indices can call all index functions before
 * it changes anything: whatever a function throws or returns, store and indices still agree.
 *
 * With an error handler, an object whose index function fails is absent from this index until it
 * changes. The handler is called when the function starts to fail, when it fails with another class
 * of error, and when all objects are indexed again; not for every object. Without a handler,
 * {@link KeyIndex.prepare} throws.
 */
export class KeyIndex<T> {
  readonly name: string;
  readonly indexFunc: IndexFunc<T>;
  /** Set if the index function reads a field. */
  readonly #path: ParsedPath | undefined;
  readonly #onError: IndexErrorHandler | undefined;
  readonly #keys = new Map<IndexValue, Set<string> | string>();
  /** Keys of objects that the store has and this index does not; undefined if there are none. */
  #failed: Set<string> | undefined;
  /** The class of the error that was reported last; undefined while the function works. */
  #reported: string | undefined;
  /** How many objects have failed since the function started to fail. */
  #failures = 0;
  /** Undefined if the index function fails for an object that it indexed before. */
  #oldValues: readonly IndexValue[] | undefined = noValues;
  #newValues = noValues;
  #isFailing = false;

  constructor(name: string, indexFunc: IndexFunc<T>, onError?: IndexErrorHandler) {
    this.name = name;
    this.indexFunc = indexFunc;
    this.#path = pathOfIndex(indexFunc);
    this.#onError = onError;
  }

  /** Computes the values before and after a change. Throws if the new object cannot be indexed. */
  prepare(key: string, oldObject: T | undefined, newObject: T | undefined): void {
    this.#isFailing = false;
    if (
      oldObject !== undefined &&
      newObject !== undefined &&
      this.#isSameField(oldObject, newObject)
    ) {
      this.#oldValues = noValues;
      this.#newValues = noValues;
      return;
    }
    this.#newValues = newObject === undefined ? noValues : this.#newValuesOf(key, newObject);
    this.#oldValues = oldObject === undefined ? noValues : this.#oldValuesOf(key, oldObject);
  }

  /** Applies the change that was prepared last. Cannot fail. */
  commit(key: string): void {
    const before = this.#oldValues;
    const after = this.#newValues;
    if (this.#isFailing) (this.#failed ??= new Set()).add(key);
    else if (this.#failed !== undefined) this.#recover(this.#failed, key);
    if (before !== undefined && sameValues(before, after)) return;
    // Without the old values every entry is a candidate. This is slow and rare.
    for (const value of before ?? [...this.#keys.keys()]) this.#remove(value, key);
    for (const value of after) this.#add(value, key);
  }

  /** Throws `CACHE_INDEX_FAILED` if the index function throws or does not return an array. */
  valuesOf(key: string, object: T): readonly IndexValue[] {
    let values: readonly IndexValue[] | undefined;
    try {
      values = this.indexFunc(object);
    } catch (cause) {
      throw indexFailed(`${this.#describe()} failed for the object ${JSON.stringify(key)}`, cause);
    }
    if (Array.isArray(values)) return values;
    const returned = values === null ? 'null' : typeof values;
    throw indexFailed(
      `${this.#describe()} returned ${returned} for the object ${JSON.stringify(key)}, not an array`,
    );
  }

  /** Returns the keys under a value: several, the only one, or none. */
  keysOf(value: IndexValue): ReadonlySet<string> | string | undefined {
    return this.#keys.get(value);
  }

  values(): IterableIterator<IndexValue> {
    return this.#keys.keys();
  }

  /** True if a path leads to the same value in both: most changes leave the fields of indices alone. */
  #isSameField(left: T, right: T): boolean {
    if (this.#path === undefined || this.#failed !== undefined) return false;
    try {
      const value = valuesIn(left as object, this.#path);
      return typeof value !== 'object' && value === valuesIn(right as object, this.#path);
    } catch {
      // It fails again, and is reported, where the values are needed.
      return false;
    }
  }

  #newValuesOf(key: string, object: T): readonly IndexValue[] {
    try {
      return this.valuesOf(key, object);
    } catch (error) {
      if (this.#onError === undefined) throw error;
      this.#isFailing = true;
      this.#report(error as CacheError);
      return noValues;
    }
  }

  #report(error: CacheError): void {
    const { cause } = error;
    const kind = cause instanceof Error ? cause.name : typeof cause;
    this.#failures += 1;
    if (this.#reported === kind) return;
    this.#reported = kind;
    const earlier = this.#failures === 1 ? '' : `, after ${this.#failures - 1} other failures`;
    this.#onError?.(indexFailed(`${error.message}${earlier}`, cause));
  }

  #recover(failed: Set<string>, key: string): void {
    if (!failed.delete(key) || failed.size > 0) return;
    this.#failed = undefined;
    const objects = this.#failures === 1 ? 'one object' : `${this.#failures} objects`;
    this.#reported = undefined;
    this.#failures = 0;
    this.#onError?.(
      indexFailed(`${this.#describe()} had failed for ${objects}; all objects are indexed again`),
    );
  }

  #oldValuesOf(key: string, object: T): readonly IndexValue[] | undefined {
    if (this.#failed?.has(key) === true) return noValues;
    try {
      return this.valuesOf(key, object);
    } catch {
      return undefined;
    }
  }

  #describe(): string {
    return `the index function of ${JSON.stringify(this.name)}`;
  }

  #add(value: IndexValue, key: string): void {
    const present = this.#keys.get(value);
    if (present === undefined) this.#keys.set(value, key);
    else if (typeof present !== 'string') present.add(key);
    else if (present !== key) this.#keys.set(value, new Set([present, key]));
  }

  #remove(value: IndexValue, key: string): void {
    const present = this.#keys.get(value);
    if (present === key) this.#keys.delete(value);
    else if (typeof present === 'object' && present.delete(key) && present.size === 0) {
      this.#keys.delete(value);
    }
  }
}

function indexFailed(message: string, cause?: unknown): CacheError {
  return new CacheError('CACHE_INDEX_FAILED', message, cause === undefined ? {} : { cause });
}

function sameValues(left: readonly IndexValue[], right: readonly IndexValue[]): boolean {
  if (left.length !== right.length) return false;
  for (let position = 0; position < left.length; position += 1) {
    if (left[position] !== right[position]) return false;
  }
  return true;
}
