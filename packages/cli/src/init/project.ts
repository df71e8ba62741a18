import type { JsonObject } from 'client-ts/internal';

/** What the files of a new project depend on. */
export interface Project {
  /** The name of the project, its package, image, service account and Lease. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
  /** The name of the descriptor in code: `sites`. */
  readonly variable: string;
  /** The file with type and descriptor, below `src`: `site.ts`, `api/example.com/v1.ts`. */
  readonly module: string;
  /** True if the controller sets conditions. */
  readonly hasConditions: boolean;
  /** True if objects have a `spec`. */
  readonly hasSpec: boolean;
  /** True if the resource is declared in TypeScript; otherwise there is a YAML file. */
  readonly isDeclared: boolean;
  /** The CRD, one document of YAML. */
  readonly definition: string;
  /** An object for `kubectl apply` and the tests. */
  readonly example: JsonObject;
  readonly dependencies: Dependencies;
}

/** Where the packages of client-ts come from: version ranges, or files. */
export interface Dependencies {
  readonly client: string;
  readonly apiserver: string;
}

/** `WebSet` → `web-set`, `HTTPRoute` → `http-route`. */
export function kebabCase(kind: string): string {
  return kind
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** `site-operator` → `Site`: the name without what it is, in capitals. */
export function kindOf(name: string): string {
  const words = name.replace(/-(?:operator|controller)$/, '').split('-');
  const kind = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(kind) ? kind : `K${kind}`;
}
