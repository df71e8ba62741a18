import { cloneJson, isJsonObject, jsonEqual, type JsonObject, quoteGo } from 'client-ts/internal';
import {
  type ApiError,
  type KubernetesObject,
  type ManagedFieldsEntry,
  newApplyConflict,
  newBadRequest,
  newUnknownError,
  parseApiVersion,
  type Time,
} from 'client-ts/meta';

import { zeroStruct } from '../schema/zero.ts';
import type { StoredObject } from '../store/store.ts';
import { difference, emptySet, isEmpty, setOf, union } from './field-set.ts';
import { fieldTypeOf } from './field-type.ts';
import { conflictsAfterUpgrade, refreshLastApplied, upgradingManager } from './last-applied.ts';
import { ListItemError } from './list-item.ts';
import {
  capUpdateManagers,
  decodeManagers,
  encodeManagers,
  type Entries,
  ManagedFieldsError,
  type Manager,
  type ManagerIdentity,
  managerKey,
  type Managers,
  replaceSet,
} from './managers.ts';
import { merge } from './merge.ts';
import { compareText, fieldElement, formatPath } from './path-element.ts';
import { prune } from './prune.ts';
import { toFieldSet } from './typed-set.ts';
import {
  type Conflict,
  Differences,
  reconcileManagers,
  takeFromOthers,
  type UpdateContext,
} from './updater.ts';
import { validateConfig } from './validate.ts';

/** The common part of updates and applies. Objects are in the version of the request. */
export interface FieldManagerRequest extends UpdateContext {
  /** The stored object; undefined for a create. */
  readonly live?: StoredObject | undefined;
  /** The name of the manager; see `managerName`. */
  readonly manager: string;
  /** The subresource, such as `status`; empty for the object itself. */
  readonly subresource?: string;
  /** The time of the request, as written in objects. */
  readonly now: Time;
}

/** A create, update or patch. */
export interface UpdateRequest extends FieldManagerRequest {
  /**
   * What the client sent or its patch produced, with defaults, but before admission and before the
   * fields that the server sets: these have no owner. Its `managedFields` must be as sent.
   */
  readonly updated: KubernetesObject;
}

/** A server-side apply. */
export interface ApplyRequest extends FieldManagerRequest {
  /** The configuration as sent. */
  readonly config: JsonObject;
  /** The kind of the endpoint. */
  readonly kind: string;
  /** Takes over fields that others own, instead of failing. */
  readonly force: boolean;
}

/** Fields that every write sets, which makes their ownership meaningless. */
const strippedFields = setOf(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => [fieldElement('metadata'), fieldElement(name)]),
);

/**
 * Returns the `managedFields` of an object after a create, update or patch: the writer owns the
 * fields that it changes. Undefined if the object is not tracked: a client can disable tracking
 * with an empty list, until the next apply. The result shares field sets with the live object.
 */
export function updateManagedFields(request: UpdateRequest): ManagedFieldsEntry[] | undefined {
  const { live, updated } = request;
  const managers = managersToStartWith(request);
  if (managers.size === 0 && (live?.metadata?.uid ?? '') !== '') return undefined;
  try {
    trackUpdate(managers, liveContent(request), withoutManagedFields(updated), request);
  } catch (error) {
    // The object cannot be split into fields; validation reports it better.
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
  capUpdateManagers(managers);
  return encodeManagers(managers);
}

/**
 * A client may replace `managedFields`, but not through a subresource. Invalid or absent
 * `managedFields` leave the stored ones unchanged.
 */
function managersToStartWith({ live, updated, subresource = '' }: UpdateRequest): Managers {
  const sent = subresource === '' ? (updated.metadata?.managedFields ?? undefined) : undefined;
  if (sent !== undefined && isReset(sent)) return new Map();
  const managers = decodeOr(sent, () => new Map());
  return managers.size > 0 ? managers : decodeOr(live?.metadata?.managedFields, () => new Map());
}

function decodeOr(entries: Entries, otherwise: (error: ManagedFieldsError) => Managers): Managers {
  try {
    return decodeManagers(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return otherwise(error);
    throw error;
  }
}

function isReset(entries: NonNullable<Entries>): boolean {
  const [only, ...others] = entries;
  return only === undefined || (others.length === 0 && jsonEqual(only, {}));
}

/** Moves changed fields to the manager, away from all others. */
function trackUpdate(
  managers: Managers,
  before: JsonObject,
  after: JsonObject,
  request: FieldManagerRequest,
): void {
  reconcileManagers(managers, before, request);
  const differences = new Differences(before, after, request);
  takeFromOthers(managers, '', differences, true);
  const { modified = emptySet, added = emptySet } = differences.in(request.apiVersion) ?? {};
  const taken = difference(union(modified, added), strippedFields);
  if (isEmpty(taken)) return;
  const identity = identityOf(request, 'Update');
  const key = managerKey(identity);
  const set = union(taken, managers.get(key)?.set ?? emptySet);
  managers.set(key, { ...identity, set, time: request.now });
}

function identityOf(
  { manager, apiVersion, subresource = '' }: FieldManagerRequest,
  operation: ManagerIdentity['operation'],
): ManagerIdentity {
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource };
}

/**
 * Server-side apply: returns the live object merged with the configuration, without what the
 * manager applied before and no longer does, and with `managedFields`. The caller owns the result;
 * defaults are not applied. If nothing changes, returns the live object with its times.
 *
 * Throws an ApiError: 409 if others own fields that would change, 400 for a configuration of
 * another kind or with `managedFields`, 500 (like a real server) for one that does not fit the
 * schema.
 */
export function applyManaged(request: ApplyRequest): { readonly object: KubernetesObject } {
  const { live, config, manager } = request;
  const managers = decodeOr(live?.metadata?.managedFields, (error) => {
    throw newUnknownError(`failed to decode managed fields: ${error.message}`);
  });
  checkKind(request);
  checkConfig(request);
  const before = liveContent(request);
  const merged = withListErrors(before, () => {
    if (managers.size === 0) {
      const empty = zeroStruct(request.schema);
      trackUpdate(managers, empty, before, { ...request, manager: 'before-first-apply' });
    }
    return mergeWithoutConflicts(before, managers, request);
  });
  const object = cloneJson(merged.object);
  if (manager === upgradingManager) refreshLastApplied(object, config);
  return { object: withManagedFields(object, encodeManagers(merged.managers)) };
}

function withListErrors<T>(live: JsonObject, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ListItemError)) throw error;
    throw newUnknownError(
      `failed to create typed live object (${describe(live)}): ${error.message}`,
    );
  }
}

function mergeWithoutConflicts(
  live: JsonObject,
  managers: Managers,
  request: ApplyRequest,
): Merged {
  const merged = mergeConfig(live, managers, request, request.force);
  if (merged.conflicts.length === 0) return merged;
  const conflicts =
    request.manager === upgradingManager
      ? conflictsAfterUpgrade(merged.conflicts, live, request)
      : merged.conflicts;
  if (conflicts.length > 0) throw applyConflict(conflicts);
  return mergeConfig(live, managers, request, true);
}

function checkKind({ config, apiVersion, kind }: ApplyRequest): void {
  if (config['apiVersion'] === apiVersion && config['kind'] === kind) return;
  throw newBadRequest(`invalid object type: ${describeKind(config)}`);
}

function checkConfig({ config, schema }: ApplyRequest): void {
  if (Array.isArray(metadataOf(config)['managedFields'])) {
    throw newBadRequest('metadata.managedFields must be nil');
  }
  const problem = validateConfig(config, fieldTypeOf(schema));
  if (problem === undefined) return;
  throw newUnknownError(`failed to create typed patch object (${describe(config)}): ${problem}`);
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}

function describe(object: JsonObject): string {
  const { name, namespace } = metadataOf(object);
  return `${textOf(namespace)}/${textOf(name)}; ${describeKind(object)}`;
}

function describeKind(config: JsonObject): string {
  const { group, version } = parseApiVersion(textOf(config['apiVersion']));
  return `${group}/${version}, Kind=${textOf(config['kind'])}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

interface Merged {
  readonly object: JsonObject;
  readonly managers: Managers;
  /** If not empty, the other fields are not valid. */
  readonly conflicts: readonly Conflict[];
}

function mergeConfig(
  live: JsonObject,
  original: Managers,
  request: ApplyRequest,
  force: boolean,
): Merged {
  const { config, schema, now, resetFields } = request;
  const managers: Managers = new Map(original);
  reconcileManagers(managers, live, request);
  const type = fieldTypeOf(schema);
  const merged = merge(live, config, type);
  const identity = identityOf(request, 'Apply');
  const key = managerKey(identity);
  const last = managers.get(key);
  const applied = toFieldSet(config, type);
  const set = resetFields === undefined ? applied : resetFields(applied);
  managers.set(key, { ...last, ...identity, set });
  const object = prune(merged, managers, last, request);
  const conflicts = takeFromOthers(managers, key, new Differences(live, object, request), force);
  if (conflicts.length > 0 && !force) return { object, managers, conflicts };

  const kept = difference(set, strippedFields);
  replaceSet(managers, key, kept);
  const changed = !jsonEqual(live, object);
  const own = managers.get(key);
  if (changed && own !== undefined) managers.set(key, { ...own, time: now });
  return { object: changed ? object : live, managers, conflicts: [] };
}

/** Returns the object to compare a write with: for a create, the zero value of its type. */
function liveContent({ live, schema }: FieldManagerRequest): JsonObject {
  return live === undefined ? zeroStruct(schema) : withoutManagedFields(live);
}

function withoutManagedFields(object: StoredObject): JsonObject {
  if (object.metadata === undefined) return { ...object } as JsonObject;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}

function withManagedFields(
  object: JsonObject,
  managedFields: ManagedFieldsEntry[] | undefined,
): KubernetesObject {
  const result = object as KubernetesObject;
  if (managedFields !== undefined) (result.metadata ??= {}).managedFields = managedFields;
  return result;
}

/** Returns the 409 of an apply with conflicts, with one cause for each field. */
function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const byManager = groupByManager(conflicts);
  const causes = Array.from(byManager).flatMap(([manager, fields]) =>
    fields.map(({ path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${manager}`,
      field: formatPath(path),
    })),
  );
  const [only] = causes;
  if (causes.length === 1 && only !== undefined) {
    const message = `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
    return newApplyConflict(causes, message);
  }
  const lines = Array.from(byManager).flatMap(([manager, fields]) => [
    `conflicts with ${manager}:`,
    ...fields.map(({ path }) => `- ${formatPath(path)}`),
  ]);
  const message = `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return newApplyConflict(causes, message);
}

function groupByManager(conflicts: readonly Conflict[]): Map<string, Conflict[]> {
  const groups = new Map<string, Conflict[]>();
  const inOrder = conflicts.toSorted((left, right) =>
    compareText(managerKey(left.manager), managerKey(right.manager)),
  );
  for (const conflict of inOrder) {
    const manager = describeManager(conflict.manager);
    const group = groups.get(manager);
    if (group === undefined) groups.set(manager, [conflict]);
    else group.push(conflict);
  }
  return groups;
}

/** `"hpa" with subresource "scale" using apps/v1`; appliers have one entry for all versions. */
function describeManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const parts = [quoteGo(manager)];
  if (subresource !== '') parts.push(`with subresource ${quoteGo(subresource)}`);
  if (operation === 'Update') parts.push(`using ${apiVersion}`);
  return parts.join(' ');
}
