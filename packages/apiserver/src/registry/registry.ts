import { getKey, jsonEqual } from 'client-ts/internal';
import {
  ApiError,
  type DeleteOptions,
  formatTime,
  type GroupResource,
  newAlreadyExists,
  newGenerateNameConflict,
  newNotFound,
  newUnknownError,
} from 'client-ts/meta';
import { equalExceptTimes } from '../fieldmanager/managers.ts';
import { shareParts } from '../store/shared-values.ts';
import type { Entry, Store, StoredObject } from '../store/store.ts';
import { type FieldError, invalidObject } from '../validation/field-error.ts';
import { isReadyToRemove, planDeletion } from './deletion.ts';
import { validateCreate, validateUpdate, type ValidateOptions } from './validate.ts';
import { type ApiObject, copyStored } from './object.ts';
import { warnIfIgnored } from './not-enforced.ts';
import { checkDeletion, checkDeletionOfFull, checkUid, checkVersion } from './preconditions.ts';
import { countsGenerations, prepareUpdate } from './prepare-update.ts';
import { generateName } from './generate-name.ts';
import { checkSize } from './size-limit.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

/** The resource of a registry, independent of the served versions. */
export interface RegistryOptions extends GroupResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly strategy: Strategy;
  /** Whether the main endpoint ignores status, and `/status` everything else. */
  readonly hasStatus: boolean;
  readonly store: Store;
  /** Returns a mutable copy of a stored object, in the version that the strategy handles. */
  readonly copyOf?: ((stored: StoredObject) => ApiObject) | undefined;
  /** Puts the object into canonical field order. */
  readonly canonical?: ((object: ApiObject) => ApiObject) | undefined;
  /**
   * Returns a canonical object in the version of the storage. Undefined if a webhook must convert
   * it; then the caller passes the result to `commit`.
   */
  readonly encode?: ((object: ApiObject) => ApiObject | undefined) | undefined;
}

/** The scope of an update. */
export interface UpdateOptions {
  /** `main`, `status`, or the name of another subresource. */
  readonly part?: string | undefined;
  /** False if a missing object is a 404 even for kinds that create on update. */
  readonly mayCreate?: boolean | undefined;
  /** Whether a `uid` that differs from the stored one is a conflict. */
  readonly isUidPrecondition?: boolean | undefined;
  /** Called before an update that creates the object (namespace checks, permissions). */
  readonly beforeCreate?: ((object: ApiObject) => void) | undefined;
}

export interface UpdateResult {
  readonly value: StoredObject;
  readonly created: boolean;
}

/** `kept`: the object still exists, until its finalizers or its grace period are done. */
export interface DeleteResult {
  readonly kind: 'kept' | 'removed';
  readonly value: StoredObject;
}

/**
 * A write that is prepared and validated but not stored yet. Admission webhooks are asked between
 * the two, so other requests may come in between: check {@link isCurrent} in the turn of {@link
 * commit}.
 */
export interface PendingWrite<R> {
  /** The object to store; undefined for a deletion. */
  readonly object: ApiObject | undefined;
  /** The stored object that this write replaces or deletes; undefined if it does neither. */
  readonly old: StoredObject | undefined;
  /** Returns false if the stored object has changed, so that the write must be prepared again. */
  isCurrent(): boolean;
  /**
   * Stores the result, unless this is a dry run. `encoded` is the object in the version of the
   * storage, for resources that a webhook converts.
   */
  commit(encoded?: ApiObject): R;
}

/** Number of names to try for `generateName`. */
const MOST_NAME_ATTEMPTS = 8;

/**
 * The rules that all resources share, between endpoints and store: system fields, generations,
 * optimistic concurrency, finalizers, graceful deletion. Rules of a kind are in its {@link
 * Strategy}. Every operation is synchronous, so no other request can come between its read and its
 * write; the `prepare…` methods leave the write to the caller.
 */
export class Registry {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly strategy: Strategy;
  readonly #keepsStatusApart: boolean;
  readonly #store: Store;
  readonly #copyOf: (stored: StoredObject) => ApiObject;
  readonly #canonical: (object: ApiObject) => ApiObject;
  readonly #encode: (object: ApiObject) => ApiObject | undefined;

  constructor(options: RegistryOptions) {
    this.group = options.group;
    this.resource = options.resource;
    this.kind = options.kind;
    this.namespaced = options.namespaced;
    this.strategy = options.strategy;
    this.#keepsStatusApart = options.strategy.statusSubresource ?? options.hasStatus;
    this.#store = options.store;
    this.#copyOf = options.copyOf ?? copyStored;
    this.#canonical = options.canonical ?? ((object): ApiObject => object);
    this.#encode = options.encode ?? ((object): ApiObject => object);
  }

  /** Returns the key prefix of the resource, or of one of its namespaces. */
  prefix(namespace = ''): string {
    const bucket = `/${this.group}/${this.resource}/`;
    return this.namespaced && namespace !== '' ? `${bucket}${namespace}/` : bucket;
  }

  find(namespace: string, name: string): Entry | undefined {
    return this.#store.get(this.#key(namespace, name));
  }

  /** Returns an object; throws a 404 if it does not exist. */
  get(namespace: string, name: string): Entry {
    const entry = this.find(namespace, name);
    if (entry === undefined) throw newNotFound(this, name);
    return entry;
  }

  /** Stores a new object. Changes `object` in place, which must belong to the request. */
  create(object: ApiObject, context: StrategyContext): StoredObject {
    return this.prepareCreate(object, context).commit();
  }

  /** Prepares a new object. Changes `object` in place, which must belong to the request. */
  prepareCreate(object: ApiObject, context: StrategyContext): PendingWrite<StoredObject> {
    const { metadata } = object;
    this.strategy.admit?.(object, undefined, context);
    this.#setName(object, context);
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    delete metadata.selfLink;
    metadata.creationTimestamp = formatTime(context.clock.now());
    metadata.uid = context.random.uuid();
    if (countsGenerations(this.strategy)) metadata.generation = 1;
    if (this.#keepsStatusApart) delete object['status'];
    this.strategy.prepareForCreate?.(object, context);
    this.#refuse(object, validateCreate(object, this.#validateOptions(context)));
    this.strategy.check?.(object, undefined, context);
    // Overwritten by the store; set here for its position among the fields.
    metadata.resourceVersion ??= '0';
    this.#warn(this.strategy.warnings?.(object, undefined), context);
    warnIfIgnored(this, object, context);
    const canonical = this.#canonical(object);
    return {
      object: canonical,
      old: undefined,
      isCurrent: () => true,
      commit: (encoded) => this.#insert(canonical, encoded, context),
    };
  }

  /**
   * Replaces an object with the result of `transform`. If nothing changes, nothing is written and
   * the stored version is returned.
   */
  update(
    namespace: string,
    name: string,
    context: StrategyContext,
    transform: (existing: StoredObject | undefined) => ApiObject,
    options: UpdateOptions = {},
  ): UpdateResult {
    const existing = this.findForUpdate(namespace, name, options);
    return this.prepareUpdate(existing, transform(existing?.value), context, options).commit();
  }

  /** Returns the object to update; undefined if the update creates it. Throws a 404. */
  findForUpdate(
    namespace: string,
    name: string,
    { mayCreate = this.strategy.createOnUpdate ?? false }: UpdateOptions = {},
  ): Entry | undefined {
    const existing = this.find(namespace, name);
    if (existing === undefined && !mayCreate) throw newNotFound(this, name);
    return existing;
  }

  /**
   * Prepares the replacement of an object. Changes `object` in place, which must belong to the
   * request.
   */
  prepareUpdate(
    existing: Entry | undefined,
    object: ApiObject,
    context: StrategyContext,
    options: UpdateOptions = {},
  ): PendingWrite<UpdateResult> {
    if (existing === undefined) return this.#prepareCreateByUpdate(object, context, options);
    const { part = 'main' } = options;
    const { strategy } = this;
    const { key } = existing;
    const old = this.#copyOf(existing.value);
    if (options.isUidPrecondition === true) checkUid(this, object, old, key);
    checkVersion(this, object, old, strategy.unconditionalUpdate ?? true);
    const keepsStatusApart = this.#keepsStatusApart;
    prepareUpdate(object, old, { part, strategy, keepsStatusApart, context });
    this.#refuse(object, this.#validateUpdate(object, old, part, context));
    if (part === 'status') strategy.checkStatusUpdate?.(object, old, context);
    else strategy.check?.(object, old, context);
    getKey(strategy.subresources ?? {}, part)?.check?.(object, old, context);
    if (part === 'main') {
      this.#warn(strategy.warnings?.(object, old), context);
      warnIfIgnored(this, object, context);
    }
    if (part === 'status') this.#warn(strategy.statusWarnings?.(object, old), context);
    const canonical = this.#canonical(object);
    return {
      object: canonical,
      old: existing.value,
      isCurrent: () => this.#store.get(key) === existing,
      commit: (encoded = this.#encode(canonical)) => ({
        value: this.#commit(canonical, encoded, existing, context),
        created: false,
      }),
    };
  }

  /** Replaces an object without running its strategy, for writes of the server itself. */
  overwrite(
    namespace: string,
    name: string,
    context: StrategyContext,
    transform: (existing: ApiObject) => ApiObject,
  ): StoredObject {
    const { key, value } = this.get(namespace, name);
    const object = this.#canonical(transform(copyStored(value)));
    if (jsonEqual(object, value)) return value;
    return context.dryRun ? object : this.#write(key, object);
  }

  /**
   * Stores a new object without running its strategy, for objects of the server that clients could
   * not write. Changes `object` in place.
   */
  place(object: ApiObject, { clock, random }: StrategyContext): void {
    const { metadata } = object;
    const { namespace = '', name = '' } = metadata;
    metadata.creationTimestamp = formatTime(clock.now());
    metadata.uid = random.uuid();
    if (countsGenerations(this.strategy)) metadata.generation = 1;
    metadata.resourceVersion = '0';
    this.#write(this.#key(namespace, name), this.#canonical(object));
  }

  /** Deletes an object, or starts its deletion if finalizers or a grace period delay it. */
  delete(
    namespace: string,
    name: string,
    options: DeleteOptions,
    context: StrategyContext,
  ): DeleteResult {
    return this.prepareDelete(namespace, name, options, context).commit();
  }

  /** Prepares a deletion. Has no `old` object if it is already being deleted. */
  prepareDelete(
    namespace: string,
    name: string,
    options: DeleteOptions,
    context: StrategyContext,
  ): PendingWrite<DeleteResult> {
    const { strategy } = this;
    strategy.admitDeletion?.(name, context);
    const entry = this.get(namespace, name);
    if (strategy.emptyFirst === undefined) {
      checkDeletion(this, entry.value, options);
    } else {
      checkDeletionOfFull(this, entry.value, options);
      const object = copyStored(entry.value);
      const step = strategy.emptyFirst(object, options, context);
      if (step === 'mark') return this.#pending(entry, () => this.#keep(entry, object, context));
      if (step === 'wait') return this.#pending(entry, undefined);
    }
    const { gracePeriodSeconds, propagation = 'Background' } = strategy;
    const rules = { propagation, ...(gracePeriodSeconds && { gracePeriodSeconds }) };
    const step = planDeletion(copyStored(entry.value), options, rules, context.clock.now());
    if (step.kind === 'pending') return this.#pending(entry, undefined);
    if (step.kind === 'mark') {
      return this.#pending(entry, () => this.#keep(entry, step.update, context));
    }
    const update = step.update && this.#canonical(step.update);
    return this.#pending(entry, () => {
      if (context.dryRun) return { kind: 'removed', value: update ?? entry.value };
      const last = update === undefined ? entry.value : this.#write(entry.key, update);
      return { kind: 'removed', value: this.#remove(entry.key, last, context) };
    });
  }

  /** A pending deletion; without `remove` nothing changes. */
  #pending(entry: Entry, remove: (() => DeleteResult) | undefined): PendingWrite<DeleteResult> {
    return {
      object: undefined,
      old: remove && entry.value,
      isCurrent: () => this.#store.get(entry.key) === entry,
      commit: remove ?? ((): DeleteResult => ({ kind: 'kept', value: entry.value })),
    };
  }

  #prepareCreateByUpdate(
    object: ApiObject,
    context: StrategyContext,
    { beforeCreate }: UpdateOptions,
  ): PendingWrite<UpdateResult> {
    beforeCreate?.(object);
    delete object.metadata.resourceVersion;
    const pending = this.prepareCreate(object, context);
    return { ...pending, commit: (encoded) => ({ value: pending.commit(encoded), created: true }) };
  }

  #insert(
    object: ApiObject,
    encoded: ApiObject | undefined,
    { dryRun }: StrategyContext,
  ): StoredObject {
    const { name = '', namespace = '', resourceVersion = '0' } = object.metadata;
    const key = this.#key(namespace, name);
    // A check of the storage, which a dry run does not reach.
    if (resourceVersion !== '0' && !dryRun) {
      throw newUnknownError('resourceVersion should not be set on objects to be created');
    }
    const existing = this.#store.get(key);
    if (existing !== undefined) throw this.#alreadyExists(existing);
    const stored = encoded ?? this.#encode(object) ?? object;
    if (!dryRun) return this.#write(key, stored);
    if (resourceVersion === '0') delete stored.metadata.resourceVersion;
    return stored;
  }

  #key(namespace: string, name: string): string {
    return `${this.prefix(namespace)}${name}`;
  }

  #setName({ metadata }: ApiObject, { random }: StrategyContext): void {
    const { name = '', generateName: prefix = '', namespace = '' } = metadata;
    if (name !== '' || prefix === '') return;
    for (let attempt = 0; attempt < MOST_NAME_ATTEMPTS; attempt++) {
      metadata.name = generateName(prefix, random);
      if (this.find(namespace, metadata.name) === undefined) return;
    }
    throw newGenerateNameConflict(this, metadata.name ?? '', 1);
  }

  #keep({ key, value }: Entry, update: ApiObject, { dryRun }: StrategyContext): DeleteResult {
    const object = this.#canonical(update);
    if (jsonEqual(object, value)) return { kind: 'kept', value };
    return { kind: 'kept', value: dryRun ? object : this.#write(key, object) };
  }

  /** Removes an object. Returns its last version with the resourceVersion of the deletion. */
  #remove(key: string, last: StoredObject, context: StrategyContext): StoredObject {
    const revision = this.#store.delete(key)?.revision;
    this.strategy.afterDelete?.(copyStored(last), context);
    return { ...last, metadata: { ...last.metadata, resourceVersion: String(revision) } };
  }

  #commit(
    object: ApiObject,
    encoded: ApiObject | undefined,
    { key, value }: Entry,
    context: StrategyContext,
  ): StoredObject {
    const mayGo = value.metadata?.deletionTimestamp !== undefined;
    if (mayGo && (this.strategy.isReadyToRemove?.(object) ?? isReadyToRemove(object))) {
      // The response shows the update; watchers see only the deletion of the stored version.
      if (!context.dryRun) this.#remove(key, value, context);
      return object;
    }
    if (encoded !== undefined && equalExceptTimes(value, encoded)) return value;
    return context.dryRun ? (encoded ?? object) : this.#write(key, encoded as ApiObject);
  }

  #validateUpdate(
    object: ApiObject,
    old: ApiObject,
    part: string,
    context: StrategyContext,
  ): FieldError[] {
    const subresource = getKey(this.strategy.subresources ?? {}, part);
    if (subresource !== undefined) return subresource.validate(object, old, context);
    return validateUpdate(object, old, {
      ...this.#validateOptions(context),
      part: part === 'status' ? 'status' : 'main',
    });
  }

  #validateOptions(context: StrategyContext): ValidateOptions {
    return { strategy: this.strategy, namespaced: this.namespaced, context };
  }

  #alreadyExists({ value }: Entry): ApiError {
    const error = newAlreadyExists(this, value.metadata?.name ?? '');
    if (value.metadata?.deletionTimestamp === undefined) return error;
    return new ApiError({ ...error.status, message: `object is being deleted: ${error.message}` });
  }

  #refuse({ kind = this.kind, metadata }: ApiObject, findings: readonly FieldError[]): void {
    if (findings.length === 0) return;
    // Uses the kind that was sent, because the kind of a custom resource may be the error.
    const { group } = this;
    throw invalidObject({ group, kind }, metadata.name ?? '', findings);
  }

  #warn(texts: readonly string[] = [], { warn }: StrategyContext): void {
    for (const text of texts) warn(text);
  }

  #write(key: string, object: ApiObject): StoredObject {
    checkSize(key, object);
    shareParts(object);
    return this.#store.put(key, (revision) => {
      object.metadata.resourceVersion = String(revision);
      return object;
    }).value;
  }
}
