import type { ReconcileEndRecord } from 'client-ts/observe';

/** An object in the answer to a search of a cache. */
export interface FoundObject {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The answer to a search of a cache. */
export interface FoundObjects {
  readonly items: readonly FoundObject[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** A change of an object. */
export interface ObjectChange {
  readonly at: number;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly diff: string;
}

/** A key that a handler enqueued because of an object. */
export interface TriggeredKey {
  readonly at: number;
  readonly handler: string;
  readonly queue: string;
  readonly key: string;
  readonly resourceVersion: string;
  readonly reconcile?: number;
}

/** An object of a cache, its last changes and what they triggered. */
export interface InspectedObject {
  readonly informer: string;
  readonly key: string;
  readonly resourceVersion: string;
  readonly yaml: string | null;
  readonly isRedacted: boolean;
  readonly changes: readonly ObjectChange[];
  readonly triggered: readonly TriggeredKey[];
}

/** What to search a cache for. */
export interface ObjectSearch {
  readonly informer: string;
  readonly q: string;
  readonly label: string;
  readonly index: string;
  readonly value: string;
  readonly after?: string;
}

/** Reads an answer of the server as text. Throws the message of the server if it refuses. */
export async function readText(path: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(path, signal === undefined ? {} : { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(messageOf(text) ?? `the server answered ${response.status}`);
  return text;
}

/** Searches the cache of an informer. */
export function searchObjects(search: ObjectSearch, signal: AbortSignal): Promise<FoundObjects> {
  return readJson<FoundObjects>(`api/objects?${query({ ...search, limit: '200' })}`, signal);
}

/** The values of an index, for suggestions. */
export async function indexValues(
  informer: string,
  index: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `api/index?${query({ informer, index })}`;
  const { values } = await readJson<{ values: readonly { value: string }[] }>(path, signal);
  return values.map(({ value }) => value);
}

/** An object of a cache. */
export function readObject(
  informer: string,
  key: string,
  signal: AbortSignal,
): Promise<InspectedObject> {
  return readJson<InspectedObject>(`api/object?${query({ informer, key })}`, signal);
}

/** The last reconciles of a key, also those whose records are no longer kept. */
export async function readReconciles(
  controller: string,
  key: string,
  signal: AbortSignal,
): Promise<readonly ReconcileEndRecord[]> {
  const path = `api/reconciles?${query({ controller, key })}`;
  return (await readJson<{ records: readonly ReconcileEndRecord[] }>(path, signal)).records;
}

/** Adds a key to a queue now. */
export async function enqueue(queue: string, key: string): Promise<void> {
  const response = await fetch('api/actions/enqueue', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Client-Ts-Inspector': '1' },
    body: JSON.stringify({ queue, key }),
  });
  if (response.ok) return;
  throw new Error(messageOf(await response.text()) ?? `the server answered ${response.status}`);
}

async function readJson<T>(path: string, signal: AbortSignal): Promise<T> {
  return JSON.parse(await readText(path, signal)) as T;
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return new URLSearchParams(given).toString();
}

/** The message of an answer that is an error of the protocol. */
function messageOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return text === '' ? undefined : text;
  }
}
