import type { ApiError } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { CompactedError } from '../store/store.ts';
import { type ResourceExchange, responseHeaders } from './exchange.ts';
import { waitForRevision } from './snapshot.ts';
import { buildPredicate, type ListOptions, parseResourceVersion } from './list-options.ts';
import { contentType, type Representation } from './negotiation.ts';
import { encodedObjectsOf } from './respond.ts';
import { includeObjectOf, tableOfOne } from './table.ts';
import { SharedChunks } from './watch-chunks.ts';
import {
  errorFrames,
  FrameWriter,
  type TableFrame,
  tooOld,
  watchFrames,
  type WatchStart,
} from './watch-stream.ts';

const sharedChunks = {
  json: new WeakMap<ServedResource, SharedChunks>(),
  protobuf: new WeakMap<ServedResource, SharedChunks>(),
};

/** Returns the chunks that a watch shares with others; undefined if its frames are its own. */
function sharedChunksOf(
  served: ServedResource,
  { labelSelector, fieldSelector }: ListOptions,
  { encoding, projection }: Representation,
): SharedChunks | undefined {
  const isWhole = labelSelector.isEmpty && fieldSelector.isEmpty && projection === undefined;
  // The view of a webhook may change without a new version of the object.
  if (!isWhole || encoding === 'yaml' || served.conversion?.usesWebhook === true) return undefined;
  const all = sharedChunks[encoding];
  let chunks = all.get(served);
  if (chunks === undefined) all.set(served, (chunks = new SharedChunks()));
  return chunks;
}

/** Returns what makes tables of objects; undefined if no tables are wanted, so that nothing keeps the request while the watch is open. */
function tableFramesOf(
  exchange: ResourceExchange,
  { projection, projectionVersion = 'v1' }: Representation,
): TableFrame | undefined {
  if (projection !== 'Table') return undefined;
  includeObjectOf(exchange.info.query);
  return (object, first) => tableOfOne(exchange, object, projectionVersion, first);
}

async function* noFrames(): AsyncGenerator<Uint8Array, void, undefined> {}

/**
 * GET of a collection with `watch`. Errors at the start are sent as an ERROR event in the stream:
 * the status is already 200.
 */
export async function watch(
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
  const frames = new FrameWriter(
    served,
    representation,
    encodedObjectsOf(served),
    tableFramesOf(exchange, representation),
  );
  if (representation.projection === 'PartialObjectMetadataList') {
    // An event cannot hold a list; a real server notices too late and closes the stream.
    return { status: 200, headers, body: noFrames(), webSocket: 'events' };
  }
  const source = {
    served,
    store,
    prefix,
    predicate,
    frames,
    shared: sharedChunksOf(served, options, representation),
    options,
    clock: core.clock,
    random: core.random,
    groups: core.watches,
    signal: request.signal,
  };
  const fail = (error: ApiError): ApiResponse => ({
    status: 200,
    headers,
    body: errorFrames(frames, error),
    webSocket: 'events',
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
  return { status: 200, headers, body: watchFrames(source, start), webSocket: 'events' };
}
