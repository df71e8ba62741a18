import { quoteGo } from '../lib/go-format.ts';
import { getKey } from '../lib/json.ts';
import { validatePathSegmentName } from '../meta/names.ts';
import type { GroupVersion } from '../meta/resource.ts';
import { checkObject, checkText, invalidRequest } from './rest-error.ts';

/** The object or collection that a request addresses. Parts that are left out are not in the path. */
export interface Target {
  /** The empty string means all namespaces and is not in the path either. */
  readonly namespace?: string | undefined;
  readonly resource?: string | undefined;
  readonly name?: string | undefined;
  readonly subresources?: readonly string[] | undefined;
}

/** Characters that Go does not escape in a path: names such as `system:admin` stay readable. */
const READABLE = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** Half of a surrogate pair, which UTF-8 cannot express. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A name as nearly all are: it changes no meaning, and nothing in it is escaped. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function encodeSegment(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  return encodeURIComponent(segment).replaceAll(READABLE, decodeURIComponent);
}

/**
 * Returns the segment. Throws if it would change the meaning of the path: `.`, `..`, and anything
 * with `/` or `%` in it. Upper case, dots and colons are sent as they are.
 */
export function checkSegment(what: string, segment: string): string {
  checkText(segment, what);
  if (PLAIN.test(segment)) return segment;
  const problems = validatePathSegmentName(segment);
  if (segment === '') problems.push('may not be empty');
  if (LONE_SURROGATE.test(segment)) problems.push('may not contain half of a surrogate pair');
  if (problems.length === 0) return segment;
  throw invalidRequest(`invalid ${what} ${quoteGo(segment)}: ${problems.join(', ')}`);
}

/** `/apis/apps/v1`, or `/api/v1` for the core group. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  const root = group === '' ? '/api' : `/apis/${encodeSegment(checkSegment('group', group))}`;
  return `${root}/${encodeSegment(checkSegment('version', version))}`;
}

/**
 * `/namespaces/default/deployments/web/scale`: the path after that of the group-version. Every part
 * is checked and escaped. The resource is written in lower case, everything else unchanged.
 */
export function targetPath(target: Target, method: string = 'GET'): string {
  const { namespace = '', resource, name, subresources } = target;
  checkNamespace(method, target);
  let path = namespace === '' ? '' : `/namespaces${segmentOf('namespace', namespace)}`;
  if (resource !== undefined) {
    path += `/${encodeSegment(checkSegment('resource', resource).toLowerCase())}`;
  }
  if (name !== undefined) path += segmentOf('name', name);
  if (subresources === undefined) return path;
  for (const subresource of subresources) path += segmentOf('subresource', subresource);
  return path;
}

function segmentOf(what: string, segment: string): string {
  return `/${encodeSegment(checkSegment(what, segment))}`;
}

/**
 * An empty namespace means all namespaces, which is right for lists. For one object it is a variable
 * that was not set, and the server's 404 or 405 would not say so.
 */
function checkNamespace(method: string, { namespace, name }: Target): void {
  if (namespace !== '') return;
  const hint = "Pass a namespace: pods('default') instead of pods().";
  if (method === 'POST') {
    throw invalidRequest('an object cannot be created in all namespaces', hint);
  }
  if (name !== undefined) {
    throw invalidRequest(`the object ${quoteGo(name)} cannot be addressed in all namespaces`, hint);
  }
}

/**
 * Joins and escapes parts of a path. A part may contain slashes. A slash at the end is kept: some
 * servers distinguish `/healthz/` from `/healthz`.
 */
export function joinPath(...parts: readonly string[]): string {
  for (const part of parts) checkText(part, 'path');
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw invalidRequest(`the path ${quoteGo(parts.join('/'))} may not contain "." or ".."`);
  }
  if (segments.some((segment) => LONE_SURROGATE.test(segment))) {
    const path = quoteGo(parts.join('/'));
    throw invalidRequest(`the path ${path} may not contain half of a surrogate pair`);
  }
  const isDirectory = segments.length > 0 && parts.at(-1)?.endsWith('/') === true;
  return `/${segments.map(encodeSegment).join('/')}${isDirectory ? '/' : ''}`;
}

/** The value of a query parameter. */
export type ParameterValue = boolean | number | string;

/** Query parameters by name. A list is sent once per item, undefined not at all. */
export type QueryParameters = Readonly<
  Record<string, ParameterValue | readonly ParameterValue[] | undefined>
>;

/** Returns the parameters as pairs, in their order. */
export function parameterPairs(parameters: QueryParameters): (readonly [string, string])[] {
  checkObject(parameters, 'query parameters');
  const pairs: (readonly [string, string])[] = [];
  for (const name of Object.keys(parameters)) {
    const value = getKey(parameters, name);
    // Most are not given.
    if (value === undefined) continue;
    const values: readonly (ParameterValue | undefined)[] = Array.isArray(value) ? value : [value];
    for (const item of values) if (item !== undefined) pairs.push([name, String(item)]);
  }
  return pairs;
}

/** `?limit=500&watch=true`, or the empty string without parameters. */
export function queryString(pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return '';
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return `?${query.toString()}`;
}
