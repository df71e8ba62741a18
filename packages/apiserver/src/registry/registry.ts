import { getKey, jsonEqual, type Random } from 'client-ts/internal';
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
import type { Entry, Store, StoredObject } from '../store/store.ts';
import { type FieldError, invalidObject } from '../validation/field-error.ts';
import { isReadyToRemove, planDeletion } from './deletion.ts';
import { validateCreate, validateUpdate, type ValidateOptions } from './validate.ts';
import { type ApiObject, copyStored } from './object.ts';
import { checkDeletion, checkDeletionOfFull, checkUid, checkVersion } from './preconditions.ts';
import { countsGenerations, prepareUpdate } from './prepare-update.ts';
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

/** Number of names to try for `generateName`. */
const MOST_NAME_ATTEMPTS = 8;

/**
 * The rules that all resources share, between endpoints and store: system fields, generations,
 * optimistic concurrency, finalizers, graceful deletion. Rules of a kind are in its {@link
 * Strategy}. Every operation is synchronous, so no other request can come between its read and its
 * write.
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
    const { metadata } = object;
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
    if ((metadata.resourceVersion ?? '0') !== '0') {
      throw newUnknownError('resourceVersion should not be set on objects to be created');
    }
    // Overwritten by the store; set here for its position among the fields.
    metadata.resourceVersion = '0';
    this.#warn(this.strategy.warnings?.(object, undefined), context);

    const key = this.#key(metadata.namespace ?? '', metadata.name ?? '');
    const existing = this.#store.get(key);
    if (existing !== undefined) throw this.#alreadyExists(existing);
    const canonical = this.#canonical(object);
    if (!context.dryRun) return this.#write(key, canonical);
    delete canonical.metadata.resourceVersion;
    return canonical;
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
    const { part = 'main', mayCreate = this.strategy.createOnUpdate ?? false } = options;
    const key = this.#key(namespace, name);
    const existing = this.#store.get(key);
    if (existing === undefined) {
      if (!mayCreate) throw newNotFound(this, name);
      const object = transform(undefined);
      options.beforeCreate?.(object);
      delete object.metadata.resourceVersion;
      return { value: this.create(object, context), created: true };
    }
    const { strategy } = this;
    const old = this.#copyOf(existing.value);
    const object = transform(existing.value);
    if (options.isUidPrecondition === true) checkUid(this, object, old, key);
    checkVersion(this, object, old, strategy.unconditionalUpdate ?? true);
    const keepsStatusApart = this.#keepsStatusApart;
    prepareUpdate(object, old, { part, strategy, keepsStatusApart, context });
    this.#refuse(object, this.#validateUpdate(object, old, part, context));
    if (part === 'main') this.#warn(strategy.warnings?.(object, old), context);
    if (part === 'status') this.#warn(strategy.statusWarnings?.(object, old), context);
    const value = this.#commit(this.#canonical(object), existing, context);
    return { value, created: false };
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

  /** Deletes an object, or starts its deletion if finalizers or a grace period delay it. */
  delete(
    namespace: string,
    name: string,
    options: DeleteOptions,
    context: StrategyContext,
  ): DeleteResult {
    const { strategy } = this;
    strategy.admitDeletion?.(name, context);
    const entry = this.get(namespace, name);
    if (strategy.emptyFirst === undefined) {
      checkDeletion(this, entry.value, options);
    } else {
      checkDeletionOfFull(this, entry.value, options);
      const object = copyStored(entry.value);
      const step = strategy.emptyFirst(object, options, context);
      if (step === 'mark') return this.#keep(entry, object, context);
      if (step === 'wait') return { kind: 'kept', value: entry.value };
    }
    const { gracePeriodSeconds, propagation = 'Background' } = strategy;
    const rules = { propagation, ...(gracePeriodSeconds && { gracePeriodSeconds }) };
    const step = planDeletion(copyStored(entry.value), options, rules, context.clock.now());
    if (step.kind === 'pending') return { kind: 'kept', value: entry.value };
    if (step.kind === 'mark') return this.#keep(entry, step.update, context);
    const update = step.update && this.#canonical(step.update);
    if (context.dryRun) return { kind: 'removed', value: update ?? entry.value };
    const last = update === undefined ? entry.value : this.#write(entry.key, update);
    return { kind: 'removed', value: this.#remove(entry.key, last, context) };
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

  #commit(object: ApiObject, { key, value }: Entry, context: StrategyContext): StoredObject {
    const mayGo = value.metadata?.deletionTimestamp !== undefined;
    if (mayGo && (this.strategy.isReadyToRemove?.(object) ?? isReadyToRemove(object))) {
      // The response shows the update; watchers see only the deletion of the stored version.
      if (!context.dryRun) this.#remove(key, value, context);
      return object;
    }
    if (equalExceptTimes(value, object)) return value;
    return context.dryRun ? object : this.#write(key, object);
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
    return this.#store.put(key, (revision) => {
      object.metadata.resourceVersion = String(revision);
      return object;
    }).value;
  }
}

/** Letters and digits without vowels and without look-alikes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_NAME = 63;

/** Returns the prefix with five random characters, at most 63 characters in total. */
export function generateName(prefix: string, random: Random): string {
  let suffix = '';
  for (let index = 0; index < SUFFIX_LENGTH; index++) {
    suffix += ALPHABET[Math.floor(random.next() * ALPHABET.length)];
  }
  return prefix.slice(0, LONGEST_NAME - SUFFIX_LENGTH) + suffix;
}
