import { cloneJson } from 'client-ts/internal';
import { newBadRequest } from 'client-ts/meta';

import { attributesOf, requireAccess } from '../auth/authorize.ts';
import { refuseEscalation } from '../auth/escalation.ts';
import { rbacLookup } from '../auth/rbac.ts';
import type { ApiResponse } from '../http.ts';
import type { ApiObject } from '../registry/object.ts';
import type { UpdateOptions } from '../registry/registry.ts';
import { loadedView, viewOf } from '../registry/served-resource.ts';
import type { StrategyContext } from '../registry/strategy.ts';
import type { StoredObject } from '../store/store.ts';
import { admittedWrite } from './admission.ts';
import { readObject } from './body.ts';
import type { ResourceExchange } from './exchange.ts';
import { trackUpdate } from './managed-fields.ts';
import { checkNamespaceLifecycle } from './namespace-lifecycle.ts';
import { checkNamespace } from './request-namespace.ts';
import { negotiateFor, respondWithObject } from './respond.ts';
import { bodyTypeOf, setDefaults, toStorage } from './served-body.ts';
import { parseWriteOptions, type WriteOptions } from './write-options.ts';

/** POST to a collection. */
export async function createObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const options = parseWriteOptions('CreateOptions', info.query);
  const object = await readObject(exchange, bodyTypeOf(served), options.fieldValidation);
  checkNamespace(object, exchange);
  wipeSystemFields(object);
  setDefaults(served, object);
  trackUpdate(exchange, options, undefined, object);
  const value = await admittedWrite(exchange, options, (context) => {
    checkNamespaceLifecycle(exchange, nameOf(object));
    return {
      operation: 'CREATE',
      object,
      old: undefined,
      prepare: (admitted) => {
        checkNamespace(admitted, exchange);
        checkEscalation(exchange, admitted, undefined);
        return served.registry.prepareCreate(toStorage(served, admitted), context);
      },
    };
  });
  return respondWithObject(exchange, 201, await loadedView(served, value), representation);
}

/** PUT of an object, or of its `/status`. */
export async function updateObject(
  exchange: ResourceExchange,
  { part = 'main' }: Pick<UpdateOptions, 'part'> = {},
): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const options = parseWriteOptions('UpdateOptions', info.query);
  const object = await readObject(exchange, bodyTypeOf(served), options.fieldValidation);
  checkName(object, info.name);
  checkNamespace(object, exchange);
  setDefaults(served, object);
  const transform = (live: StoredObject | undefined): ApiObject => {
    const updated = cloneIfRepeated(exchange, object);
    trackUpdate(exchange, options, live, updated);
    return updated;
  };
  return await commitUpdate(exchange, options, representation, part, transform, {
    isUidPrecondition: true,
  });
}

/** An update that waits for webhooks may have to start again from what was sent. */
function cloneIfRepeated(
  { core: { admission }, served }: ResourceExchange,
  object: ApiObject,
): ApiObject {
  const isSingle =
    served.conversion?.usesWebhook !== true &&
    admission.isIdle('mutatingwebhookconfigurations') &&
    admission.isIdle('validatingwebhookconfigurations');
  return isSingle ? object : cloneJson(object);
}

/**
 * The common part of PUT and PATCH: builds the new object from the old one, in the version of the
 * request, and stores it.
 */
export async function commitUpdate(
  exchange: ResourceExchange,
  options: WriteOptions,
  representation: Parameters<typeof respondWithObject>[3],
  part: NonNullable<UpdateOptions['part']>,
  transform: (live: StoredObject | undefined, context: StrategyContext) => ApiObject,
  rules: Pick<UpdateOptions, 'isUidPrecondition' | 'mayCreate'> = {},
): Promise<ApiResponse> {
  const { info, served, core, user } = exchange;
  const { registry } = served;
  const { value, created } = await admittedWrite(exchange, options, (context) => {
    const scope: UpdateOptions = {
      part,
      ...(part !== 'main' && { mayCreate: false }),
      ...rules,
      beforeCreate: (object) => {
        // Creating an object requires the permission to create, with any method.
        requireAccess(core.policy, attributesOf(user, { ...info, verb: 'create' }));
        checkNamespaceLifecycle(exchange, nameOf(object));
      },
    };
    const existing = registry.findForUpdate(info.namespace, info.name, scope);
    const old = existing && (viewOf(served, existing.value) as StoredObject);
    return {
      operation: old === undefined ? 'CREATE' : 'UPDATE',
      object: transform(old, context),
      old,
      prepare: (object) => {
        checkEscalation(exchange, object, old);
        return registry.prepareUpdate(existing, toStorage(served, object), context, scope);
      },
    };
  });
  const view = await loadedView(served, value);
  return respondWithObject(exchange, created ? 201 : 200, view, representation);
}

/** Roles and bindings must not grant rights that their author does not hold. */
function checkEscalation(
  { core, info, user }: ResourceExchange,
  object: ApiObject,
  old: StoredObject | undefined,
): void {
  refuseEscalation({ user, info, policy: core.policy, lookup: rbacLookup(core) }, object, old);
}

/** A name that is to be generated is not known before admission. */
function nameOf({ metadata: { name = '', generateName = '' } }: ApiObject): string {
  return name === '' ? generateName : name;
}

/** Removes fields that clients cannot set, and that have no manager. */
function wipeSystemFields({ metadata }: ApiObject): void {
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.uid;
}

export function checkName({ metadata }: ApiObject, name: string): void {
  const given = metadata.name ?? '';
  if (given === '') {
    throw newBadRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) {
    throw newBadRequest(
      `the name of the object (${given}) does not match the name on the URL (${name})`,
    );
  }
}
