import { getKey, isJsonObject, type JsonObject, jsonEqual } from '../../lib/json.ts';

/** A step to a field: the name of a field, or the item of a list that has this value in its key. */
export type FieldStep = string | { readonly key: string; readonly value: string };

/** A field that differs between two states of an object. Values are JSON; undefined if absent. */
export interface FieldChange {
  /** As in `spec.replicas` or `status.conditions[Ready].status`. */
  readonly path: string;
  readonly steps: readonly FieldStep[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Fields that the server sets with every write. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'metadata.generation',
  'metadata.managedFields',
  'metadata.resourceVersion',
]);

/** The keys by which lists of the Kubernetes API are merged, the usual ones. */
const ITEM_KEYS = ['name', 'type', 'key'] as const;

/** Beyond these, fields are not distinguished. */
const MAX_FIELDS = 32;
const MAX_DEPTH = 24;
/** A longer value is compared by its beginning and its length. */
const MAX_VALUE = 256;

/**
 * Returns the fields that differ between two states of an object, at most 32. What the server changes
 * with each write (version, generation, managed fields) is left out. Items of lists are matched by
 * their name, type or key; a list without those is one field.
 */
export function fieldChanges(before: object, after: object): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, [], changes);
  return changes;
}

function compare(
  before: unknown,
  after: unknown,
  steps: readonly FieldStep[],
  changes: FieldChange[],
): void {
  if (changes.length >= MAX_FIELDS || before === after) return;
  if (steps.length < MAX_DEPTH) {
    if (isJsonObject(before) && isJsonObject(after)) {
      compareFields(before, after, steps, changes);
      return;
    }
    const key = itemKey(before, after);
    if (key !== undefined) {
      compareItems(key, before as JsonObject[], after as JsonObject[], steps, changes);
      return;
    }
  }
  if (jsonEqual(before, after)) return;
  const path = pathOf(steps);
  if (BOOKKEEPING.has(path)) return;
  changes.push({ path, steps, before: textOf(before), after: textOf(after) });
}

function compareFields(
  before: JsonObject,
  after: JsonObject,
  steps: readonly FieldStep[],
  changes: FieldChange[],
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (steps.length === 1 && BOOKKEEPING.has(`${pathOf(steps)}.${name}`)) continue;
    compare(getKey(before, name), getKey(after, name), [...steps, name], changes);
  }
}

function compareItems(
  key: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  steps: readonly FieldStep[],
  changes: FieldChange[],
): void {
  const [old, now] = [before, after].map(
    (items) => new Map(items.map((item) => [getKey(item, key) as string, item])),
  ) as [Map<string, JsonObject>, Map<string, JsonObject>];
  for (const value of new Set([...old.keys(), ...now.keys()])) {
    compare(old.get(value), now.get(value), [...steps, { key, value }], changes);
  }
}

/** Returns the key that identifies the items of both lists; undefined for other lists. */
function itemKey(before: unknown, after: unknown): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  if (before.length + after.length === 0) return undefined;
  return ITEM_KEYS.find((key) => isKeyOf(key, before) && isKeyOf(key, after));
}

function isKeyOf(key: string, items: readonly unknown[]): boolean {
  const values = new Set(items.map((item) => (isJsonObject(item) ? getKey(item, key) : undefined)));
  return values.size === items.length && [...values].every((value) => typeof value === 'string');
}

/** A field whose name is not a plain word is in brackets, as is an item. */
function pathOf(steps: readonly FieldStep[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step !== 'string') return `${path}[${step.value}]`;
    if (!/^[\w$-]+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

function textOf(value: unknown): string | undefined {
  const text = value === undefined ? undefined : JSON.stringify(value);
  if (text === undefined || text.length <= MAX_VALUE) return text;
  return `${text.slice(0, MAX_VALUE)}… ${text.length}`;
}
