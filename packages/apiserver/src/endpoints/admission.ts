import { cloneJson, jsonEqual, type JsonObject, type JsonValue } from 'client-ts/internal';
import {
  apiVersionOf,
  type DeleteOptions,
  type GroupVersionKind,
  type KubernetesObject,
  type ManagedFieldsEntry,
  newInternalError,
} from 'client-ts/meta';
import type {
  AdmissionAttributes,
  AdmissionCodec,
  AdmissionForm,
  Operation,
} from '../admission/attributes.ts';
import { decodeManagers, ManagedFieldsError } from '../fieldmanager/managers.ts';
import type { ApiObject } from '../registry/object.ts';
import type { PendingWrite } from '../registry/registry.ts';
import { loadViews, type ServedResource, viewOf } from '../registry/served-resource.ts';
import type { StrategyContext } from '../registry/strategy.ts';
import { strictDecodingError } from '../schema/decode.ts';
import { applySchemaDefaults } from '../schema/defaults.ts';
import type { StoredObject } from '../store/store.ts';
import { type BodyType, decodeObject, UnreadableObjectError } from './body.ts';
import { beginStrategyWrite, type ResourceExchange } from './exchange.ts';
import { checkNamespaceLifecycle } from './namespace-lifecycle.ts';
import { checkNamespace } from './request-namespace.ts';
import { bodyTypeOf, setDefaults, toStorage } from './served-body.ts';

/** A write on its way to the registry, in the version of the request. */
export interface Draft<R> {
  readonly operation: Operation;
  /** The object to write; undefined for a deletion. It belongs to the request. */
  readonly object: ApiObject | undefined;
  /** The stored object; undefined for a create, and for a deletion that changes nothing. */
  readonly old: StoredObject | undefined;
  /** Prepares the write of the object, as mutating webhooks have left it. */
  readonly prepare: (object: ApiObject) => PendingWrite<R>;
  /** Shows what will be stored in the version of the request. Default: as a read does. */
  readonly view?: ((stored: StoredObject) => JsonObject) | undefined;
}

/** The request of a {@link Draft}. */
export interface WriteRequest {
  readonly dryRun: boolean;
  /** The kind of the objects. Default: that of the resource. */
  readonly type?: BodyType | undefined;
  /** Default: the name in the path, or that of the object. */
  readonly name?: string | undefined;
  /** The object that is written. Default: as in the path. */
  readonly target?: { readonly namespace: string; readonly name: string } | undefined;
  /** The options of a deletion; those of other writes are in the query. */
  readonly deleteOptions?: DeleteOptions | undefined;
}

/**
 * Carries out a write: drafts it, lets mutating webhooks change it, prepares and validates it, asks
 * the validating webhooks, checks quotas and stores it. Without webhooks that is one synchronous step. With
 * webhooks another request may be faster; the write then starts again from its result.
 */
export async function admittedWrite<R>(
  exchange: ResourceExchange,
  request: WriteRequest,
  draft: (context: StrategyContext) => Draft<R>,
): Promise<R> {
  for (;;) {
    await loadTarget(exchange, request);
    const write = beginStrategyWrite(exchange, request.dryRun);
    try {
      const drafted = draft(write.context);
      const mutated = mutate(exchange, request, drafted, write.context);
      const object = mutated === undefined ? drafted.object : await mutated;
      const pending = drafted.prepare(object as ApiObject);
      const validated = validate(exchange, request, drafted, pending);
      if (validated !== undefined) await validated;
      const encoding = encode(exchange, pending);
      const encoded = encoding === undefined ? undefined : await encoding;
      if (pending.isCurrent()) {
        const charge = checkQuotas(exchange, drafted, pending);
        const result = pending.commit(encoded);
        write.commit();
        if (!request.dryRun) charge();
        return result;
      }
      write.revert();
    } catch (error) {
      write.revert();
      throw error;
    }
  }
}

/** Throws a 403 if a write exceeds a quota; returns what to call after it. */
function checkQuotas<R>(
  { core, info, served }: ResourceExchange,
  { operation }: Draft<R>,
  { object, old }: PendingWrite<R>,
): () => void {
  if (!core.plugins.has('ResourceQuota')) return () => undefined;
  const { subresource, namespace } = info;
  const request = {
    operation,
    subresource,
    object: object as KubernetesObject | undefined,
    old: old as KubernetesObject | undefined,
  };
  return core.quotas.check(served.info, namespace, request);
}

/** Fetches the view of the stored object, if a conversion webhook makes it. */
async function loadTarget(exchange: ResourceExchange, request: WriteRequest): Promise<void> {
  const { served, info } = exchange;
  if (served.conversion?.load === undefined) return;
  const { namespace, name } = request.target ?? info;
  for (;;) {
    const entry = name === '' ? undefined : served.registry.find(namespace, name);
    const loading = entry && loadViews(served, [entry.value]);
    if (loading === undefined) return;
    // Meanwhile the object may change, so look again.
    await loading;
  }
}

/**
 * Has a conversion webhook convert the object for the storage, also in a dry run, whose answer shows
 * what a read would; undefined if there is none.
 */
function encode<R>(
  { served, core }: ResourceExchange,
  { object }: PendingWrite<R>,
): Promise<ApiObject> | undefined {
  const { conversion, info } = served;
  if (object === undefined || conversion?.convert === undefined) return undefined;
  const storedAs = core.catalog.storageVersion(info);
  if (object.apiVersion === storedAs || !conversion.usesWebhook) return undefined;
  return conversion.convert(object, storedAs);
}

/** Admits an object that is answered instead of stored: a review, a binding, an eviction. */
export async function admitObject(
  exchange: ResourceExchange,
  request: WriteRequest & { readonly type: BodyType },
  object: ApiObject,
): Promise<ApiObject> {
  checkNamespace(object, exchange);
  return await withoutStore(exchange, request, 'CREATE', object);
}

/** Admits a connection to a pod, service or node. */
export async function admitConnection(
  exchange: ResourceExchange,
  type: GroupVersionKind,
  options: JsonObject,
): Promise<void> {
  const object = { kind: type.kind, apiVersion: type.version, ...options } as unknown as ApiObject;
  await withoutStore(exchange, { dryRun: false, type: { ...type, schema: {} } }, 'CONNECT', object);
}

async function withoutStore(
  exchange: ResourceExchange,
  request: WriteRequest,
  operation: Operation,
  object: ApiObject,
): Promise<ApiObject> {
  const { admission } = exchange.core;
  const attributes = attributesOf(exchange, request, { operation, object, old: undefined });
  if (operation === 'CREATE') checkNamespaceLifecycle(exchange, attributes.name);
  const mutated = admission.mutate(attributes);
  const result = mutated === undefined ? object : ((await mutated) as ApiObject);
  const validated = admission.validate({ ...attributes, object: result as JsonObject });
  if (validated !== undefined) await validated;
  return result;
}

function mutate<R>(
  exchange: ResourceExchange,
  request: WriteRequest,
  draft: Draft<R>,
  context: StrategyContext,
): Promise<ApiObject | undefined> | undefined {
  const { object, old } = draft;
  const { admission } = exchange.core;
  if (object === undefined && old === undefined) return undefined;
  if (admission.isIdle('mutatingwebhookconfigurations')) return undefined;
  const mutated = admission.mutate(attributesOf(exchange, request, draft, context));
  if (mutated === undefined || object === undefined) return mutated as Promise<undefined>;
  return keepManagedFields(mutated, exchange, object);
}

/** Managed fields that webhooks have broken are replaced by those of before. */
async function keepManagedFields(
  mutated: Promise<JsonObject | undefined>,
  { warnings, floats }: ResourceExchange,
  before: ApiObject,
): Promise<ApiObject> {
  const { managedFields } = before.metadata ?? {};
  const after = (await mutated) as JsonObject;
  // A patched object is written and read again, which makes whole numbers integers.
  if (!jsonEqual(after, before)) floats.length = 0;
  const object = cloneJson(after) as unknown as ApiObject;
  object.metadata ??= {};
  try {
    decodeManagers(object.metadata.managedFields);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    setManagedFields(object, managedFields);
    warnings.push(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
  return object;
}

function setManagedFields(
  { metadata }: ApiObject,
  entries: ManagedFieldsEntry[] | undefined,
): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

function validate<R>(
  exchange: ResourceExchange,
  request: WriteRequest,
  draft: Draft<R>,
  pending: PendingWrite<R>,
): Promise<void> | undefined {
  const { old, operation } = draft;
  const { admission } = exchange.core;
  if (pending.object === undefined && old === undefined) return undefined;
  if (admission.isIdle('validatingwebhookconfigurations')) return undefined;
  const object = pending.object && (shown(exchange, draft, pending.object) as ApiObject);
  return admission.validate(attributesOf(exchange, request, { operation, object, old }));
}

/** Returns the prepared object as the response will show it, but without a version. */
function shown<R>(
  { served }: ResourceExchange,
  { operation, view = (stored): JsonObject => viewOf(served, stored) as JsonObject }: Draft<R>,
  prepared: ApiObject,
): JsonObject {
  if (operation !== 'CREATE') return view(prepared);
  const { resourceVersion: _placeholder, ...metadata } = prepared.metadata;
  return view({ ...prepared, metadata });
}

function nameOf(object: JsonObject | undefined): string {
  return (object as ApiObject | undefined)?.metadata?.name ?? '';
}

/** What admission needs to know of a draft. */
type AdmittedObjects = Pick<Draft<unknown>, 'object' | 'old' | 'operation'>;

function attributesOf(
  exchange: ResourceExchange,
  request: WriteRequest,
  { operation, object, old }: AdmittedObjects,
  context?: StrategyContext,
): AdmissionAttributes {
  const { info, user, warnings } = exchange;
  const forms = new Forms(exchange, request.type);
  const { name = info.name === '' ? nameOf(object as JsonObject | undefined) : info.name } =
    request;
  const isNamespace = info.resource === 'namespaces' && info.group === '';
  return {
    operation,
    form: forms.own,
    subresource: info.subresource,
    name,
    namespace: isNamespace && info.namespace === '' ? name : info.namespace,
    user,
    dryRun: request.dryRun,
    options: optionsOf(operation, request, info.query),
    object: object as JsonObject | undefined,
    oldObject: old as JsonObject | undefined,
    codec: codecOf(forms, old as ApiObject | undefined, exchange, context),
    warn: (text) => void warnings.push(text),
  };
}

/** Built-in admission concerns whole objects; it works in the version of the request. */
function codecOf(
  forms: Forms,
  old: ApiObject | undefined,
  exchange: ResourceExchange,
  context: StrategyContext | undefined,
): AdmissionCodec {
  const { served, info } = exchange;
  return {
    equivalents: () => forms.others,
    convert: (object, from, to) => forms.convert(object, from, to),
    decode: (value, form, { isStrict = false } = {}) => forms.decode(value, form, isStrict),
    typeOf: (form) => forms.typeOf(form),
    setDefaults: (object, form) => forms.setDefaults(object, form),
    admitBuiltIn: (object) => {
      const { admit } = served.registry.strategy;
      if (admit === undefined || info.subresource !== '' || context === undefined) return;
      admit(object, old, context);
    },
  };
}

function optionsOf(
  operation: Operation,
  { deleteOptions }: WriteRequest,
  query: URLSearchParams,
): JsonObject | undefined {
  const apiVersion = 'meta.k8s.io/v1';
  if (operation === 'CONNECT') return undefined;
  if (operation === 'DELETE') {
    const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun } =
      deleteOptions ?? {};
    return {
      kind: 'DeleteOptions',
      apiVersion,
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(preconditions && { preconditions: { ...preconditions } as JsonObject }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(propagationPolicy !== undefined && { propagationPolicy }),
      ...(dryRun && dryRun.length > 0 && { dryRun: [...dryRun] }),
    };
  }
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion,
    ...(dryRun.length > 0 && { dryRun }),
    ...(fieldManager !== '' && { fieldManager }),
    ...(fieldValidation !== '' && { fieldValidation }),
  };
}

/** The versions of the objects of one request. */
class Forms {
  readonly own: AdmissionForm;
  readonly #exchange: ResourceExchange;
  readonly #type: BodyType | undefined;
  readonly #served = new Map<AdmissionForm, ServedResource>();
  #others: readonly AdmissionForm[] | undefined;

  constructor(exchange: ResourceExchange, type: BodyType | undefined) {
    this.#exchange = exchange;
    this.#type = type;
    this.own = this.#formOf(exchange.served);
  }

  get others(): readonly AdmissionForm[] {
    const { core, served, info } = this.#exchange;
    this.#others ??= core.catalog
      .equivalents(served)
      .filter(
        ({ info: { subresources } }) =>
          info.subresource === '' || subresources.some(({ name }) => name === info.subresource),
      )
      .map((equivalent) => this.#formOf(equivalent));
    return this.#others;
  }

  convert(
    object: JsonObject,
    from: AdmissionForm,
    to: AdmissionForm,
  ): JsonObject | Promise<JsonObject> {
    // Scale and other kinds of subresources are the same in all versions.
    if (this.#type !== undefined) return object;
    const source = this.#served.get(from) as ServedResource;
    const target = this.#served.get(to) as ServedResource;
    const copy = cloneJson(object) as unknown as ApiObject;
    const direct = source.conversion?.convert?.(copy, apiVersionOf(target.info));
    if (direct !== undefined) return direct as Promise<JsonObject>;
    return viewOf(target, toStorage(source, copy)) as JsonObject;
  }

  typeOf(form: AdmissionForm): BodyType {
    return this.#type ?? bodyTypeOf(this.#served.get(form) as ServedResource);
  }

  decode(value: JsonValue, form: AdmissionForm, isStrict: boolean): JsonObject {
    try {
      const type = this.typeOf(form);
      const { object, findings } = decodeObject(value, type, this.#exchange.core.catalog.model);
      // What a custom resource has too much is pruned.
      if (isStrict && type.custom === undefined && findings.length > 0) {
        throw newInternalError(strictDecodingError(findings));
      }
      return object as JsonObject;
    } catch (error) {
      if (!(error instanceof UnreadableObjectError)) throw error;
      throw newInternalError(error.detail);
    }
  }

  setDefaults(object: JsonObject, form: AdmissionForm): void {
    if (this.#type === undefined) {
      setDefaults(this.#served.get(form) as ServedResource, object as ApiObject);
    } else {
      applySchemaDefaults(this.#type.schema, object);
    }
  }

  #formOf(served: ServedResource): AdmissionForm {
    const { group, version, resource, kind } = served.info;
    const form = {
      resource: { group, version, resource },
      kind: this.#type === undefined ? { group, version, kind } : kindOf(this.#type),
    };
    this.#served.set(form, served);
    return form;
  }
}

function kindOf({ group, version, kind }: BodyType): GroupVersionKind {
  return { group, version, kind };
}
