import { jsonEqual } from 'client-ts/lib';
import {
  ApiError,
  type DeleteOptions,
  formatTime,
  type GroupResource,
  newAlreadyExists,
  newConflict,
  newInvalid,
  newNotFound,
  newUnknownError,
  type StatusCause,
} from 'client-ts/meta';
import { sameButForTimes } from '../fieldmanager/same-but-for-times.ts';
import type { Entry, Store, StoredObject } from '../store/store.ts';
import { type FieldError, toStatusCause } from '../validation/field-error.ts';
import {
  findingsOnCreate,
  type FindingsOptions,
  findingsOnUpdate,
} from './findings.ts';
import { isReadyToRemove, planDeletion } from './deletion.ts';
import { generateName } from './generate-name.ts';
import { type ApiObject, mutableCopy } from './object.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

/** What a registry stores: one resource, whatever the versions it is served in. */
export interface RegistryOptions extends GroupResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly strategy: Strategy;
  /** The main endpoint leaves status alone, and `/status` everything else. */
  readonly hasStatus: boolean;
  readonly store: Store;
  /** Puts what hooks added into its place, and empty fields as they are written. */
  readonly canonical?: (object: ApiObject) => ApiObject;
}

/** How an update treats the object: as a whole, or only one part of it. */
export interface UpdateOptions {
  /** `main`, `status`, or the name of another endpoint that the kind updates through. */
  readonly part?: string;
  /** False where a missing object is 404 even if the kind creates on update (apply is true). */
  readonly mayCreate?: boolean;
  /** The uid of the new object has to be that of the old one, or the update is a conflict. */
  readonly isUidPrecondition?: boolean;
  /** Called before a create that came in as an update (namespace checks, permissions). */
  readonly beforeCreate?: (object: ApiObject) => void;
}

export interface UpdateResult {
  readonly value: StoredObject;
  readonly created: boolean;
}

export type DeleteResult =
  | { readonly kind: 'removed'; readonly value: StoredObject }
  | { readonly kind: 'kept'; readonly value: StoredObject };

/**
 * The rules that every resource follows between the endpoint and the store: system fields,
 * generations, optimistic concurrency, finalizers, grace. What differs from kind to kind is in
 * its {@link Strategy}. Every operation is synchronous, so reading and writing cannot be torn
 * apart by another request.
 */
export class Registry {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly strategy: Strategy;
  readonly hasStatus: boolean;
  readonly #store: Store;
  readonly #canonical: (object: ApiObject) => ApiObject;

  constructor(options: RegistryOptions) {
    this.group = options.group;
    this.resource = options.resource;
    this.kind = options.kind;
    this.namespaced = options.namespaced;
    this.strategy = options.strategy;
    this.hasStatus = options.hasStatus;
    this.#store = options.store;
    this.#canonical = options.canonical ?? ((object): ApiObject => object);
  }

  /** Every key of the resource, or of one namespace of it, starts with this. */
  prefix(namespace = ''): string {
    const bucket = `/${this.group}/${this.resource}/`;
    return this.namespaced && namespace !== '' ? `${bucket}${namespace}/` : bucket;
  }

  key(namespace: string, name: string): string {
    return `${this.prefix(namespace)}${name}`;
  }

  find(namespace: string, name: string): Entry | undefined {
    return this.#store.get(this.key(namespace, name));
  }

  get(namespace: string, name: string): Entry {
    const entry = this.find(namespace, name);
    if (entry === undefined) throw newNotFound(this, name);
    return entry;
  }

  /** Stores a new object; `object` is the request's own and is changed in place. */
  create(object: ApiObject, context: StrategyContext): StoredObject {
    const { metadata } = object;
    if ((metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '') {
      metadata.name = generateName(metadata.generateName ?? '', context.random);
    }
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    delete metadata.selfLink;
    metadata.creationTimestamp = formatTime(context.clock.now());
    metadata.uid = context.random.uuid();
    if (this.#countsGenerations()) metadata.generation = 1;
    if (this.#keepsStatusApart()) delete object['status'];
    this.strategy.prepareForCreate?.(object, context);
    this.#refuse(object, findingsOnCreate(object, this.#findingsOptions(context)));
    if ((metadata.resourceVersion ?? '0') !== '0') {
      throw newUnknownError('resourceVersion should not be set on objects to be created');
    }
    // Overwritten by the store; set now so that it stands in its place.
    metadata.resourceVersion = '0';
    this.#warn(object, undefined, context);

    const key = this.key(metadata.namespace ?? '', metadata.name ?? '');
    const existing = this.#store.get(key);
    if (existing !== undefined) throw this.#alreadyExists(existing);
    const canonical = this.#canonical(object);
    if (!context.dryRun) return this.#write(key, canonical);
    delete canonical.metadata.resourceVersion;
    return canonical;
  }

  /**
   * Replaces an object by what `transform` makes of it. A change of nothing is not a write: the
   * old version is answered as it was.
   */
  update(
    namespace: string,
    name: string,
    context: StrategyContext,
    transform: (existing: StoredObject | undefined) => ApiObject,
    {
      part = 'main',
      mayCreate = this.strategy.createOnUpdate ?? false,
      isUidPrecondition = false,
      beforeCreate,
    }: UpdateOptions = {},
  ): UpdateResult {
    const key = this.key(namespace, name);
    const existing = this.#store.get(key);
    if (existing === undefined) {
      if (!mayCreate) throw newNotFound(this, name);
      const object = transform(undefined);
      beforeCreate?.(object);
      delete object.metadata.resourceVersion;
      return { value: this.create(object, context), created: true };
    }
    const old = mutableCopy(existing.value);
    const object = transform(existing.value);
    if (isUidPrecondition) this.#checkUid(object, old, key);
    this.#checkVersion(object, old);
    this.#carryOver(object, old, part, context);
    if (part !== 'status') this.#moveGeneration(object, old);
    this.#refuse(object, this.#findingsOnUpdate(object, old, part, context));
    if (part === 'main') this.#warn(object, old, context);
    return {
      value: this.#commit(key, this.#canonical(object), old, existing, context),
      created: false,
    };
  }

  /** Replaces an object without asking its kind: for writes that the server itself makes. */
  overwrite(
    namespace: string,
    name: string,
    context: StrategyContext,
    transform: (existing: ApiObject) => ApiObject,
  ): StoredObject {
    const { key, value } = this.get(namespace, name);
    const object = this.#canonical(transform(mutableCopy(value)));
    if (jsonEqual(object, value)) return value;
    return context.dryRun ? object : this.#write(key, object);
  }

  /** Deletes one object, or starts its deletion if something keeps it. */
  delete(
    namespace: string,
    name: string,
    options: DeleteOptions,
    context: StrategyContext,
  ): DeleteResult {
    const entry = this.get(namespace, name);
    this.checkPreconditions(entry.value, options);
    const { gracePeriodSeconds, propagation = 'Background' } = this.strategy;
    const rules = { propagation, ...(gracePeriodSeconds && { gracePeriodSeconds }) };
    const step = planDeletion(mutableCopy(entry.value), options, rules, context.clock.now());
    if (step.kind === 'pending') return { kind: 'kept', value: entry.value };
    if (step.kind === 'mark') {
      const unchanged = jsonEqual(step.update, entry.value);
      const value = unchanged || context.dryRun ? step.update : this.#write(entry.key, step.update);
      return { kind: 'kept', value };
    }
    if (context.dryRun) return { kind: 'removed', value: step.update ?? entry.value };
    const last = step.update === undefined ? entry.value : this.#write(entry.key, step.update);
    return { kind: 'removed', value: this.#remove(entry.key, last, context) };
  }

  /** The first step of a namespace's deletion: marked, and closed for new content. */
  markNamespaceTerminating(
    name: string,
    options: DeleteOptions,
    context: StrategyContext,
  ): StoredObject {
    const entry = this.get('', name);
    const object = mutableCopy(entry.value);
    const rules = { propagation: 'Background' } as const;
    const step = planDeletion(object, options, rules, context.clock.now());
    const update = step.kind === 'mark' ? step.update : object;
    update.metadata.deletionTimestamp ??= formatTime(context.clock.now());
    delete update.metadata.deletionGracePeriodSeconds;
    update['status'] = { ...(update['status'] as object | undefined), phase: 'Terminating' };
    return context.dryRun ? update : this.#write(entry.key, update);
  }

  /** Returns what is answered: the last version, with the version of its deletion. */
  #remove(key: string, last: StoredObject, context: StrategyContext): StoredObject {
    const revision = this.#store.delete(key)?.revision;
    this.strategy.afterDelete?.(mutableCopy(last), context);
    return { ...last, metadata: { ...last.metadata, resourceVersion: String(revision) } };
  }

  #commit(
    key: string,
    object: ApiObject,
    old: ApiObject,
    existing: Entry,
    context: StrategyContext,
  ): StoredObject {
    const removes =
      old.metadata.deletionTimestamp !== undefined &&
      (this.strategy.isReadyToRemove?.(object) ?? isReadyToRemove(object));
    if (removes) {
      // The answer shows the update, watchers only the deletion: what was stored last.
      if (!context.dryRun) this.#remove(key, existing.value, context);
      return object;
    }
    if (sameButForTimes(existing.value, object)) return existing.value;
    return context.dryRun ? object : this.#write(key, object);
  }

  /** System fields that a client cannot change, and the part that this endpoint does not touch. */
  #carryOver(object: ApiObject, old: ApiObject, part: string, context: StrategyContext): void {
    const { metadata } = object;
    metadata.uid ??= old.metadata.uid ?? '';
    delete metadata.selfLink;
    copyField(metadata, old.metadata, 'creationTimestamp');
    // What a client sends here is judged later; what it leaves out stays.
    if (metadata.deletionTimestamp === undefined) {
      copyField(metadata, old.metadata, 'deletionTimestamp');
    }
    if (metadata.deletionGracePeriodSeconds === undefined) {
      copyField(metadata, old.metadata, 'deletionGracePeriodSeconds');
    }
    copyField(metadata, old.metadata, 'generation');
    const { strategy } = this;
    if (part === 'status') {
      if (strategy.prepareForStatusUpdate === undefined) restoreAllButStatus(object, old);
      else strategy.prepareForStatusUpdate(object, old, context);
      return;
    }
    const subresource = strategy.subresources?.[part];
    if (subresource !== undefined) {
      subresource.prepare(object, old, context);
      return;
    }
    if (this.#keepsStatusApart()) copyField(object, old, 'status');
    strategy.prepareForUpdate?.(object, old, context);
  }

  #findingsOnUpdate(
    object: ApiObject,
    old: ApiObject,
    part: string,
    context: StrategyContext,
  ): FieldError[] {
    const subresource = this.strategy.subresources?.[part];
    if (subresource !== undefined) return subresource.validate(object, old, context);
    return findingsOnUpdate(object, old, {
      ...this.#findingsOptions(context),
      part: part === 'status' ? 'status' : 'main',
    });
  }

  #moveGeneration(object: ApiObject, old: ApiObject): void {
    const rule = this.strategy.generation;
    if (!this.#countsGenerations()) return;
    const moves =
      typeof rule === 'function' ? rule(object, old) : !jsonEqual(object['spec'], old['spec']);
    if (moves) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }

  #countsGenerations(): boolean {
    return this.strategy.generation !== undefined && this.strategy.generation !== 'none';
  }

  #keepsStatusApart(): boolean {
    return this.strategy.statusSubresource ?? this.hasStatus;
  }

  #findingsOptions(context: StrategyContext): FindingsOptions {
    return { strategy: this.strategy, namespaced: this.namespaced, context };
  }

  #checkUid(object: ApiObject, old: ApiObject, key: string): void {
    const { uid } = object.metadata;
    if (uid === undefined || uid === '' || uid === old.metadata.uid) return;
    const path = key.replace(/^\/[^/]*/, '/registry');
    throw newConflict(
      this,
      old.metadata.name ?? '',
      `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, ` +
        `AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, ` +
        `UID in object meta: ${old.metadata.uid ?? ''}`,
    );
  }

  #checkVersion(object: ApiObject, old: ApiObject): void {
    const wanted = object.metadata.resourceVersion ?? '';
    if (wanted === '' || wanted === '0') {
      if (this.strategy.unconditionalUpdate === false) {
        // Named by its resource here, not by its kind.
        throw newInvalid({ group: this.group, kind: this.resource }, object.metadata.name ?? '', [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: 0: must be specified for an update',
            field: 'metadata.resourceVersion',
          },
        ]);
      }
    } else if (!/^\d+$/.test(wanted)) {
      throw newUnknownError(`strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`);
    } else if (wanted !== old.metadata.resourceVersion) {
      throw newConflict(
        this,
        old.metadata.name ?? '',
        'the object has been modified; please apply your changes to the latest version and try again',
      );
    }
    object.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
  }

  /** Throws a 409 if the object is not the one, or not in the version, that a deletion is for. */
  checkPreconditions({ metadata }: StoredObject, { preconditions }: DeleteOptions): void {
    if (preconditions === undefined) return;
    const { uid, resourceVersion } = preconditions;
    const kind = { group: this.group, resource: this.kind };
    const name = metadata?.name ?? '';
    if (uid !== undefined && uid !== metadata?.uid) {
      throw newConflict(
        kind,
        name,
        `the UID in the precondition (${uid}) does not match the UID in record ` +
          `(${metadata?.uid ?? ''}). The object might have been deleted and then recreated`,
      );
    }
    if (resourceVersion !== undefined && resourceVersion !== metadata?.resourceVersion) {
      throw newConflict(
        kind,
        name,
        `the ResourceVersion in the precondition (${resourceVersion}) does not match the ` +
          `ResourceVersion in record (${metadata?.resourceVersion ?? ''}). ` +
          'The object might have been modified',
      );
    }
  }

  #alreadyExists({ value }: Entry): ApiError {
    const error = newAlreadyExists(this, value.metadata?.name ?? '');
    if (value.metadata?.deletionTimestamp === undefined) return error;
    return new ApiError({ ...error.status, message: `object is being deleted: ${error.message}` });
  }

  invalid(name: string, causes: readonly StatusCause[]): ApiError {
    return newInvalid(this, name, causes);
  }

  #refuse(object: ApiObject, findings: readonly FieldError[]): void {
    if (findings.length === 0) return;
    throw this.invalid(object.metadata.name ?? '', findings.map(toStatusCause));
  }

  #warn(object: ApiObject, old: ApiObject | undefined, context: StrategyContext): void {
    for (const text of this.strategy.warnings?.(object, old) ?? []) context.warn(text);
  }

  #write(key: string, object: ApiObject): StoredObject {
    return this.#store.put(key, (revision) => {
      object.metadata.resourceVersion = String(revision);
      return object as StoredObject;
    }).value;
  }
}

function copyField<T extends object, K extends keyof T>(target: T, source: T, field: K): void {
  if (source[field] === undefined) delete target[field];
  else target[field] = source[field];
}

/** The generic `/status` update: only status comes from the request. */
function restoreAllButStatus(object: ApiObject, old: ApiObject): void {
  const { status } = object;
  const { managedFields, resourceVersion } = object.metadata;
  for (const field of Object.keys(object)) delete object[field];
  Object.assign(object, old);
  object.metadata = { ...old.metadata };
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}
