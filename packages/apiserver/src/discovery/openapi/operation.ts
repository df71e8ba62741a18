import type { GroupVersion, GroupVersionKind } from 'client-ts/meta';

/*
 * What a client may do, said once for both versions of OpenAPI.
 */

export type Method = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

/** What `x-kubernetes-action` says of an operation. */
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

/** The type of an answer that is no object. */
export const TEXT = '';

/** One method of one path. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** With the kind it is about; absent for discovery. */
  readonly action?: Action;
  readonly kind?: GroupVersionKind;
  /** The parameters of the query, in the order of their names. */
  readonly query: readonly QueryParameter[];
  readonly body?: {
    /** The name of a type. */
    readonly type: string;
    readonly required: boolean;
  };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** The name of the type of each answer by its status; the 401 that all have is left out. */
  readonly responses: Readonly<Record<number, string>>;
}

/** A path with its methods. What it has in braces are parameters. */
export interface ApiPath {
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

/** The type of every parameter that a query can have. */
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

/** The parameters that stand in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
}

/** The parameters that all methods of a path have; OpenAPI writes them once, beside the methods. */
export function sharedQuery({ operations }: ApiPath): ReadonlySet<QueryParameter> {
  const [first, ...others] = Object.values(operations);
  return new Set(
    (first?.query ?? []).filter((name) => others.every(({ query }) => query.includes(name))),
  );
}

/** A word for a group in the names of operations: `core`, `apps`, `rbacAuthorization`. */
function groupWord(group: string): string {
  return camelCase(group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));
}

/** Under what operations are gathered: `core_v1`, or only the group if they concern all of it. */
export function operationTag(group: string, version?: string): string {
  return version === undefined ? groupWord(group) : `${groupWord(group)}_${version}`;
}

/** The name of an operation, unique in the API: `listCoreV1NamespacedPod`. */
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
