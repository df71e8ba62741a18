import type { ObjectMeta } from 'client-ts/meta';

/** Any object of the API, as a test wants to look at it. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta & {
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: readonly ApiObject[];
  readonly [key: string]: unknown;
}
