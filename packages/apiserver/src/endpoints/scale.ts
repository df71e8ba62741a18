import type { Scale } from 'client-ts/api/autoscaling/v1';
import { cloneJson, type JsonObject } from 'client-ts/internal';
import { apiVersionOf, formatTime, type ManagedFieldsEntry } from 'client-ts/meta';
import { managerName } from '../fieldmanager/managers.ts';
import {
  applyManaged,
  type FieldManagerRequest,
  updateManagedFields,
} from '../fieldmanager/manager.ts';
import {
  fromScaleEntries,
  type ReplicasPaths,
  replicasPath,
  toScaleEntries,
} from '../fieldmanager/scale.ts';
import type { ApiResponse } from '../http.ts';
import { type ApiObject, copyStored } from '../registry/object.ts';
import {
  applyScale,
  applyScaleToCustomResource,
  scaleOf,
  scaleOfCustomResource,
} from '../registry/scale.ts';
import { loadViews, type ServedResource, viewOf } from '../registry/served-resource.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';
import {
  parseConfiguration,
  parsePatch,
  patchedObject,
  patchTypeOf,
  reportDuplicates,
} from './patch.ts';
import { type BodyType, readObject } from './body.ts';
import { admittedWrite } from './admission.ts';
import { header, type ResourceExchange } from './exchange.ts';
import { negotiateFor, respondWithObject } from './respond.ts';
import { toStorage } from './served-body.ts';
import { checkName } from './write.ts';
import { parseWriteOptions, type WriteOptions } from './write-options.ts';

const KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** `/scale`: reads or sets the number of replicas of any scalable resource. */
export async function scale(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  if (info.verb === 'get') {
    const { value } = served.registry.get(info.namespace, info.name);
    await loadViews(served, [value]);
    return respondWithObject(exchange, 200, shown(served, value), representation);
  }
  const options = parseWriteOptions(
    info.verb === 'patch' ? 'PatchOptions' : 'UpdateOptions',
    info.query,
    {
      isApply: info.verb === 'patch' && patchTypeOf(exchange) === 'apply',
    },
  );
  const transform = await scaleTransform(exchange, options);
  const request = { dryRun: options.dryRun, type: bodyType(exchange) };
  const { value } = await admittedWrite(exchange, request, (context) => {
    const existing = served.registry.get(info.namespace, info.name);
    const live = copyStored(viewOf(served, existing.value));
    const old = withOwners(served, live);
    return {
      operation: 'UPDATE',
      object: transform(old) as unknown as ApiObject,
      old: currentScale(served, live),
      prepare: (scaled) => {
        const parent = scaleParent(exchange, cloneJson(live), scaled as unknown as Scale);
        return served.registry.prepareUpdate(existing, toStorage(served, parent), context);
      },
      view: (stored) => shown(served, stored) as JsonObject,
    };
  });
  await loadViews(served, [value]);
  return respondWithObject(exchange, 200, shown(served, value), representation);
}

/** Returns the new Scale, with updated managed fields, from the current one. */
type ScaleTransform = (live: Scale) => Scale;

async function scaleTransform(
  exchange: ResourceExchange,
  options: WriteOptions,
): Promise<ScaleTransform> {
  const { info, request } = exchange;
  if (info.verb === 'update') {
    const sent = await readObject(exchange, bodyType(exchange), options.fieldValidation);
    checkName(sent, info.name);
    return (live) => tracked(exchange, options, live, cloneJson(sent) as unknown as Scale);
  }
  const type = patchTypeOf(exchange);
  const text = Buffer.from(await request.body()).toString('utf8');
  if (type === 'apply') {
    const { config, duplicates } = parseConfiguration(text);
    return (live) => {
      const { object } = applyManaged({
        ...managerRequest(exchange, options),
        live: live,
        config,
        kind: KIND.kind,
        force: options.force ?? false,
      });
      reportDuplicates(exchange, options, duplicates);
      return object as Scale;
    };
  }
  const patch = parsePatch(type, text);
  return (live) => {
    const current = live as unknown as JsonObject;
    const object = patchedObject(exchange, options, { type, patch, current }, bodyType(exchange));
    return tracked(exchange, options, live, object as unknown as Scale);
  };
}

function tracked(
  exchange: ResourceExchange,
  options: WriteOptions,
  live: Scale,
  updated: Scale,
): Scale {
  const managedFields = updateManagedFields({
    ...managerRequest(exchange, options),
    live: live,
    updated,
  });
  return withManagedFields(updated, managedFields);
}

function managerRequest(
  exchange: ResourceExchange,
  { fieldManager }: WriteOptions,
): Omit<FieldManagerRequest, 'live'> {
  const { request, core } = exchange;
  return {
    schema: bodyType(exchange).schema,
    manager: managerName(fieldManager, header(request.headers, 'user-agent')),
    apiVersion: apiVersionOf(KIND),
    subresource: 'scale',
    now: formatTime(core.clock.now()),
  };
}

/** Returns the parent with the new number of replicas, owned by the manager that set it. */
function scaleParent({ served }: ResourceExchange, parent: ApiObject, next: Scale): ApiObject {
  const { info, scale: paths } = served;
  const scaled =
    paths === undefined
      ? applyScale(parent, next, info)
      : applyScaleToCustomResource(parent, next, paths);
  const owners = fromScaleEntries(
    parent.metadata.managedFields,
    next.metadata?.managedFields,
    apiVersionOf(info),
    replicasPaths(served),
  );
  return withManagedFields(scaled, owners);
}

function shown(served: ServedResource, stored: StoredObject): StoredObject {
  return currentScale(served, copyStored(viewOf(served, stored)));
}

function currentScale({ scale: paths }: ServedResource, parent: ApiObject): Scale {
  return paths === undefined ? scaleOf(parent) : scaleOfCustomResource(parent, paths);
}

function withOwners(served: ServedResource, parent: ApiObject): Scale {
  const owners = toScaleEntries(parent.metadata.managedFields, replicasPaths(served));
  return withManagedFields(currentScale(served, cloneJson(parent)), owners);
}

function withManagedFields<T extends { metadata?: object }>(
  object: T,
  managedFields: ManagedFieldsEntry[] | undefined,
): T {
  const { managedFields: _old, ...rest } = (object.metadata ?? {}) as {
    managedFields?: ManagedFieldsEntry[];
  };
  return { ...object, metadata: { ...rest, ...(managedFields && { managedFields }) } };
}

function replicasPaths({ info, scale: paths }: ServedResource): ReplicasPaths {
  return new Map([[apiVersionOf(info), replicasPath(paths?.specReplicasPath)]]);
}

function bodyType({ core }: ResourceExchange): BodyType {
  return { ...KIND, schema: core.catalog.model.schemaFor(KIND) as Schema };
}
