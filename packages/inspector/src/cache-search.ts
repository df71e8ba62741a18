import type { DiagnosedInformer } from 'client-ts/cache';
import { compareStrings, unifiedDiff } from 'client-ts/internal';
import { parseLabelSelector } from 'client-ts/meta';
import { writeYaml } from 'client-ts/yaml';
import type { KeptChange } from './object-history.ts';
import { redactObject } from './redact-object.ts';
import type { FoundObject, IndexValues, ObjectQuery, ShownChange } from './source.ts';

/** Returns a text without secrets. */
type Hide = (text: string) => string;

type CachedObject = NonNullable<ReturnType<DiagnosedInformer['indexer']['getByKey']>>;

/** Texts with more lines than this are not compared: a diff costs the square of the changed lines. */
const MAX_LINES = 3000;

/** Returns the objects of a cache that match, in the order of their keys. */
export function searchCache(
  { indexer }: DiagnosedInformer,
  { text, labels, index, value, limit, after }: ObjectQuery,
  hide: Hide,
): { items: readonly FoundObject[]; total: number; hasMore: boolean } {
  const matcher = labels === '' ? undefined : parseLabelSelector(labels);
  const keys =
    index === undefined || value === undefined
      ? [...indexer.keys()]
      : valuesOf(indexer, index)
          .filter((each) => String(each) === value)
          .flatMap((each) => indexer.indexKeys(index as never, each as never));
  const matching = keys
    .filter((key) => key.includes(text))
    .filter(
      (key) =>
        matcher === undefined || matcher.matches(indexer.getByKey(key)?.metadata?.labels ?? {}),
    )
    .sort(compareStrings);
  const start = after === undefined ? 0 : firstAfter(matching, after);
  const items = matching.slice(start, start + limit).flatMap((key) => {
    const object = indexer.getByKey(key);
    return object === undefined ? [] : [found(key, object, hide)];
  });
  return { items, total: matching.length, hasMore: start + limit < matching.length };
}

/**
 * Returns the values of an index that contain a text and no secret; undefined if there is no such index.
 */
export function searchIndex(
  { indexer }: DiagnosedInformer,
  index: string,
  text: string,
  limit: number,
  hide: Hide,
): IndexValues | undefined {
  if (!Object.hasOwn(indexer.getIndexers(), index)) return undefined;
  const matching = valuesOf(indexer, index)
    .filter((value) => String(value).includes(text) && hide(String(value)) === String(value))
    .sort((left, right) => compareStrings(String(left), String(right)));
  const values = matching.slice(0, limit).map((value) => ({
    value: String(value),
    count: indexer.countByIndex(index as never, value as never),
  }));
  return { values, hasMore: matching.length > limit };
}

/** Returns an object as YAML, without secrets and without managed fields. */
export function shownYaml(
  object: object,
  hide: Hide,
): { readonly yaml: string; readonly isRedacted: boolean } {
  const { object: shown, isRedacted } = redactObject(object, hide);
  return { yaml: writeYaml(withoutManagedFields(shown)), isRedacted };
}

/** Returns a change as a diff of what {@link shownYaml} shows. */
export function shownChange({ at, event, before, after }: KeptChange, hide: Hide): ShownChange {
  const [from, to] = [versionOf(before), versionOf(after)];
  const old = before === undefined ? '' : shownYaml(before, hide).yaml;
  const text = after === undefined ? '' : shownYaml(after, hide).yaml;
  const isLarge = [old, text].some((each) => each.split('\n', MAX_LINES + 1).length > MAX_LINES);
  const names = { from: from === '' ? 'nothing' : from, to: to === '' ? 'nothing' : to };
  const diff = isLarge ? 'the object is too large to compare' : unifiedDiff(old, text, names);
  return { at, event, from, to, diff };
}

function valuesOf(indexer: DiagnosedInformer['indexer'], index: string): readonly unknown[] {
  return Object.hasOwn(indexer.getIndexers(), index)
    ? indexer.listIndexFuncValues(index as never)
    : [];
}

function firstAfter(sorted: readonly string[], key: string): number {
  const index = sorted.findIndex((each) => compareStrings(each, key) > 0);
  return index === -1 ? sorted.length : index;
}

function found(key: string, { metadata = {} }: CachedObject, hide: Hide): FoundObject {
  const { namespace = '', name = '', resourceVersion = '', creationTimestamp = '' } = metadata;
  const labels = Object.fromEntries(
    Object.entries(metadata.labels ?? {}).map(([label, value]) => [label, hide(value)]),
  );
  return { key, namespace, name, resourceVersion, creationTimestamp, labels };
}

function versionOf(object: CachedObject | undefined): string {
  return object?.metadata?.resourceVersion ?? '';
}

function withoutManagedFields(value: unknown): unknown {
  const object = value as { readonly metadata?: Readonly<Record<string, unknown>> };
  if (object.metadata === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
