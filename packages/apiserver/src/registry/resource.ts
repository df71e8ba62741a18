import type { JsonObject } from 'client-ts/internal';
import type { GroupVersionKind, Scope } from 'client-ts/meta';
import type { Schema } from '../schema/schema.ts';

/** One subresource in one served version. */
export interface SubresourceInfo {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** One resource in one served version, built-in or custom, as discovery and routing use it. */
export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  /** Lower-case plural, as in URLs. */
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly scope: Scope;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
  /** Built-in resources only: the version that discovery says it is stored in, if not the first. */
  readonly storedAs?: string;
  readonly schema: Schema;
  /** Custom resources only: the name of the CRD. */
  readonly crd?: string;
  /** Custom resources only: the schema as written in the CRD, for OpenAPI documents. */
  readonly openApi?: JsonObject;
}

/**
 * Every resource that is served now. CRDs change it at run time, so keep the catalog, not its
 * content.
 */
export interface ResourceCatalog {
  /** Incremented by every change. Caches of derived data are valid while it stays the same. */
  readonly generation: number;
  /** Group-versions in order of preference within each group. */
  groupVersions(): readonly { readonly group: string; readonly version: string }[];
  resources(group: string, version: string): readonly ResourceInfo[];
}
