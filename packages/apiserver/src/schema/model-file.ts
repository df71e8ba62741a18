import type { GroupVersion } from 'client-ts/meta';

import type { OpenApiSchema } from './linker.ts';

/** A subresource. A kind of the same group-version has only its name. */
export interface ModelSubresource {
  readonly subresource: string;
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  readonly verbs: readonly string[];
}

/** A resource in one version. */
export interface ModelResource {
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storedAs?: string;
  readonly subresources?: readonly ModelSubresource[];
}

/** A version with its resources, which are sorted by name. */
export interface ModelGroupVersion extends GroupVersion {
  readonly resources: readonly ModelResource[];
}

/** The data file of the model. */
export interface ModelFile {
  readonly kubernetes: string;
  readonly groupVersions: readonly ModelGroupVersion[];
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
}
