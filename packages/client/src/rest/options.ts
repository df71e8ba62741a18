import type { FieldMatcher } from '../meta/fields.ts';
import type { LabelMatcher } from '../meta/labels.ts';
import type { DeleteOptions, DeletionPropagation, Open, Preconditions } from '../meta/types.ts';
import type { PatchType } from './patch-type.ts';
import type { QueryParameters } from './path.ts';
import { invalidRequest } from './rest-error.ts';
import type { SendOptions } from './request.ts';
import type { WatchStreamOptions } from './watch.ts';

/** What every call takes. */
export interface CallOptions extends SendOptions {
  /** For this call alone, in milliseconds. Default: that of the config. */
  readonly timeout?: number | undefined;
}

/** How to read one object. */
export interface GetOptions extends CallOptions {
  /** Default: the newest. `'0'` takes what the server has at hand, which may be older. */
  readonly resourceVersion?: string | undefined;
}

/** Which objects of a resource. */
export interface SelectorOptions {
  /** `app=web,tier!=cache`, or what `parseLabelSelector` makes of it. */
  readonly labelSelector?: LabelMatcher | string | undefined;
  /** `spec.nodeName=node-1`; which fields there are depends on the resource. */
  readonly fieldSelector?: FieldMatcher | string | undefined;
  /** One shard of the objects, on servers that have it: `shardRange(object.metadata.uid, …)`. */
  readonly shardSelector?: string | undefined;
}

/** How `resourceVersion` is meant. */
export type ResourceVersionMatch = Open<'Exact' | 'NotOlderThan'>;

/** How to read many objects at once. */
export interface ListOptions extends CallOptions, SelectorOptions {
  /** At most so many; the answer says how to go on. */
  readonly limit?: number | undefined;
  /** Where to go on: `metadata.continue` of the answer before. */
  readonly continue?: string | undefined;
  /** Default: the newest. `'0'` takes what the server has at hand, which may be older. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** How long the server may take, in seconds. */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Items that keep their bytes and are read when they are touched: cheap to keep, and nobody can
   * write to them. See `ReadOnlyCodec`. Default false.
   */
  readonly readOnly?: boolean | undefined;
}

/** How to read many objects page by page. */
export interface ListAllOptions extends Omit<ListOptions, 'continue' | 'limit'> {
  /** Objects per request; 500 unless told otherwise. */
  readonly pageSize?: number | undefined;
}

/** How to watch. */
export interface WatchOptions extends SelectorOptions, WatchStreamOptions {
  /** Events after this one. Default: everything there is as ADDED, then what happens. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** BOOKMARK events, which tell how far the watch has come when nothing happens. Default false. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** First everything there is, then a bookmark with `k8s.io/initial-events-end`. */
  readonly sendInitialEvents?: boolean | undefined;
  /** When the server shall end the watch. Default: within the hour, as it likes. */
  readonly timeoutSeconds?: number | undefined;
}

/** What the server does about fields it does not know and fields that are there twice. */
export type FieldValidation = Open<'Ignore' | 'Strict' | 'Warn'>;

/** How to write. */
export interface WriteOptions extends CallOptions {
  /** Do everything but keep the result. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Who owns the fields that are written. Default: taken from the user agent. */
  readonly fieldManager?: string | undefined;
  /** Default, on the server: `Warn`. */
  readonly fieldValidation?: FieldValidation | undefined;
}

/** How to apply. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take fields away from other managers instead of failing with a conflict. Default false. */
  readonly force?: boolean | undefined;
}

/** How to patch. `apply` must say who applies. */
export type PatchOptions<P extends PatchType, Sub extends string> = (P extends 'apply'
  ? ApplyOptions
  : WriteOptions) & {
  readonly type: P;
  /** Patch this instead of the object itself. */
  readonly subresource?: Sub | undefined;
};

/** How to delete. */
export interface DeletionOptions extends CallOptions {
  readonly dryRun?: boolean | undefined;
  /** 0 deletes at once. Default: what the object says. */
  readonly gracePeriodSeconds?: number | undefined;
  /** What becomes of the objects that this one owns. Default: what the kind says. */
  readonly propagationPolicy?: DeletionPropagation | undefined;
  /** Delete only if the object is still this one. */
  readonly preconditions?: Preconditions | undefined;
  /** Delete even what cannot be read from the store. It can break the cluster. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}

/** The query of a list or a watch. */
export function listParameters(
  options: Omit<ListOptions & WatchOptions, 'signal'>,
): QueryParameters {
  return {
    labelSelector: selectorText('labelSelector', options.labelSelector),
    fieldSelector: selectorText('fieldSelector', options.fieldSelector),
    shardSelector: options.shardSelector,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: options.limit,
    continue: options.continue,
    allowWatchBookmarks: options.allowWatchBookmarks,
    sendInitialEvents: options.sendInitialEvents,
    timeoutSeconds: options.timeoutSeconds,
  };
}

/** A `LabelSelector` of an object has no text form of its own, and would be sent as `[object Object]`. */
function selectorText(
  name: 'fieldSelector' | 'labelSelector',
  selector: FieldMatcher | LabelMatcher | string | undefined,
): string | undefined {
  if (selector === undefined || typeof selector === 'string') return selector;
  if ('requirements' in Object(selector)) return selector.toString();
  throw invalidRequest(
    `the ${name} must be a string or a matcher`,
    'Give labelSelectorAsSelector(selector) for the LabelSelector of an object.',
  );
}

/** The query of a write. */
export function writeParameters(
  options: WriteOptions & { readonly force?: boolean | undefined },
): QueryParameters {
  const { dryRun = false, fieldManager, fieldValidation, force } = options;
  return { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation, force };
}

/** The body of a deletion; undefined if there is nothing to say. */
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
