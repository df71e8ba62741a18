/** What a request is about, from its method and path. */
export interface RequestTarget {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly group: string;
  /** The plural; empty for discovery and other requests that are about no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Parses the path of a request of this library. */
export function requestTarget(method: string, path: string): RequestTarget {
  const [place = '', query = ''] = path.split('?');
  const segments = place.split('/').slice(1).map(decodeURIComponent);
  const [root, ...rest] = segments;
  const group = root === 'apis' ? (rest.shift() ?? '') : '';
  rest.shift();
  const isInNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const namespace = isInNamespace ? (rest[1] ?? '') : '';
  const [resource = '', name = '', subresource = ''] = isInNamespace ? rest.slice(2) : rest;
  const parameters = new URLSearchParams(query);
  return {
    verb: verbOf(method, name, parameters),
    group,
    resource: root === 'api' || root === 'apis' ? resource : '',
    namespace,
    name,
    subresource,
    query: parameters,
  };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  if (method === 'DELETE' && name === '') return 'deletecollection';
  if (method !== 'GET') return VERBS.get(method) ?? method.toLowerCase();
  if (query.get('watch') === 'true' || query.get('watch') === '1') return 'watch';
  return name === '' ? 'list' : 'get';
}

/** True if the request changes objects. */
export function isWrite({ verb }: Pick<RequestTarget, 'verb'>): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
}

/** True for what keeps an election or a log going and says nothing about the objects of the world. */
export function isHousekeeping({ resource }: Pick<RequestTarget, 'resource'>): boolean {
  return resource === 'leases' || resource === 'events';
}

/** Returns a request in words: `update websets/status default/web`. */
export function describeTarget(target: RequestTarget): string {
  const { verb, resource, subresource, namespace, name } = target;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return [verb, what, namespace === '' || name === '' ? namespace + name : `${namespace}/${name}`]
    .filter((word) => word !== '')
    .join(' ');
}
