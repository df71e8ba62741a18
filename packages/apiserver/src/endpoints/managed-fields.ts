import { cloneJson, type JsonObject } from 'client-ts/internal';
import {
  apiVersionOf,
  formatTime,
  type GroupVersionKind,
  type ManagedFieldsEntry,
} from 'client-ts/meta';
import {
  applyManaged,
  type FieldManagerRequest,
  updateManagedFields,
} from '../fieldmanager/manager.ts';
import { managerName } from '../fieldmanager/managers.ts';
import { resetFieldsOf } from '../fieldmanager/reset-fields.ts';
import type { ApiObject } from '../registry/object.ts';
import { viewOf } from '../registry/served-resource.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';
import { header, type ResourceExchange } from './exchange.ts';
import { toStorage } from './served-body.ts';
import type { WriteOptions } from './write-options.ts';

/** Records field ownership in `object` after an update of `live` (undefined for a create). */
export function trackUpdate(
  exchange: ResourceExchange,
  options: WriteOptions,
  live: StoredObject | undefined,
  object: ApiObject,
): void {
  const managedFields = updateManagedFields({
    ...shared(exchange, options),
    ...(live !== undefined && { live }),
    updated: object,
  });
  if (managedFields === undefined || managedFields.length === 0) {
    delete object.metadata.managedFields;
  } else {
    object.metadata.managedFields = managedFields;
  }
}

/** Returns the field ownership of a new object that is answered and not stored. */
export function managedFieldsOf(
  { info, core, request }: ResourceExchange,
  { fieldManager }: WriteOptions,
  { schema, ...kind }: GroupVersionKind & { readonly schema: Schema },
  object: ApiObject,
): ManagedFieldsEntry[] | undefined {
  return updateManagedFields({
    schema,
    manager: managerName(fieldManager, header(request.headers, 'user-agent')),
    apiVersion: apiVersionOf(kind),
    subresource: info.subresource,
    now: formatTime(core.clock.now()),
    updated: object,
  });
}

/** Applies a configuration to the live object; throws a 409 that names conflicting managers. */
export function applyConfiguration(
  exchange: ResourceExchange,
  options: WriteOptions,
  live: StoredObject | undefined,
  config: JsonObject,
): ApiObject {
  return applyManaged({
    ...shared(exchange, options),
    ...(live !== undefined && { live }),
    config,
    kind: exchange.served.info.kind,
    force: options.force ?? false,
  }).object as ApiObject;
}

function shared(
  exchange: ResourceExchange,
  options: WriteOptions,
): Omit<FieldManagerRequest, 'live'> {
  const { served, info, core } = exchange;
  const resetFields = resetFieldsOf({
    group: served.info.group,
    resource: served.info.resource,
    subresource: info.subresource,
    hasStatus: served.info.subresources.some(({ name }) => name === 'status'),
    custom: served.info.crd !== undefined,
  });
  return {
    schema: served.info.schema,
    manager: managerName(options.fieldManager, header(exchange.request.headers, 'user-agent')),
    apiVersion: apiVersionOf(served.info),
    subresource: info.subresource,
    ...versionConverter(exchange),
    ...(resetFields && { resetFields }),
    now: formatTime(core.clock.now()),
  };
}

/**
 * Managers of other versions own fields by other names. Without a converter all versions count as
 * the same; that includes versions that only a webhook can convert.
 */
function versionConverter({
  served,
  core,
}: ResourceExchange): Pick<FieldManagerRequest, 'converter'> {
  const others = core.catalog.equivalents(served);
  if (others.length === 0 || served.conversion?.usesWebhook === true) return {};
  const all = [served, ...others];
  return {
    converter: (object, apiVersion) => {
      const from = all.find(({ info }) => apiVersionOf(info) === object['apiVersion']) ?? served;
      const to = all.find(({ info }) => apiVersionOf(info) === apiVersion);
      if (to === undefined) return undefined;
      const stored = toStorage(from, cloneJson(object) as unknown as ApiObject);
      return { object: viewOf(to, stored) as JsonObject, schema: to.info.schema };
    },
  };
}
