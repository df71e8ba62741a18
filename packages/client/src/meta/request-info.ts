import { parseFieldSelector } from './fields.ts';
import { validatePathSegmentName } from './names.ts';

/**
 * The target of a request, parsed from its method and URL as servers do, for authorization. Text
 * fields are empty where they do not apply.
 */
export interface RequestInfo {
  /** False for discovery, health and other non-resource requests. */
  readonly isResourceRequest: boolean;
  /**
   * `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, `proxy` for
   * a resource (empty for other methods); the method in lower case otherwise.
   */
  readonly verb: string;
  /** The path without the query, percent-decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** `api` or `apis`. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  /** Also the name of a requested Namespace, as on a real server. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** Also set if a field selector allows a single `metadata.name`. */
  readonly name: string;
  /**
   * The segments from the resource on; what follows the subresource is the tail of a proxy path.
   */
  readonly parts: readonly string[];
  /** The selectors as sent, for verbs that support them; empty on the old `/watch/` paths. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** Set if the path looks like a resource but cannot be parsed: a 500 on a real server. */
  readonly problem?: string;
}

const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Old paths have these verbs before the resource: `/api/v1/watch/pods`. */
const PATH_VERBS: ReadonlySet<string> = new Set(['proxy', 'watch']);

/** After a Namespace's name these are subresources; other words are namespaced resources. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['finalize', 'status']);

const VERBS_WITH_SELECTORS: ReadonlySet<string> = new Set(['deletecollection', 'list', 'watch']);

/** Parses method and URL (path and query) as kube-apiserver does. Never throws. */
export function parseRequestInfo(method: string, url: string): RequestInfo {
  const mark = url.indexOf('?');
  const path = decodePath(mark === -1 ? url : url.slice(0, mark));
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  const segments = splitPath(path);
  const prefix = segments[0] ?? '';

  const grouped = prefix === 'apis';
  const leading = grouped ? 3 : 2;
  if ((prefix !== 'api' && !grouped) || segments.length <= leading) {
    return { ...NO_RESOURCE, verb: method.toLowerCase(), path, query };
  }
  const base = {
    ...NO_RESOURCE,
    isResourceRequest: true,
    path,
    query,
    apiPrefix: prefix,
    group: grouped ? (segments[1] ?? '') : '',
    version: segments[leading - 1] ?? '',
  };
  return readResource(base, method, segments.slice(leading));
}

const NO_RESOURCE = {
  isResourceRequest: false,
  apiPrefix: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
  fieldSelector: '',
  labelSelector: '',
} as const;

function readResource(
  base: Omit<RequestInfo, 'verb'>,
  method: string,
  segments: readonly string[],
): RequestInfo {
  let rest = segments;
  const verbInPath = PATH_VERBS.has(rest[0] ?? '');
  let verb = verbInPath ? (rest[0] ?? '') : (METHOD_VERBS.get(method) ?? '');
  if (verbInPath) {
    if (rest.length < 2) {
      const problem = `unable to determine kind and namespace from url, ${base.path}`;
      return { ...base, verb: method.toLowerCase(), problem };
    }
    rest = rest.slice(1);
  }

  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] ?? '';
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')) rest = rest.slice(2);
  }

  const resource = rest[0] ?? '';
  let name = rest[1] ?? '';
  const subresource = verb === 'proxy' ? '' : (rest[2] ?? '');
  if (name === '' && verb === 'get') {
    verb = isTrue(base.query.get('watch')) ? 'watch' : 'list';
    name = selectedName(base.query.get('fieldSelector') ?? '');
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';

  const selects = !verbInPath && VERBS_WITH_SELECTORS.has(verb);
  return {
    ...base,
    verb,
    namespace,
    resource,
    name,
    subresource,
    parts: rest,
    fieldSelector: selects ? (base.query.get('fieldSelector') ?? '') : '',
    labelSelector: selects ? (base.query.get('labelSelector') ?? '') : '',
  };
}

/**
 * Returns the only name that a field selector allows, or an empty text. It lets a rule with
 * resourceNames permit a list or watch of a single object. Invalid selectors are reported later.
 */
function selectedName(selector: string): string {
  if (!selector.includes('metadata.name')) return '';
  try {
    const name = parseFieldSelector(selector).requiresExactMatch('metadata.name') ?? '';
    return validatePathSegmentName(name).length === 0 ? name : '';
  } catch {
    return '';
  }
}

/** A boolean parameter is true for anything but `false` and `0`, including an empty value. */
function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

/** Returns the segments without leading and trailing slashes; inner empty segments are kept. */
function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return start === end ? [] : path.slice(start, end).split('/');
}

/** A path with broken escapes is used as it is; it matches no route. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
