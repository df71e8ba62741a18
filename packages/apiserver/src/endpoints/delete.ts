import type { DeleteOptions, Status } from 'client-ts/meta';
import type { ApiResponse } from '../http.ts';
import type { DeleteResult } from '../registry/registry.ts';
import { viewOf } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import { readDeleteOptions } from './delete-options.ts';
import { type ResourceExchange, respond } from './exchange.ts';
import { parseListOptions } from './list-options.ts';
import { negotiateFor, respondWithList, respondWithObject } from './respond.ts';
import { selectEntries } from './snapshot.ts';
import { withStrategyContext } from './strategy-context.ts';
import { includeObjectOf } from './table.ts';

/** DELETE of one object. */
export async function deleteObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const options = await readDeleteOptions(exchange);
  const result = deleteOne(exchange, info.namespace, info.name, options);
  const view = viewOf(served, result.value) as StoredObject;
  const showsObject =
    result.kind === 'kept' || served.registry.strategy.deleteReturnsObject === true;
  if (showsObject) return respondWithObject(exchange, 200, view, representation);
  // A Status stays one, but what the table was to include is looked at all the same.
  if (representation.projection === 'Table') includeObjectOf(info.query);
  return respond(exchange, 200, deletedStatus(exchange, view), representation);
}

/** DELETE of a collection: everything that the selectors match, answered as it was before. */
export async function deleteCollection(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const options = await readDeleteOptions(exchange);
  const listOptions = parseListOptions(info.query, false);
  const { entries, metadata } = await selectEntries(exchange, listOptions);
  for (const { value } of entries) {
    const { namespace = '', name = '' } = value.metadata ?? {};
    if (served.registry.find(namespace, name) === undefined) continue;
    deleteOne(exchange, namespace, name, options);
  }
  const objects = entries.map(({ value }) => viewOf(served, value) as StoredObject);
  return respondWithList(exchange, objects, metadata, representation);
}

function deleteOne(
  exchange: ResourceExchange,
  namespace: string,
  name: string,
  options: DeleteOptions,
): DeleteResult {
  const dryRun = (options.dryRun ?? []).length > 0;
  return withStrategyContext(exchange, dryRun, (context) =>
    exchange.served.registry.delete(namespace, name, options, context),
  );
}

function deletedStatus({ served }: ResourceExchange, object: StoredObject): Status {
  const { group, resource } = served.info;
  const { name = '', uid = '' } = object.metadata ?? {};
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group !== '' && { group }), kind: resource, uid },
  };
}
