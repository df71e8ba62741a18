import { getKey } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';

import type { AccessPolicy } from '../auth/authorize.ts';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import type { TokenAuthenticator } from '../auth/tokens.ts';
import type { UserInfo } from '../auth/user.ts';
import type { ApiRequest, ApiResponse } from '../http.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { StrategyContext } from '../registry/strategy.ts';
import { encode } from './encoder.ts';
import { contentType, type Representation, type Wishes } from './negotiation.ts';
import type { RequestInfo } from './request-info.ts';

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

/**
 * Runs the write of a request with what a strategy gets to see of it. Addresses and ports that the
 * write took are given back if it fails or is only a rehearsal.
 */
export function withStrategyContext<T>(
  { core, info, user, warnings }: Exchange,
  dryRun: boolean,
  write: (context: StrategyContext) => T,
): T {
  const warn = (text: string): void => void warnings.push(text);
  const origin = { dryRun, namespace: info.namespace, requestGroup: info.group, user, warn };
  return withClusterContext(core, origin, write);
}

/** The limits of a real server, in characters: of all warnings together, and of one beyond that. */
const TOTAL_LIMIT = 4 * 1024;
const ITEM_LIMIT = 256;

/**
 * The `Warning` headers for texts: each one once, those with control characters not at all. If
 * they are too long together each is cut, and what is beyond the limit even then is left out.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const sendable = [...new Set(texts)].filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  const whole = sendable.map((text) => Array.from(text));
  const total = whole.reduce((sum, { length }) => sum + length, 0);
  if (total <= TOTAL_LIMIT) return sendable.map(warningHeader);
  const headers: string[] = [];
  let written = 0;
  for (const characters of whole) {
    if (written >= TOTAL_LIMIT) break;
    const cut = characters.slice(0, ITEM_LIMIT);
    written += cut.length;
    headers.push(warningHeader(cut.join('')));
  }
  return headers;
}

function warningHeader(text: string): string {
  const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `299 - "${quoted}"`;
}
