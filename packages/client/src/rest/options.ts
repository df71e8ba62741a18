import type { ReadOnlyCodecs } from '../codec/lazy/read-only-codec.ts';
import type { Clock } from '../lib/clock.ts';
import type { LoggerOption } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { getKey } from '../lib/json.ts';
import type { FieldMatcher } from '../meta/fields.ts';
import type { LabelMatcher } from '../meta/labels.ts';
import type { DeleteOptions, DeletionPropagation, Open, Preconditions } from '../meta/types.ts';
import type { QueryParameters } from './path.ts';
import type { SendOptions } from './request.ts';
import { invalidRequest } from './rest-error.ts';
import type { WatchStreamOptions } from './watch.ts';

/** Options of every call. */
export interface CallOptions extends SendOptions {
  /** The timeout of this call. The server gets it too. Default: that of the config. */
  readonly timeoutMs?: number | undefined;
}

/** Options of `get`. */
export interface GetOptions extends CallOptions {
  /** Default: the newest. `'0'` accepts any version that the server has cached. */
  readonly resourceVersion?: string | undefined;
}

/** Selects objects of a resource. */
export interface SelectorOptions {
  /** `app=web,tier!=cache`, or the result of `parseLabelSelector`. */
  readonly labelSelector?: LabelMatcher | string | undefined;
  /** `spec.nodeName=node-1`. Which fields can be selected depends on the resource. */
  readonly fieldSelector?: FieldMatcher | string | undefined;
  /** One shard of the objects, on servers that support it: `shardRange(object.metadata.uid, …)`. */
  readonly shardSelector?: string | undefined;
}

/** How `resourceVersion` is meant. */
export type ResourceVersionMatch = Open<'Exact' | 'NotOlderThan'>;

/** Options of `list`. */
export interface ListOptions extends CallOptions, SelectorOptions {
  /** The most objects to return; `metadata.continue` of the list leads to the rest. */
  readonly limit?: number | undefined;
  /** `metadata.continue` of the previous page. */
  readonly continue?: string | undefined;
  /** Default: the newest. `'0'` accepts any version that the server has cached. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** How long the server may take, in seconds. */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Return read-only items that keep their bytes and decode fields when they are read: cheap to keep
   * in a cache. See `ReadOnlyCodec`. `ListWatch` makes the forms in which only some fields are kept.
   * Default false.
   */
  readonly readOnly?: ReadOnlyCodecs | boolean | undefined;
}

/** Options of `listAll`. */
export interface ListAllOptions extends Omit<ListOptions, 'continue' | 'limit'> {
  /** Objects per request. Default 500. */
  readonly pageSize?: number | undefined;
}

/** Options of `watch`. */
export interface WatchOptions extends SelectorOptions, WatchStreamOptions {
  /** Send the events after this version. Default: every object as ADDED, then changes. */
  readonly resourceVersion?: string | undefined;
  /** Default: `NotOlderThan` with `sendInitialEvents`, which servers require; else none. */
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /**
   * Send BOOKMARK events, which report the version while nothing changes. Default: true with
   * `sendInitialEvents`, which ends its initial events with a bookmark; else false.
   */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Send every object as ADDED, then a bookmark with `k8s.io/initial-events-end`, then changes. */
  readonly sendInitialEvents?: boolean | undefined;
  /** When the server ends the watch. Default: after 30 to 60 minutes, at random. */
  readonly timeoutSeconds?: number | undefined;
}

/** What the server does about unknown and duplicate fields. */
export type FieldValidation = Open<'Ignore' | 'Strict' | 'Warn'>;

/** Options of calls that write. */
export interface WriteOptions extends CallOptions {
  /** Run admission and validation, but store nothing. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The owner of the written fields. Default: derived by the server from the user agent. */
  readonly fieldManager?: string | undefined;
  /** Default, on the server: `Warn`. */
  readonly fieldValidation?: FieldValidation | undefined;
}

/** Options of `apply`. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take fields from other managers instead of failing with a conflict. Default false. */
  readonly force?: boolean | undefined;
}

/**
 * The type of a patch: `json` is a list of operations, `merge` a document whose lists replace lists,
 * `strategic` the same with lists merged by key (built-in kinds only), `apply` the fields that one
 * manager owns.
 */
export type PatchType = 'apply' | 'json' | 'merge' | 'strategic';

/** Options of `patch`. The type `apply` needs a `fieldManager`. */
export type PatchOptions<P extends PatchType, Sub extends string> = (P extends 'apply'
  ? ApplyOptions
  : WriteOptions) & {
  readonly type: P;
  /** Patch this subresource instead of the object itself. */
  readonly subresource?: Sub | undefined;
};

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  apply: MEDIA_TYPES.applyPatch,
  json: MEDIA_TYPES.jsonPatch,
  merge: MEDIA_TYPES.mergePatch,
  strategic: MEDIA_TYPES.strategicMergePatch,
};

/** Options of `retryWatch`. */
export interface RetryWatchOptions
  extends
    LoggerOption,
    Pick<
      WatchOptions,
      | 'fieldSelector'
      | 'labelSelector'
      | 'maxFrameBytes'
      | 'shardSelector'
      | 'signal'
      | 'timeoutSeconds'
    > {
  /** Delivers events after this version: that of a list, or of the last object seen. */
  readonly resourceVersion: string;
  /** Called before every retry, with the error and the delay. */
  readonly onRetry?: ((error: unknown, delayMs: number) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Options of `watchAll`. */
export interface WatchAllOptions extends Omit<RetryWatchOptions, 'resourceVersion'> {
  /** Objects per request of a list. 0 requests everything in one page. Default 500. */
  readonly pageSize?: number | undefined;
}

/** Returns the content type of a type of patch. */
export function patchContentType(type: PatchType): string {
  const contentType = getKey(patchContentTypes, type);
  if (contentType !== undefined) return contentType;
  const known = Object.keys(patchContentTypes).join(', ');
  throw invalidRequest(`the type of a patch must be one of ${known}, not ${JSON.stringify(type)}`);
}

/** Options of `delete`. */
export interface DeletionOptions extends CallOptions {
  readonly dryRun?: boolean | undefined;
  /** 0 deletes immediately. Default: what the object says. */
  readonly gracePeriodSeconds?: number | undefined;
  /** What happens to the objects that this one owns. Default: depends on the kind. */
  readonly propagationPolicy?: DeletionPropagation | undefined;
  /** Delete only if the object still has this uid and resourceVersion. */
  readonly preconditions?: Preconditions | undefined;
  /** Delete objects that cannot be read from the store. This can break the cluster. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}

/** Returns the query of a list or a watch. */
export function listParameters(
  options: Omit<ListOptions & WatchOptions, 'signal'>,
): QueryParameters {
  const { sendInitialEvents, resourceVersionMatch, allowWatchBookmarks } = options;
  const isStreamed = sendInitialEvents !== undefined;
  return {
    labelSelector: selectorText('labelSelector', options.labelSelector),
    fieldSelector: selectorText('fieldSelector', options.fieldSelector),
    shardSelector: options.shardSelector,
    resourceVersion: options.resourceVersion,
    // Servers answer 422 to sendInitialEvents without it.
    resourceVersionMatch: resourceVersionMatch ?? (isStreamed ? 'NotOlderThan' : undefined),
    limit: options.limit,
    continue: options.continue,
    // The end of the initial events is a bookmark.
    allowWatchBookmarks: allowWatchBookmarks ?? (sendInitialEvents === true ? true : undefined),
    sendInitialEvents,
    timeoutSeconds: options.timeoutSeconds,
  };
}

/** A `LabelSelector` of an object has no text form and would be sent as `[object Object]`. */
function selectorText(
  name: 'fieldSelector' | 'labelSelector',
  selector: FieldMatcher | LabelMatcher | string | undefined,
): string | undefined {
  if (selector === undefined || typeof selector === 'string') return selector;
  if ('requirements' in Object(selector)) return selector.toString();
  throw invalidRequest(
    `the ${name} must be a string or a matcher`,
    'Pass labelSelectorAsSelector(selector) for the LabelSelector of an object.',
  );
}

/** Returns the query of a write. */
export function writeParameters(
  options: WriteOptions & { readonly force?: boolean | undefined },
): QueryParameters {
  const { dryRun = false, fieldManager, fieldValidation, force } = options;
  return { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation, force };
}

/** Returns the body of a deletion; undefined if every option has its default. */
export function deletionBody(options: DeletionOptions): DeleteOptions | undefined {
  const { dryRun = false, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  const { ignoreStoreReadErrorWithClusterBreakingPotential } = options;
  const body: DeleteOptions = {
    ...(dryRun && { dryRun: ['All'] }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(preconditions !== undefined && { preconditions }),
    ...(ignoreStoreReadErrorWithClusterBreakingPotential !== undefined && {
      ignoreStoreReadErrorWithClusterBreakingPotential,
    }),
  };
  return Object.keys(body).length === 0
    ? undefined
    : { apiVersion: 'v1', kind: 'DeleteOptions', ...body };
}
