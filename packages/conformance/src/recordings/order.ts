import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { textAt } from '../json/pointer.ts';

/** Sorts values by content. */
export function inOwnOrder(values: readonly unknown[]): unknown[] {
  return values
    .map((value) => ({ value, key: sortKey(value) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ value }) => value);
}

/**
 * Pairs the entries of two managed fields by manager. The server sorts them by time in whole
 * seconds, so their order depends on whether two writes fell into the same second. An entry without
 * a counterpart stays alone.
 */
export function managersSideBySide(
  recorded: readonly unknown[],
  own: readonly unknown[],
): (readonly [unknown, unknown])[] {
  const left = [...own];
  const pairs = recorded.map((entry) => {
    const index = left.findIndex((other) => managerKey(other) === managerKey(entry));
    return [entry, index === -1 ? undefined : left.splice(index, 1)[0]] as const;
  });
  return [...pairs, ...left.map((entry) => [undefined, entry] as const)];
}

function managerKey(entry: unknown): string {
  if (!isJsonObject(entry)) return sortKey(entry);
  const { manager, operation, subresource, apiVersion } = entry;
  return sortKey([manager, operation, subresource, apiVersion]);
}

/**
 * Returns a Status with its causes in a comparable order, also in the message, or undefined for
 * anything else. The order of causes is fixed, except where kube-apiserver iterates over a Go map:
 * such neighbours are sorted by map entry. Causes about the same entry keep their order, and all
 * others their position.
 */
export function withWalksInOrder(status: JsonObject): JsonObject | undefined {
  const { details, message } = status;
  if (!isJsonObject(details) || typeof message !== 'string') return undefined;
  const { causes } = details;
  if (!Array.isArray(causes) || causes.length < 2) return undefined;
  const isCustom = !/^(?:|[a-z]+|.*\.k8s\.io)$/.test(textAt(details, '/group'));
  const runs: { map: string | undefined; causes: { cause: JsonValue; entry: string }[] }[] = [];
  for (const cause of causes) {
    const { map, entry = '' }: Partial<MapWalk> = mapWalkOf(cause, isCustom) ?? {};
    const run = runs.at(-1);
    if (map !== undefined && run?.map === map) run.causes.push({ cause, entry });
    else runs.push({ map, causes: [{ cause, entry }] });
  }
  const ordered = runs.flatMap((run) =>
    run.causes
      .toSorted((a, b) => (a.entry < b.entry ? -1 : a.entry > b.entry ? 1 : 0))
      .map(({ cause }) => cause),
  );
  return {
    ...status,
    message: message.replace(listed(causes), () => listed(ordered)),
    details: { ...details, causes: ordered },
  };
}

/** The map that kube-apiserver iterated over to find a cause, and its entry. */
interface MapWalk {
  readonly map: string;
  readonly entry: string;
}

/** Returns the map iteration that a cause comes from, or undefined where the order is fixed. */
function mapWalkOf(cause: JsonValue | undefined, isCustom: boolean): MapWalk | undefined {
  const field = textAt(cause, '/field');
  const reason = textAt(cause, '/reason');
  // Labels and annotations, by key. Only the invalid key or value distinguishes the entries.
  if (/(?:^|\.)metadata\.(?:labels|annotations)$/.test(field)) {
    const entry = /^Invalid value: ("(?:[^"\\]|\\.)*")/.exec(textAt(cause, '/message'))?.[1];
    return entry === undefined ? undefined : { map: field, entry };
  }
  // The keys of a ConfigMap or Secret. Keys that a type of Secret requires are checked in order.
  const data = /^((?:binaryData|data|stringData))\[/.exec(field)?.[1];
  if (data !== undefined && reason !== 'FieldValueRequired') return { map: data, entry: field };
  // The properties of a schema in a CustomResourceDefinition.
  const schema = /^(.*?openAPIV3Schema)\.properties\[/.exec(field)?.[1];
  if (schema !== undefined) {
    return { map: schema, entry: (field.match(/properties\[[^\]]*\]/g) ?? []).join('.') };
  }
  // The properties of a custom resource. Duplicates in lists, and the type of an embedded object,
  // are checked afterwards.
  if (reason === 'FieldValueRequired' && /\.(?:apiVersion|kind)$/.test(field)) return undefined;
  const root = /^(?:spec|status)(?=[.[]|$)/.exec(field)?.[0];
  if (isCustom && root !== undefined && reason !== 'FieldValueDuplicate') {
    return { map: root, entry: field };
  }
  return undefined;
}

function listed(causes: readonly JsonValue[]): string {
  const texts = causes.map((cause) => `${textAt(cause, '/field')}: ${textAt(cause, '/message')}`);
  return `[${texts.join(', ')}]`;
}

function sortKey(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
