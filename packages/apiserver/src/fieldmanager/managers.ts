import {
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  jsonEqual,
  quoteGo,
} from 'client-ts/internal';
import type { DeepReadonly, ManagedFieldsEntry, Time } from 'client-ts/meta';

import type { StoredObject } from '../store/store.ts';
import { emptySet, type FieldSet, isEmpty, parseSet, sortSet, union } from './field-set.ts';
import { compareText } from './path-element.ts';

/** The properties that identify an entry of `managedFields`. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A decoded entry of `managedFields`. */
export interface Manager extends ManagerIdentity {
  readonly set: FieldSet;
  readonly time?: Time;
}

/** The managers of one object by key. */
export type Managers = Map<string, Manager>;

/** Managed fields that cannot be decoded, with the message of a real server. */
export class ManagedFieldsError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('APISERVER_MANAGED_FIELDS_INVALID', message, options);
  }

  static {
    defineErrors(this, 'ManagedFieldsError', 'APISERVER', {
      APISERVER_MANAGED_FIELDS_INVALID: { retry: 'never' },
    });
  }
}

/**
 * Returns the key of a manager. An applier has a single entry for all versions; an updater has one
 * per version.
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

/** Decodes `managedFields`. Throws a {@link ManagedFieldsError} if an entry is invalid. */
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
 * Encodes `managedFields` in the server's order: appliers first, then by time in whole seconds,
 * then by name. Undefined without managers. The field sets are shared and must not be modified.
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

/** The time of an entry, at the precision of sorting. */
function secondsOf({ time }: Manager): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Replaces the set of a manager, or removes the manager if it is empty. */
export function replaceSet(managers: Managers, key: string, set: FieldSet): void {
  const manager = managers.get(key);
  if (manager === undefined) return;
  if (isEmpty(set)) managers.delete(key);
  else if (manager.set !== set) managers.set(key, { ...manager, set });
}

/** How many update entries are kept separate. */
const maxUpdateManagers = 10;

/** The manager that collects the oldest updates, one entry per version. */
const collector = 'ancient-changes';

/** Merges the oldest updates of each version into one entry until the limit holds. */
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
      // A single entry has nothing to merge with.
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
  // Keeps the time of the newest entry.
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
 * Returns the manager of a request: the `fieldManager` parameter, or the program in the User-Agent,
 * which is the part before the first slash. `unknown` without both.
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
 * True if two objects differ only in the times of their `managedFields`. Such a write is no change:
 * the old object stays.
 */
export function equalExceptTimes(old: StoredObject, updated: StoredObject): boolean {
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
