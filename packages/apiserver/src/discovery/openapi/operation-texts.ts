import type { Action, Operation, QueryParameter } from './operation.ts';

/** What query parameters are for. */
const QUERY: Readonly<Record<QueryParameter, string>> = {
  allowWatchBookmarks: 'Lets the server send bookmarks, which only carry a resource version.',
  command: 'The command to run and its arguments, without a shell.',
  container: 'The container. Default: the only one of the pod.',
  continue: 'The token for the next page, as the last page gave it.',
  dryRun: '`All`: runs everything but does not store the result.',
  fieldManager: 'The name under which managed fields record this change.',
  fieldSelector: 'Selects objects by their fields. Default: all objects.',
  fieldValidation: 'What happens to unknown and duplicate fields: `Ignore`, `Warn` or `Strict`.',
  follow: 'Keeps sending the log as it grows.',
  force: 'Takes over fields that other managers own. For apply requests only.',
  gracePeriodSeconds: 'How long the object may take to end, in seconds; 0 ends it immediately.',
  ignoreStoreReadErrorWithClusterBreakingPotential:
    'Deletes an object that cannot be read, without finalizers and preconditions.',
  insecureSkipTLSVerifyBackend: 'Does not verify the certificate of the kubelet.',
  labelSelector: 'Selects objects by their labels. Default: all objects.',
  limit: 'The most objects of one page. More are available with the token of the page.',
  limitBytes: 'The most bytes of the log to send.',
  orphanDependents: 'Deprecated: use `propagationPolicy`.',
  path: 'The path of the URL to ask for.',
  ports: 'The ports to forward. Required for WebSockets.',
  pretty: '`true`: formats the response for people.',
  previous: 'The log of the container before its last restart.',
  propagationPolicy:
    'What happens to dependent objects: `Orphan`, `Background` or `Foreground` deletion.',
  resourceVersion: 'The version that a list must have reached, or that a watch begins after.',
  resourceVersionMatch: 'How `resourceVersion` applies to a list: `Exact` or `NotOlderThan`.',
  sendInitialEvents: 'Begins a watch with all present objects, followed by a bookmark.',
  shardSelector: 'Selects a part of the objects by the hash of a field.',
  sinceSeconds: 'Leaves out what is older than that many seconds.',
  stderr: 'Sends the error output of the command.',
  stdin: 'Passes the input of the client on to the command.',
  stdout: 'Sends the output of the command.',
  stream: 'The output to send: `All`, `Stdout` or `Stderr`.',
  tailLines: 'The number of lines from the end of the log. Default: all.',
  timeoutSeconds: 'Ends a list or watch after that many seconds.',
  timestamps: 'Puts a time in front of each line.',
  tty: 'Gives the command a terminal.',
  watch: 'Sends changes as they happen instead of a list.',
};

/** Returns what a query parameter is for. */
export function describeQuery(name: QueryParameter): string {
  return QUERY[name];
}

/** Returns what a parameter in a path is for. */
export function describePathParameter(name: string, kind: string | undefined): string {
  if (name === 'name') return `name of the ${kind ?? 'object'}`;
  return name === 'namespace' ? 'namespace of the objects' : 'path on the target of the proxy';
}

const SENTENCES: Readonly<Record<Action, (kind: string) => string>> = {
  connect: (kind) => `connects by ${kind}`,
  delete: (kind) => `deletes one ${kind}`,
  deletecollection: (kind) => `deletes all selected objects of kind ${kind}`,
  get: (kind) => `reads one ${kind}`,
  list: (kind) => `lists or watches objects of kind ${kind}`,
  patch: (kind) => `changes parts of one ${kind}`,
  post: (kind) => `creates one ${kind}`,
  put: (kind) => `replaces one ${kind}`,
  watch: (kind) => `watches one ${kind}; deprecated: use watch and a field selector on the list`,
  watchlist: (kind) => `watches objects of kind ${kind}; deprecated: use watch on the list`,
};

/** Returns what an operation does. */
export function describeOperation({ action, kind, about }: Operation): string {
  if (action === undefined || kind === undefined) return about ?? 'reads a document of the server';
  return SENTENCES[action](kind.kind);
}

/** Returns the kind whose name is in a path, as one of its operations says. */
export function kindOfPath(operations: readonly Operation[]): string | undefined {
  return operations.find(({ kind }) => kind !== undefined)?.kind?.kind;
}
