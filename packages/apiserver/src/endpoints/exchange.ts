import { getKey } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';
import type { AccessPolicy } from '../auth/authorize.ts';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import type { TokenAuthenticator } from '../auth/tokens.ts';
import type { UserInfo } from '../auth/user.ts';
import type { ApiRequest, ApiResponse } from '../http.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { encode } from './encoder.ts';
import { contentType, type Representation, type Wishes } from './negotiation.ts';
import type { RequestInfo } from './request-info.ts';
import { warningHeaders } from './warnings.ts';

/** What all endpoints share for the life of the server. */
export interface Core extends Cluster {
  readonly policy: AccessPolicy;
  /** Everything that knows a kind of bearer token. */
  readonly tokenAuthenticators: readonly TokenAuthenticator[];
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Lets other work of the process go first; used between the chunks of a large answer. */
  readonly pause: () => Promise<void>;
}

/** One request on its way to an answer. */
export interface Exchange {
  readonly core: Core;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Texts for `Warning` headers, in order. */
  readonly warnings: string[];
}

/** An exchange that found its resource. */
export interface ResourceExchange extends Exchange {
  readonly served: ServedResource;
}

/** One value of a header; the first if it was sent several times. */
export function header(headers: TransportHeaders, name: string): string {
  const value = getKey(headers, name);
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/** What the client said about the form of the answer. */
export function wishesOf({ headers, url }: ApiRequest): Wishes {
  return {
    accept: header(headers, 'accept'),
    // Hardly anybody asks, so the query is not read for nothing.
    pretty: url.includes('pretty')
      ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('pretty')
      : null,
    userAgent: header(headers, 'user-agent'),
  };
}

const NO_CACHE = 'no-cache, private';

/** An answer with an object in it. */
export function respond(
  exchange: Pick<Exchange, 'warnings'>,
  status: number,
  object: object,
  representation: Representation,
): ApiResponse {
  return {
    status,
    headers: responseHeaders(exchange, contentType(representation)),
    body: encode(object, representation),
  };
}

/** The headers that every answer of the API has. */
export function responseHeaders(
  { warnings }: Pick<Exchange, 'warnings'>,
  type: string,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    'cache-control': NO_CACHE,
    'content-type': type,
  };
  if (warnings.length > 0) headers['warning'] = warningHeaders(warnings);
  return headers;
}
