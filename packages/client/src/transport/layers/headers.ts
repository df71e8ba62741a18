import type { ImpersonationConfig, Middleware } from '../config.ts';
import type { TransportHeaders } from '../transport.ts';

/** Adds headers to every request; headers of the request take precedence. */
export function headerDefaults(defaults: TransportHeaders): Middleware {
  return (request, next) => next({ ...request, headers: { ...defaults, ...request.headers } });
}

/** The version of the package. */
const VERSION = '0.1.0';

/**
 * Returns the user agent for configs without one. Servers record the part before the slash as the
 * manager of the fields that the request writes.
 */
export function defaultUserAgent(): string {
  const { arch, platform, versions } = process;
  return `client-ts/${VERSION} (${platform}/${arch}) node/${versions.node}`;
}

/** Impersonates a user, unless the request has its own `impersonate-user`. */
export function impersonation(config: ImpersonationConfig): Middleware {
  const headers = impersonationHeaders(config);
  return (request, next) =>
    request.headers['impersonate-user'] === undefined
      ? next({ ...request, headers: { ...request.headers, ...headers } })
      : next(request);
}

/** Returns the impersonation headers for a user. */
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

/**
 * Escapes keys such as `example.com/team` that are not valid header names: other bytes become
 * `%2f`.
 */
function escapeKey(key: string): string {
  return Array.from(Buffer.from(key.toLowerCase()), (byte) => {
    const character = String.fromCharCode(byte);
    return ALLOWED.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
