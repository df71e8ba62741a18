import { getKey } from 'client-ts/internal';
import type { GroupVersionKind } from 'client-ts/meta';

import type { ResourceInfo, SubresourceInfo } from '../../registry/resource.ts';
import { ALL_TYPES, ANY_TYPE, BUILT_IN, CUSTOM, type PathConventions } from './path-conventions.ts';
import {
  type Action,
  type ApiPath,
  capitalize,
  type Method,
  type Operation,
  operationId,
  operationTag,
  type QueryParameter,
  TEXT,
} from './operation.ts';
import { DELETE_OPTIONS, PATCH, STATUS, type TypeNames, WATCH_EVENT } from './types.ts';

/** A resource, with what its paths need. */
export interface DescribedResource {
  readonly info: ResourceInfo;
  /** True if DELETE returns the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** The selectable fields of a custom resource. */
  readonly selectableFields: readonly string[];
}

/** What the paths of all resources have in common. */
export interface PathOptions {
  readonly types: TypeNames;
  /** Query parameters that the release does not have. */
  readonly unknownQuery: ReadonlySet<QueryParameter>;
}

/** Returns every path of a resource below `root` (`/api/v1`, `/apis/apps/v1`). */
export function resourcePaths(
  root: string,
  resource: DescribedResource,
  options: PathOptions,
): ApiPath[] {
  const paths = new ResourcePaths(root, resource, options).all();
  return paths.filter(({ operations }) => Object.keys(operations).length > 0);
}

class ResourcePaths {
  readonly #root: string;
  readonly #info: ResourceInfo;
  readonly #deleted: string;
  readonly #types: TypeNames;
  readonly #unknownQuery: ReadonlySet<QueryParameter>;
  readonly #conventions: PathConventions;
  readonly #type: string;
  /** With the namespace, if the resource is namespaced. */
  readonly #collection: string;
  readonly #isNamespaced: boolean;

  constructor(
    root: string,
    { info, deleteReturnsObject }: DescribedResource,
    { types, unknownQuery }: PathOptions,
  ) {
    this.#root = root;
    this.#unknownQuery = unknownQuery;
    this.#info = info;
    this.#types = types;
    this.#conventions = info.crd === undefined ? BUILT_IN : CUSTOM;
    this.#type = types.of(info, info);
    this.#deleted = deleteReturnsObject ? this.#type : STATUS;
    this.#isNamespaced = info.scope === 'Namespaced';
    this.#collection = this.#isNamespaced
      ? `/namespaces/{namespace}/${info.resource}`
      : `/${info.resource}`;
  }

  all(): ApiPath[] {
    const { resource, subresources } = this.#info;
    const paths = [
      this.#path(this.#collection, this.#onCollection()),
      this.#path(`${this.#collection}/{name}`, this.#onObject()),
      ...subresources.flatMap((subresource) => this.#onSubresource(subresource)),
    ];
    if (this.#isNamespaced) {
      paths.push(this.#path(`/${resource}`, this.#list({ everywhere: true })));
    }
    if (this.#conventions.hasWatchPaths && this.#can('watch')) paths.push(...this.#watchPaths());
    return paths;
  }

  #onCollection(): ApiPath['operations'] {
    const { list, create, collection } = this.#conventions.query;
    return {
      ...(this.#can('list') && this.#list({ everywhere: false, query: list })),
      ...(this.#can('create') && {
        post: this.#write('create', 'post', { query: create, statuses: [200, 201, 202] }),
      }),
      ...(this.#can('deletecollection') && {
        delete: this.#operation('delete', 'deletecollection', {
          before: 'Collection',
          query: collection,
          ...(this.#conventions.collectionBody && {
            body: { type: DELETE_OPTIONS, required: false },
          }),
          responses: { 200: STATUS },
        }),
      }),
    };
  }

  #onObject(): ApiPath['operations'] {
    const { get, remove } = this.#conventions.query;
    return {
      ...(this.#can('get') && {
        get: this.#operation('read', 'get', { query: get, responses: { 200: this.#type } }),
      }),
      ...this.#updates(this.#info.verbs),
      ...(this.#can('delete') && {
        delete: this.#operation('delete', 'delete', {
          query: remove,
          body: { type: DELETE_OPTIONS, required: false },
          responses: { 200: this.#deleted, 202: this.#deleted },
        }),
      }),
    };
  }

  #onSubresource(subresource: SubresourceInfo): ApiPath[] {
    const path = `${this.#root}${this.#collection}/{name}/${subresource.name}`;
    const place = { info: this.#info, subresource, path, owner: this.#owner() };
    if (isConnected(subresource)) return connectPaths(place);
    if (subresource.name === 'log') return [podLogPath(place)];
    const { name, verbs } = subresource;
    const type = this.#types.of(subresource.kind, this.#info);
    // For custom resources, all operations have the resource's own kind.
    const kind = this.#info.crd === undefined ? subresource.kind : this.#info;
    const part = { after: capitalize(name), type, kind };
    const operations: ApiPath['operations'] = {
      ...(verbs.includes('get') && {
        get: this.#operation('read', 'get', {
          ...part,
          query: this.#conventions.query.get,
          responses: { 200: type },
        }),
      }),
      ...(verbs.includes('create') && {
        post: this.#write('create', 'post', {
          ...part,
          query: this.#conventions.query.create,
          statuses: [200, 201, 202],
        }),
      }),
      ...this.#updates(verbs, part),
    };
    return [{ path, operations }];
  }

  /** Returns PUT and PATCH, for objects and their subresources. */
  #updates(verbs: readonly string[], part: Part = {}): ApiPath['operations'] {
    const { query, patchTypes, patchStatuses } = this.#conventions;
    return {
      ...(verbs.includes('update') && {
        put: this.#write('replace', 'put', { ...part, query: query.create, statuses: [200, 201] }),
      }),
      ...(verbs.includes('patch') && {
        patch: {
          ...this.#write('patch', 'patch', {
            ...part,
            query: query.patch,
            statuses: patchStatuses,
          }),
          body: { type: PATCH, required: true },
          consumes: patchTypes,
        },
      }),
    };
  }

  #list({ everywhere, query = this.#conventions.query.list }: ListPlace): ApiPath['operations'] {
    const operation = this.#operation('list', 'list', {
      owner: this.#owner(everywhere),
      after: everywhere ? 'ForAllNamespaces' : '',
      query,
      produces: this.#conventions.listProduces,
      responses: { 200: this.#types.listOf(this.#info) },
    });
    return this.#can('list') ? { get: operation } : {};
  }

  /** The old watch paths, with `watch` in the path. */
  #watchPaths(): ApiPath[] {
    const paths = [
      this.#path(`/watch${this.#collection}`, this.#watch('watchlist', 'List')),
      this.#path(`/watch${this.#collection}/{name}`, this.#watch('watch', '')),
    ];
    if (this.#isNamespaced) {
      const operations = this.#watch('watchlist', 'ListForAllNamespaces', this.#owner(true));
      paths.push(this.#path(`/watch/${this.#info.resource}`, operations));
    }
    return paths;
  }

  #watch(action: 'watch' | 'watchlist', after: string, owner?: string): ApiPath['operations'] {
    return {
      get: this.#operation('watch', action, {
        ...(owner !== undefined && { owner }),
        after,
        query: this.#conventions.query.list,
        produces: this.#conventions.listProduces,
        responses: { 200: WATCH_EVENT },
      }),
    };
  }

  #write(verb: string, action: 'patch' | 'post' | 'put', { statuses, ...part }: Write): Operation {
    const type = part.type ?? this.#type;
    return this.#operation(verb, action, {
      ...part,
      body: { type, required: true },
      responses: Object.fromEntries(statuses.map((status) => [status, type])),
    });
  }

  #operation(verb: string, action: Action, detail: Detail): Operation {
    const { owner = this.#owner(), before = '', after = '', type: _type, ...rest } = detail;
    const { group, version, kind } = rest.kind ?? this.#info;
    const { consumes, produces } = this.#conventions;
    return {
      id: operationId(verb, this.#info, `${before}${owner}${after}`),
      tag: operationTag(this.#info.group, this.#info.version),
      action,
      consumes,
      produces,
      ...rest,
      query: rest.query.filter((name) => !this.#unknownQuery.has(name)),
      kind: { group, version, kind },
    };
  }

  /** Returns the object in operation names: `NamespacedPod`. */
  #owner(everywhere = false): string {
    return `${this.#isNamespaced && !everywhere ? 'Namespaced' : ''}${this.#info.kind}`;
  }

  #can(verb: string): boolean {
    return this.#info.verbs.includes(verb);
  }

  #path(below: string, operations: ApiPath['operations']): ApiPath {
    return { path: `${this.#root}${below}`, operations };
  }
}

/** A subresource, or the object itself. */
interface Part {
  readonly after?: string;
  readonly type?: string;
  readonly kind?: GroupVersionKind;
}

interface Write extends Part {
  readonly query: readonly QueryParameter[];
  readonly statuses: readonly number[];
}

interface Detail extends Part, Partial<Pick<Operation, 'body' | 'consumes' | 'produces'>> {
  readonly owner?: string;
  readonly before?: string;
  readonly query: readonly QueryParameter[];
  readonly responses: Operation['responses'];
}

interface ListPlace {
  /** Across all namespaces. */
  readonly everywhere: boolean;
  readonly query?: readonly QueryParameter[];
}

/** A subresource that is not an object, and its path. */
export interface PartPlace {
  readonly info: ResourceInfo;
  readonly subresource: SubresourceInfo;
  readonly path: string;
  /** The object in operation names: `NamespacedPod`. */
  readonly owner: string;
}

const STREAMS: readonly QueryParameter[] = ['stderr', 'stdin', 'stdout', 'tty'];

/** The query parameters of connect operations, by kind of options. */
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
  // A proxy accepts every method.
  update: ['put', 'head', 'options'],
};

/** True for `exec`, `proxy` and other subresources that forward a connection. */
function isConnected({ kind }: SubresourceInfo): boolean {
  return CONNECTIONS.has(kind.kind);
}

/** Returns the paths of a connection; a proxy has a second one for the paths below it. */
function connectPaths(place: PartPlace): ApiPath[] {
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

/** The log of a Pod: text, though its kind is declared as Pod. */
function podLogPath({ info, subresource, path, owner }: PartPlace): ApiPath {
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
