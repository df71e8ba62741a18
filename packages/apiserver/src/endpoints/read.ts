import type { ApiResponse } from '../http.ts';
import { currentView, viewOf } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import type { ResourceExchange } from './exchange.ts';
import { selectEntries, waitForRevision } from './snapshot.ts';
import { type ListOptions, parseListOptions, parseResourceVersion } from './list-options.ts';
import type { Representation } from './negotiation.ts';
import { negotiateFor, PROJECTIONS, respondWithList, respondWithObject } from './respond.ts';
import { watch } from './watch.ts';

/** GET of one object. */
export async function getObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const wanted = parseResourceVersion(info.query.get('resourceVersion') ?? '');
  if (wanted !== undefined) await waitForRevision(exchange, wanted);
  const entry = served.registry.get(info.namespace, info.name);
  const view = await currentView(served, entry.value);
  return respondWithObject(exchange, 200, view, representation);
}

/** GET of a collection: a list, or a watch if the query says so. */
export async function listOrWatch(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info } = exchange;
  const isWatch = info.verb === 'watch';
  const representation = negotiateFor(exchange, PROJECTIONS, { stream: isWatch, watchable: true });
  const options = parseListOptions(queryOf(exchange), isWatch);
  return isWatch
    ? await watch(exchange, options, representation)
    : await list(exchange, options, representation);
}

/** The old watch paths may end with a name, which becomes a field selector. */
function queryOf({ info }: ResourceExchange): URLSearchParams {
  const name = info.parts[1] ?? '';
  if (name === '') return info.query;
  const query = new URLSearchParams(info.query);
  query.set('fieldSelector', `metadata.name=${name}`);
  return query;
}

async function list(
  exchange: ResourceExchange,
  options: ListOptions,
  representation: Representation,
): Promise<ApiResponse> {
  const { entries, metadata } = await selectEntries(exchange, options);
  const objects = entries.map(({ value }) => viewOf(exchange.served, value) as StoredObject);
  return await respondWithList(exchange, objects, metadata, representation);
}
