import { sleep } from 'client-ts/lib';
import {
  type ApiError,
  apiVersionOf,
  type ListMeta,
  newBadRequest,
  newResourceExpired,
  newTooLargeResourceVersion,
} from 'client-ts/meta';
import type { ApiResponse } from '../http.ts';
import { type ServedResource, viewOf } from '../registry/served-resource.ts';
import { CompactedError, type Entry, type StoredObject } from '../store/store.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import {
  encode,
  encodeJsonList,
  JsonCache,
  partialMetadata,
  partialMetadataList,
} from './encoder.ts';
import { type ResourceExchange, respond, responseHeaders, wishesOf } from './exchange.ts';
import {
  type ListOptions,
  parseListOptions,
  parseListResourceVersion,
  parseResourceVersion,
} from './list-options.ts';
import { contentType, negotiate, type Projection, type Representation } from './negotiation.ts';
import { buildPredicate } from './predicate.ts';
import { isAList, notAList } from './projection-mismatch.ts';
import { includeObjectOf, tableOf, tableOfOne } from './table.ts';
import { errorFrames, tooOld, watchFrames, type WatchStart } from './watch.ts';
import { FrameWriter } from './watch-frames.ts';

/** How long a read waits for a version that has not happened yet. */
const FRESHNESS_WAIT_MS = 3_000;

interface Caches {
  readonly json: JsonCache;
  readonly protobuf: WeakMap<StoredObject, Uint8Array>;
}

const caches = new WeakMap<ServedResource, Caches>();

function cachesOf(served: ServedResource): Caches {
  let found = caches.get(served);
  if (found === undefined) {
    found = { json: new JsonCache(served.info), protobuf: new WeakMap() };
    caches.set(served, found);
  }
  return found;
}

const PROJECTIONS: readonly Projection[] = [
  'Table',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
];

/**
 * Chooses the representation of an answer from what the request accepts. Whether a list was asked
 * for where there is one only shows when the answer is written.
 */
export function negotiateFor(
  { request, served }: ResourceExchange,
  projections: readonly Projection[] = PROJECTIONS,
  { stream = false, watchable = false }: { stream?: boolean; watchable?: boolean } = {},
): Representation {
  const isCustom = served.info.crd !== undefined;
  return negotiate(wishesOf(request), {
    projections,
    stream,
    watchable,
    behindWebLayer: !isCustom,
    ...(isCustom && { encodings: ['json', 'yaml'] }),
  });
}

/** GET of one object. */
export async function getObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const wanted = parseResourceVersion(info.query.get('resourceVersion') ?? '');
  if (wanted !== undefined) await waitForRevision(exchange, wanted);
  const entry = served.registry.get(info.namespace, info.name);
  return respondWithObject(
    exchange,
    200,
    viewOf(served, entry.value) as StoredObject,
    representation,
  );
}

/** An answer with one object of the resource, in the shape that was negotiated. */
export function respondWithObject(
  exchange: ResourceExchange,
  status: number,
  object: StoredObject,
  representation: Representation,
): ApiResponse {
  const { projection, projectionVersion = 'v1' } = representation;
  if (projection === 'PartialObjectMetadataList') throw notAList(exchange.served.info);
  if (projection === 'PartialObjectMetadata') {
    return respond(exchange, status, partialMetadata(object, projectionVersion), representation);
  }
  if (projection === 'Table') {
    return respond(
      exchange,
      status,
      tableOfOne(exchange, object, projectionVersion),
      representation,
    );
  }
  return respond(exchange, status, object, representation);
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

/** The old watch paths may end with a name, which is a selector in disguise. */
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
  return respondWithList(exchange, objects, metadata, representation);
}

/** An answer with a list of the resource. */
export function respondWithList(
  exchange: ResourceExchange,
  objects: readonly StoredObject[],
  metadata: ListMeta,
  representation: Representation,
): ApiResponse {
  const { served, core } = exchange;
  const { info } = served;
  const { projection, projectionVersion = 'v1', encoding, pretty } = representation;
  if (projection === 'PartialObjectMetadata') throw isAList(info);
  if (projection === 'PartialObjectMetadataList') {
    const partial = partialMetadataList(objects, metadata, projectionVersion);
    return respond(exchange, 200, partial, representation);
  }
  if (projection === 'Table') {
    const table = tableOf(exchange, objects, metadata, projectionVersion);
    return respond(exchange, 200, table, representation);
  }
  const headers = responseHeaders(exchange, contentType(representation));
  // Lists of custom resources always say whether they go on.
  const listMeta = info.crd === undefined ? metadata : { continue: '', ...metadata };
  if (encoding === 'json' && !pretty) {
    const body = encodeJsonList(info, objects, listMeta, cachesOf(served).json, core.pause);
    return { status: 200, headers, body, compressible: true };
  }
  const apiVersion = apiVersionOf(info);
  const items = info.crd === undefined ? objects.map(withoutTypeMeta) : objects;
  const whole = { kind: info.listKind, apiVersion, metadata: listMeta, items };
  return { status: 200, headers, body: encode(whole, representation) };
}

function withoutTypeMeta(object: StoredObject): object {
  return { ...object, kind: undefined, apiVersion: undefined };
}

/** The entries that a list shows, with the list's metadata. */
export async function selectEntries(
  exchange: ResourceExchange,
  options: ListOptions,
): Promise<{ entries: readonly Entry[]; metadata: ListMeta }> {
  const { served, core, info } = exchange;
  const { registry } = served;
  const predicate = buildPredicate(served, options.labelSelector, options.fieldSelector);
  const prefix = registry.prefix(info.namespace);
  const { revision, after } = await resolveSnapshot(exchange, options);

  let candidates: readonly Entry[];
  try {
    candidates = core.store.range({
      prefix,
      ...(revision !== undefined && { revision }),
      ...(after !== undefined && { after: `${prefix}${after}` }),
    });
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expiredList(options, after);
  }
  const at = revision ?? core.store.revision;
  // Version 0 means "whatever is there", and then a real server ignores the limit.
  const limit = options.resourceVersion === '0' ? 0 : Math.max(0, options.limit);
  const entries: Entry[] = [];
  let looked = 0;
  for (const entry of candidates) {
    if (limit > 0 && entries.length === limit) break;
    looked++;
    if (predicate(entry.value)) entries.push(entry);
  }
  const metadata: ListMeta = { resourceVersion: String(at) };
  const last = entries.at(-1);
  if (limit > 0 && looked < candidates.length && last !== undefined) {
    const afterKey = `/${last.key.slice(prefix.length)}`;
    metadata.continue = encodeContinueToken({
      revision: at,
      afterKey: served.uncached ? afterKey.slice(1) : afterKey,
    });
    const isFiltered = !options.labelSelector.isEmpty || !options.fieldSelector.isEmpty;
    if (!isFiltered) metadata.remainingItemCount = candidates.length - looked;
  }
  return { entries, metadata };
}

async function resolveSnapshot(
  exchange: ResourceExchange,
  options: ListOptions,
): Promise<{ revision?: number; after?: string }> {
  const { resourceVersion, resourceVersionMatch: match, limit, continueToken } = options;
  if (continueToken !== '') {
    const token = decodeContinueToken(continueToken);
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw newBadRequest('specifying resource version is not allowed when using continue');
    }
    return {
      after: token.afterKey,
      ...(token.revision !== undefined && { revision: token.revision }),
    };
  }
  const wanted = parseListResourceVersion(resourceVersion);
  if (wanted === undefined || wanted === 0) return {};
  await waitForRevision(exchange, wanted);
  // An old client's limit with a version means that very version.
  const exact = match === 'Exact' || (match === '' && limit > 0);
  return exact ? { revision: wanted } : {};
}

/** Gives a version that is about to happen a moment to do so. */
async function waitForRevision(
  { core, served, request }: ResourceExchange,
  wanted: number,
): Promise<void> {
  const { store, clock } = core;
  if (store.revision >= wanted) return;
  if (served.uncached) throw newTooLargeResourceVersion(wanted, store.revision, 0);
  const reached = new AbortController();
  const check = (): void => {
    if (store.revision >= wanted) reached.abort();
  };
  using _subscription = store.subscribe(served.registry.prefix(), check);
  const onAbort = (): void => reached.abort();
  request.signal.addEventListener('abort', onAbort, { once: true });
  await sleep(clock, FRESHNESS_WAIT_MS, reached.signal).catch(() => undefined);
  request.signal.removeEventListener('abort', onAbort);
  if (store.revision < wanted) throw newTooLargeResourceVersion(wanted, store.revision);
}

const EXPIRED_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. ' +
  'You can start a new list without the continue parameter, or use the continue token in this ' +
  'response to retrieve the remainder of the results. Continuing with the provided token results ' +
  'in an inconsistent list - objects that were created, modified, or deleted between the time ' +
  'the first chunk was returned and now may show up in the list.';

function expiredList({ continueToken }: ListOptions, after: string | undefined): ApiError {
  if (continueToken === '' || after === undefined) {
    return newResourceExpired('The resourceVersion for the provided list is too old.');
  }
  return newResourceExpired(
    EXPIRED_CONTINUE,
    encodeContinueToken({ revision: undefined, afterKey: after }),
  );
}

async function* noFrames(): AsyncGenerator<Uint8Array, void, undefined> {}

async function watch(
  exchange: ResourceExchange,
  options: ListOptions,
  representation: Representation,
): Promise<ApiResponse> {
  const { served, core, info, request } = exchange;
  const { store } = core;
  const predicate = buildPredicate(served, options.labelSelector, options.fieldSelector);
  const prefix = served.registry.prefix(info.namespace);
  const wanted = parseResourceVersion(options.resourceVersion);
  const headers = responseHeaders(exchange, contentType(representation, true));
  const frames = new FrameWriter(served, representation, cachesOf(served), (object, first) =>
    tableOfOne(exchange, object, representation.projectionVersion ?? 'v1', first),
  );
  if (representation.projection === 'Table') includeObjectOf(info.query);
  if (representation.projection === 'PartialObjectMetadataList') {
    // An event holds no list; a real server notices too late to say so, and hangs up.
    return { status: 200, headers, body: noFrames() };
  }
  const source = {
    served,
    store,
    prefix,
    predicate,
    frames,
    options,
    clock: core.clock,
    random: core.random,
    signal: request.signal,
  };
  const fail = (error: ApiError): ApiResponse => ({
    status: 200,
    headers,
    body: errorFrames(frames, error),
  });

  const isFromNow = wanted === undefined || wanted === 0;
  const wantsInitial = options.sendInitialEvents ?? isFromNow;
  if (wantsInitial && wanted !== undefined && wanted > store.revision) {
    try {
      await waitForRevision(exchange, wanted);
    } catch (error) {
      return fail(error as ApiError);
    }
  }
  let start: WatchStart;
  if (wantsInitial) {
    const marksInitialEnd =
      options.allowWatchBookmarks && (options.sendInitialEvents === true || !served.uncached);
    start = { revision: store.revision, initial: store.range({ prefix }), marksInitialEnd };
  } else {
    start = { revision: isFromNow ? store.revision : wanted, marksInitialEnd: false };
  }
  const compacted = store.compactedRevision(prefix);
  if (start.revision < compacted) {
    return fail(tooOld(source, new CompactedError(start.revision, compacted)));
  }
  return { status: 200, headers, body: watchFrames(source, start) };
}
