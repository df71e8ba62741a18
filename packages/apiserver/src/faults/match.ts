import type { RequestInfo } from '../endpoints/request-info.ts';
import type { FaultMatch } from './fault.ts';

/** Does the request fit? `user` is asked for only if the match cares. */
export function matches(
  match: FaultMatch,
  info: RequestInfo,
  user: () => string | undefined,
): boolean {
  const { path, where } = match;
  return (
    isOneOf(match.verb, info.verb) &&
    isOneOf(match.group, info.group) &&
    isOneOf(match.resource, info.resource) &&
    isOneOf(match.subresource, info.subresource) &&
    isOneOf(match.namespace, info.namespace) &&
    isOneOf(match.name, info.name) &&
    (path === undefined || matchesPath(path, info.path)) &&
    (match.user === undefined || isOneOf(match.user, user() ?? '')) &&
    (where === undefined || where(info))
  );
}

function isOneOf(wanted: string | readonly string[] | undefined, actual: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === actual : wanted.includes(actual);
}

function matchesPath(wanted: RegExp | string, path: string): boolean {
  // `search` ignores the position that an expression with `g` keeps between calls.
  return typeof wanted === 'string' ? wanted === path : path.search(wanted) !== -1;
}
