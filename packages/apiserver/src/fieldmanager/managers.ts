import { jsonEqual, quoteGo } from 'client-ts/internal';
import type { DeepReadonly, ManagedFieldsEntry, Time } from 'client-ts/meta';

import type { StoredObject } from '../store/store.ts';
import { emptySet, type FieldSet, isEmpty, parseSet, sortSet, union } from './field-set.ts';
import { compareText } from './path-element.ts';

/** What tells one entry of `managedFields` from another. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** An entry of `managedFields`, decoded. */
export interface Manager extends ManagerIdentity {
  readonly set: FieldSet;
  readonly time?: Time;
}

/** The managers of one object by their key. */
export type Managers = Map<string, Manager>;

/** Managed fields that cannot be read. The message is the server's. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/**
 * The key of a manager. One that applies has a single entry whatever the version it applied in;
 * one that updates has an entry per version.
 */
export function managerKey(identity: ManagerIdentity): string {
  const { manager, operation, apiVersion, subresource } = identity;
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

/** `metadata.managedFields`, stored or not. */
export type Entries = DeepReadonly<ManagedFieldsEntry[]> | undefined;

/** Reads `managedFields`. Throws a {@link ManagedFieldsError} if any entry is broken. */
export function decodeManagers(entries: Entries): Managers {
  const managers: Managers = new Map();
  for (const [index, entry] of (entries ?? []).entries()) {
    const manager = decodeManager(entry, index);
    managers.set(managerKey(manager), manager);
  }
  return managers;
}

const operations = ['Apply', 'Update'] as const;

function decodeManager(entry: DeepReadonly<ManagedFieldsEntry>, index: number): Manager {
  const { apiVersion = '', fieldsType = '', time } = entry;
  const operation = operations.find((known) => known === entry.operation);
  if (operation === undefined) {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === '') {
    throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(
      `invalid fieldsType ${quoteGo(fieldsType)} in managed fields entry ${index}`,
    );
  }
  return {
    manager: entry.manager ?? '',
    operation,
    apiVersion,
    subresource: entry.subresource ?? '',
    set: decodeSet(entry),
    ...(time === undefined || time === null ? {} : { time }),
  };
}

function decodeSet(entry: DeepReadonly<ManagedFieldsEntry>): FieldSet {
  try {
    return parseSet(entry.fieldsV1);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new ManagedFieldsError(`error decoding set: ${detail}`, { cause });
  }
}

/**
 * Writes `managedFields` in the server's order: appliers first, then by time in whole seconds, then
 * by name. Undefined if there are no managers. The field sets are shared and must not be changed.
 */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return Array.from(managers.values()).toSorted(compareManagers).map(encodeManager);
}

function encodeManager(manager: Manager): ManagedFieldsEntry {
  return {
    ...(manager.manager === '' ? {} : { manager: manager.manager }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: sortSet(manager.set),
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
  };
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compareText(left.operation, right.operation) ||
    secondsOf(left) - secondsOf(right) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource, right.subresource)
  );
}

/** The time of an entry as far as entries are ordered by it. */
function secondsOf({ time }: Manager): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Gives a manager another set, or takes the manager out if that is empty. */
export function replaceSet(managers: Managers, key: string, set: FieldSet): void {
  const manager = managers.get(key);
  if (manager === undefined) return;
  if (isEmpty(set)) managers.delete(key);
  else if (manager.set !== set) managers.set(key, { ...manager, set });
}

/** How many entries of updates are kept apart. */
const maxUpdateManagers = 10;

/** The manager that collects the oldest updates, one entry per version. */
const collector = 'ancient-changes';

/** Merges the oldest updates of each version into one entry until there are few enough. */
export function capUpdateManagers(managers: Managers): void {
  const updates = Array.from(managers).filter(([, { operation }]) => operation === 'Update');
  let excess = updates.length - maxUpdateManagers;
  if (excess <= 0) return;
  updates.sort(
    ([leftKey, left], [rightKey, right]) =>
      secondsOf(left) - secondsOf(right) || compareText(leftKey, rightKey),
  );
  const oldest = new Map<string, string>();
  for (const [key, { apiVersion }] of updates) {
    if (excess === 0) return;
    const first = oldest.get(apiVersion);
    if (first === undefined) {
      // Alone it has nothing to be merged with.
      oldest.set(apiVersion, key);
    } else {
      collect(managers, first, key);
      excess--;
    }
  }
}

/** Moves the entry of `key` into that of the collector, which starts as the entry of `first`. */
function collect(managers: Managers, first: string, key: string): void {
  const manager = managers.get(key);
  if (manager === undefined) return;
  // The time of the newest entry goes along.
  const identity = { ...manager, manager: collector, subresource: '' };
  const bucket = managerKey(identity);
  const from = managers.has(bucket) && bucket !== key ? bucket : first;
  const collected = managers.get(from);
  managers.delete(from);
  managers.delete(key);
  managers.set(bucket, { ...identity, set: union(manager.set, collected?.set ?? emptySet) });
}

/** In bytes. */
const maxManagerLength = 128;

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * Who makes a request: the `fieldManager` parameter, or else the program in the User-Agent, which is
 * what stands before the first slash. `unknown` if neither tells.
 */
export function managerName(
  fieldManager: string | undefined,
  userAgent: string | undefined,
): string {
  const name = (fieldManager ?? '') === '' ? nameFromUserAgent(userAgent ?? '') : fieldManager;
  return name === undefined || name === '' ? 'unknown' : name;
}

function nameFromUserAgent(userAgent: string): string {
  const [program = ''] = userAgent.split('/', 1);
  let name = '';
  for (const character of program) {
    if (!printable.test(character)) continue;
    if (Buffer.byteLength(name + character) > maxManagerLength) break;
    name += character;
  }
  return name;
}

/**
 * True if two objects differ in nothing but the times in their `managedFields`. Such a write is no
 * change: the old object stays.
 */
export function sameButForTimes(old: StoredObject, updated: StoredObject): boolean {
  return jsonEqual(withoutTimes(old), withoutTimes(updated));
}

function withoutTimes({ metadata, ...object }: StoredObject): unknown {
  const managedFields = metadata?.managedFields?.map(withoutTime);
  return { ...object, metadata: { ...metadata, managedFields } };
}

function withoutTime(entry: NonNullable<Entries>[number]): unknown {
  const { time: _, ...rest } = entry;
  return rest;
}
