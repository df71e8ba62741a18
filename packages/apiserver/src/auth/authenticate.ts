import { newUnauthorized } from 'client-ts/meta';
import type { TransportHeaders } from 'client-ts/transport';

import type { Peer } from '../http.ts';
import type { AccessPolicy, RequestedAction } from './authorize.ts';
import { impersonate, wantedUser } from './impersonate.ts';
import { authenticateToken, DEFAULT_AUDIENCE, type TokenAuthenticator } from './tokens.ts';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  type UserInfo,
  withGroup,
} from './user.ts';

/** The parts of a request that identify the client. */
export interface Credentials {
  readonly headers: TransportHeaders;
  readonly peer: Peer;
}

/**
 * Returns the user of a request, after impersonation. Throws a 401 `ApiError` without valid
 * credentials, and a 400 or 403 if the impersonation headers are invalid or not allowed.
 */
export type Authenticator = (request: Credentials, info: RequestedAction) => UserInfo;

export interface AuthenticatorOptions {
  /** Tried in order for bearer tokens. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Accepts requests without credentials, as `system:anonymous`. Default: false. */
  readonly anonymous?: boolean | undefined;
  /** Decides who may impersonate whom. */
  readonly policy: AccessPolicy;
}

/**
 * Returns the authenticator of the server. A client certificate takes precedence over a token.
 * Invalid credentials are rejected even if anonymous requests are allowed, unless a valid token
 * comes with an untrusted certificate; an unknown scheme or an empty token counts as no
 * credentials.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { tokens, anonymous = false, policy } = options;
  return (request, info) => {
    const user = certifiedUser(request.peer) ?? tokenUser(request.headers, tokens);
    const isAnonymous = anonymous && request.peer.hasUntrustedCertificate !== true;
    if (user === undefined && !isAnonymous) throw newUnauthorized();
    const requestor =
      user === undefined
        ? { name: ANONYMOUS, groups: [ALL_UNAUTHENTICATED] }
        : withGroup(user, ALL_AUTHENTICATED);
    const wanted = wantedUser(request.headers);
    return wanted === undefined ? requestor : impersonate(policy, requestor, wanted, info);
  };
}

/** The common name is the user, the organizations are its groups. */
function certifiedUser({ certificate }: Peer): UserInfo | undefined {
  if (certificate === undefined || certificate.commonName === '') return undefined;
  const { commonName, organizations, sha256 } = certificate;
  return {
    name: commonName,
    groups: organizations,
    ...(sha256 !== undefined && {
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256}`] },
    }),
  };
}

function tokenUser(
  headers: TransportHeaders,
  tokens: readonly TokenAuthenticator[],
): UserInfo | undefined {
  const token = bearerToken(headers['authorization']);
  if (token === '') return undefined;
  const verdict = authenticateToken(tokens, token, [DEFAULT_AUDIENCE]);
  // The reason is not revealed to clients without a valid token.
  if (verdict.outcome === 'refused') throw newUnauthorized();
  return verdict.user;
}

/** Returns the token of a bearer credential; empty for other schemes. */
function bearerToken(header: string | readonly string[] | undefined): string {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  const [scheme = '', token = ''] = text.split(' ');
  return scheme.toLowerCase() === 'bearer' ? token : '';
}
