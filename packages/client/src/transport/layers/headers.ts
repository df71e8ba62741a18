import type { ImpersonationConfig, Middleware } from '../config.ts';
import type { TransportHeaders } from '../transport.ts';

/** Adds headers to every request; one that the request brings itself wins. */
export function headerDefaults(defaults: TransportHeaders): Middleware {
  return (request, next) => next({ ...request, headers: { ...defaults, ...request.headers } });
}

/** The version of the package. */
const VERSION = '0.1.0';

/**
 * Who sends a request, if the configuration does not say. Servers note the part before the slash as
 * the manager of the fields that the request writes.
 */
export function defaultUserAgent(): string {
  const { arch, platform, versions } = process;
  return `client-ts/${VERSION} (${platform}/${arch}) node/${versions.node}`;
}

/** Acts as somebody else, unless the request says itself who it acts as. */
export function impersonation(config: ImpersonationConfig): Middleware {
  const headers = impersonationHeaders(config);
  return (request, next) =>
    request.headers['impersonate-user'] === undefined
      ? next({ ...request, headers: { ...request.headers, ...headers } })
      : next(request);
}

/** The headers by which a server is asked to act as somebody else. */
export function impersonationHeaders(config: ImpersonationConfig): TransportHeaders {
  const { user, uid, groups = [], extra = {} } = config;
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': user };
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = groups;
  for (const [key, values] of Object.entries(extra)) {
    if (values.length > 0) headers[`impersonate-extra-${escapeKey(key)}`] = values;
  }
  return headers;
}

const ALLOWED = /[!#$&'*+.^_`|~0-9a-z-]/;

/** Keys such as `example.com/team` are no names of headers: other bytes are written as `%2f`. */
function escapeKey(key: string): string {
  return Array.from(Buffer.from(key.toLowerCase()), (byte) => {
    const character = String.fromCharCode(byte);
    return ALLOWED.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
