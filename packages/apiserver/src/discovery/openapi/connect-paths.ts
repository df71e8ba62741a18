import { getKey } from 'client-ts/internal';
import type { ResourceInfo, SubresourceInfo } from '../../registry/resource.ts';
import { ALL_TYPES, ANY_TYPE } from './flavour.ts';
import { type ApiPath, type Method, type QueryParameter, TEXT } from './operation.ts';
import { capitalize, operationId, operationTag } from './operation-names.ts';

/** Where a part of an object is found that is no object itself. */
export interface PartPlace {
  readonly info: ResourceInfo;
  readonly subresource: SubresourceInfo;
  readonly path: string;
  /** The object in the names of operations: `NamespacedPod`. */
  readonly owner: string;
}

const STREAMS: readonly QueryParameter[] = ['stderr', 'stdin', 'stdout', 'tty'];

/** What the query of a connection may say, by its kind. */
const CONNECTIONS: ReadonlyMap<string, readonly QueryParameter[]> = new Map([
  ['NodeProxyOptions', ['path']],
  ['PodAttachOptions', ['container', ...STREAMS]],
  ['PodExecOptions', ['command', 'container', ...STREAMS]],
  ['PodPortForwardOptions', ['ports']],
  ['PodProxyOptions', ['path']],
  ['ServiceProxyOptions', ['path']],
]);

const METHODS: Readonly<Record<string, readonly Method[]>> = {
  create: ['post'],
  delete: ['delete'],
  get: ['get'],
  patch: ['patch'],
  // What may be updated is a proxy, which hands on every method there is.
  update: ['put', 'head', 'options'],
};

/** True for `exec`, `proxy` and their like, which hand a connection on. */
export function isConnected({ kind }: SubresourceInfo): boolean {
  return CONNECTIONS.has(kind.kind);
}

/** The paths of a connection; a proxy has one more, for what lies below it. */
export function connectPaths(place: PartPlace): ApiPath[] {
  const paths = [connectPath(place, '')];
  if (place.subresource.name !== 'proxy') return paths;
  return [...paths, connectPath({ ...place, path: `${place.path}/{path}` }, 'WithPath')];
}

function connectPath({ info, subresource, path, owner }: PartPlace, suffix: string): ApiPath {
  const methods = subresource.verbs.flatMap((verb) => getKey(METHODS, verb) ?? []);
  return {
    path,
    operations: Object.fromEntries(
      methods.map((method) => [
        method,
        {
          id: operationId(
            'connect',
            info,
            `${capitalize(method)}${owner}${capitalize(subresource.name)}${suffix}`,
          ),
          tag: operationTag(info.group, info.version),
          action: 'connect' as const,
          kind: subresource.kind,
          query: CONNECTIONS.get(subresource.kind.kind) ?? [],
          consumes: ANY_TYPE,
          produces: ANY_TYPE,
          responses: { 200: TEXT },
        },
      ]),
    ),
  };
}

const LOG: readonly QueryParameter[] = [
  'container',
  'follow',
  'insecureSkipTLSVerifyBackend',
  'limitBytes',
  'pretty',
  'previous',
  'sinceSeconds',
  'stream',
  'tailLines',
  'timestamps',
];

/** The log of a Pod: text, though its kind is said to be Pod. */
export function podLogPath({ info, subresource, path, owner }: PartPlace): ApiPath {
  return {
    path,
    operations: {
      get: {
        id: operationId('read', info, `${owner}${capitalize(subresource.name)}`),
        tag: operationTag(info.group, info.version),
        action: 'get',
        kind: subresource.kind,
        query: LOG,
        consumes: ANY_TYPE,
        produces: ['text/plain', ...ALL_TYPES],
        responses: { 200: TEXT },
      },
    },
  };
}
