/** What a request is about, in the words of Kubernetes. */
export interface RequestInfo {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`, `deletecollection`, … */
  readonly verb: string;
  /** As in `deployments.apps` or `pods/log`; the path if it names no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The parts of a request that {@link requestInfo} reads. */
export interface RequestLine {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** True for a response that is streamed until it is closed. */
  readonly stream: boolean;
  readonly contentType?: string;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Returns what a request is about. */
export function requestInfo({ method, path, stream, contentType = '' }: RequestLine): RequestInfo {
  const target = targetOf(path);
  if (target === undefined) {
    return { verb: method.toLowerCase(), resource: path, namespace: '', name: '' };
  }
  const { group, resource, subresource, namespace, name } = target;
  const full = group === '' ? resource : `${resource}.${group}`;
  return {
    verb: verbOf(method, name !== '', stream && subresource === '', contentType),
    resource: subresource === '' ? full : `${full}/${subresource}`,
    namespace,
    name,
  };
}

function verbOf(method: string, isNamed: boolean, isWatch: boolean, contentType: string): string {
  if (method === 'GET' || method === 'HEAD') {
    if (isWatch) return 'watch';
    return isNamed ? 'get' : 'list';
  }
  if (method === 'PATCH' && contentType.startsWith('application/apply-patch')) return 'apply';
  if (method === 'DELETE' && !isNamed) return 'deletecollection';
  return VERBS.get(method) ?? method.toLowerCase();
}

function targetOf(path: string):
  | {
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const [root] = parts;
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'apis' ? (parts[1] ?? '') : '';
  let rest = parts.slice(root === 'apis' ? 3 : 2);
  let namespace = '';
  // `/namespaces/x/status` and `/namespaces/x/finalize` are about the namespace itself.
  const isWithin = rest[0] === 'namespaces' && rest.length > 2;
  if (isWithin && rest[2] !== 'status' && rest[2] !== 'finalize') {
    namespace = rest[1] ?? '';
    rest = rest.slice(2);
  }
  const [resource, name = '', ...sub] = rest;
  if (resource === undefined) return undefined;
  return { group, resource, subresource: sub.join('/'), namespace, name };
}
