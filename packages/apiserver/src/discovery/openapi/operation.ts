import type { GroupVersion, GroupVersionKind } from 'client-ts/meta';

import type { Model } from '../../schema/model.ts';

/* The operations of the API, independent of the OpenAPI version. */

export type Method = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

/** The values of `x-kubernetes-action`. */
export type Action =
  | 'connect'
  | 'delete'
  | 'deletecollection'
  | 'get'
  | 'list'
  | 'patch'
  | 'post'
  | 'put'
  | 'watch'
  | 'watchlist';

/** The type of a response that is not an object. */
export const TEXT = '';

/** One method of one path. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** What it does, for operations without a kind. */
  readonly about?: string;
  /** Absent for discovery. */
  readonly action?: Action;
  readonly kind?: GroupVersionKind;
  /** The query parameters, sorted by name. */
  readonly query: readonly QueryParameter[];
  readonly body?: {
    /** A type name. */
    readonly type: string;
    readonly required: boolean;
  };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Type names by status, without the 401 that all operations have. */
  readonly responses: Readonly<Record<number, string>>;
}

/** A path with its methods. Parameters are in braces. */
export interface ApiPath {
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

/** The types of all query parameters. */
export const QUERY_PARAMETERS = {
  allowWatchBookmarks: 'boolean',
  command: 'string',
  container: 'string',
  continue: 'string',
  dryRun: 'string',
  fieldManager: 'string',
  fieldSelector: 'string',
  fieldValidation: 'string',
  follow: 'boolean',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  insecureSkipTLSVerifyBackend: 'boolean',
  labelSelector: 'string',
  limit: 'integer',
  limitBytes: 'integer',
  orphanDependents: 'boolean',
  path: 'string',
  ports: 'integer',
  pretty: 'string',
  previous: 'boolean',
  propagationPolicy: 'string',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  shardSelector: 'string',
  sinceSeconds: 'integer',
  stderr: 'boolean',
  stdin: 'boolean',
  stdout: 'boolean',
  stream: 'string',
  tailLines: 'integer',
  timeoutSeconds: 'integer',
  timestamps: 'boolean',
  tty: 'boolean',
  watch: 'boolean',
} as const;

export type QueryParameter = keyof typeof QUERY_PARAMETERS;

/** Returns the query parameters that came with a later release than that of the model. */
export function unknownQuery({ minor }: Model): ReadonlySet<QueryParameter> {
  return new Set(minor < 36 ? ['shardSelector'] : []);
}

/** Returns the names of the parameters in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
}

/** Returns the query parameters that all methods of a path share; OpenAPI lists them once. */
export function sharedQuery({ operations }: ApiPath): ReadonlySet<QueryParameter> {
  const [first, ...others] = Object.values(operations);
  return new Set(
    (first?.query ?? []).filter((name) => others.every(({ query }) => query.includes(name))),
  );
}

/** The word for a group in operation names: `core`, `apps`, `rbacAuthorization`. */
function groupWord(group: string): string {
  return camelCase(group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));
}

/** Returns the tag of operations: `core_v1`, or only the group. */
export function operationTag(group: string, version?: string): string {
  return version === undefined ? groupWord(group) : `${groupWord(group)}_${version}`;
}

/** Returns the unique name of an operation: `listCoreV1NamespacedPod`. */
export function operationId(
  verb: string,
  { group, version }: Pick<GroupVersion, 'group'> & Partial<GroupVersion>,
  rest: string,
): string {
  return `${verb}${capitalize(groupWord(group))}${capitalize(camelCase(version ?? ''))}${capitalize(rest)}`;
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function camelCase(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/);
  return first + others.map(capitalize).join('');
}
