import type { Unstructured } from '../dynamic/unstructured.ts';
import type { Stored } from '../rest/object-types.ts';
import type { ObjectMeta } from '../meta/types.ts';

/** An object of a file, as it is written there. It has a kind and a name. */
export interface Manifest extends Unstructured {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta & { name: string };
}

/** An object that was applied, or would be with `dryRun`. */
export interface AppliedResult {
  readonly outcome: 'configured' | 'created' | 'unchanged';
  readonly object: Manifest;
  /** The object before; undefined if it did not exist. */
  readonly before: Stored<Unstructured> | undefined;
  readonly after: Stored<Unstructured>;
  readonly error?: undefined;
}

/** An object that was deleted, or would be with `dryRun`. */
export interface DeletedResult {
  /** `pruned` by an apply; `absent` if it did not exist. */
  readonly outcome: 'absent' | 'deleted' | 'pruned';
  readonly object: Manifest;
  readonly error?: undefined;
}

/** An object that could not be applied or deleted. */
export interface FailedResult {
  readonly outcome: 'failed';
  readonly object: Manifest;
  readonly error: Error;
}

/** The result for one object of an apply. */
export type ApplyResult =
  | AppliedResult
  | (DeletedResult & { readonly outcome: 'pruned' })
  | FailedResult;

/** The result for one object of a deletion. */
export type DeleteResult =
  | (DeletedResult & { readonly outcome: 'absent' | 'deleted' })
  | FailedResult;

/** The result for one object. */
export type ManifestResult = ApplyResult | DeleteResult;
