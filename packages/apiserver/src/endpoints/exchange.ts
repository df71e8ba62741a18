import { getKey } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';

import type { Quotas } from '../admission/quota/quotas.ts';
import type { AdmissionWebhooks } from '../admission/webhooks.ts';
import type { AccessPolicy } from '../auth/authorize.ts';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import type { TokenAuthenticator } from '../auth/tokens.ts';
import type { UserInfo } from '../auth/user.ts';
import type { ApiRequest, ApiResponse } from '../http.ts';
import type { Kubelet } from '../kubelet.ts';
import {
  beginClusterWrite,
  type Cluster,
  type ClusterWrite,
  withClusterContext,
  type WriteOrigin,
} from '../registry/cluster.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { StrategyContext } from '../registry/strategy.ts';
import type { ValuePath } from '../schema/written-floats.ts';
import { encode } from './encoder.ts';
import type { FlowClassifier } from './flow-classifier.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { contentType, type Representation, type Preferences } from './negotiation.ts';
import type { WatchGroups } from './watch-groups.ts';
import type { RequestInfo } from 'client-ts/meta';

/** What all endpoints share for the life of the server. */
export interface Core extends Cluster {
  readonly policy: AccessPolicy;
  /** The authenticators of all kinds of bearer tokens. */
  readonly tokenAuthenticators: readonly TokenAuthenticator[];
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Asks admission policies and webhooks. */
  readonly admission: AdmissionWebhooks;
  /** Enforces ResourceQuotas. */
  readonly quotas: Quotas;
  /** The nodes. Undefined: no node can be reached. */
  readonly kubelet: Kubelet | undefined;
  readonly metrics: RequestMetrics;
  /** Finds the priority level of a request. */
  readonly flows: FlowClassifier;
  /** Yields to other work of the process, between the chunks of a large response. */
  readonly pause: () => Promise<void>;
  /** The open watches. */
  readonly watches: WatchGroups;
}

/** One request and the state of handling it. */
export interface Exchange {
  readonly core: Core;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Texts of `Warning` headers, in order. */
  readonly warnings: string[];
  /** Where the body has whole numbers that are written as floats. */
  readonly floats: ValuePath[];
}

/** An exchange with its resource resolved. */
export interface ResourceExchange extends Exchange {
  readonly served: ServedResource;
}

/** Returns the value of a header; the first if it was sent several times. */
export function header(headers: TransportHeaders, name: string): string {
  const value = getKey(headers, name);
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/** Returns the client's preferences for the response format. */
export function preferencesOf({ headers, url }: ApiRequest): Preferences {
  return {
    accept: header(headers, 'accept'),
    // Rarely used, so the query is only parsed if it mentions it.
    pretty: url.includes('pretty')
      ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('pretty')
      : null,
    userAgent: header(headers, 'user-agent'),
  };
}

const NO_CACHE = 'no-cache, private';

/** Returns a response with an object. */
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

/** Returns the headers of every API response. */
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

/** Starts a write with the context for the strategy; see {@link beginClusterWrite}. */
export function beginStrategyWrite(exchange: Exchange, dryRun: boolean): ClusterWrite {
  return beginClusterWrite(exchange.core, originOf(exchange, dryRun));
}

/**
 * Runs a write with the context for the strategy. Addresses and ports that the write allocated are
 * released if it fails or is a dry run.
 */
export function withStrategyContext<T>(
  exchange: Exchange,
  dryRun: boolean,
  write: (context: StrategyContext) => T,
): T {
  return withClusterContext(exchange.core, originOf(exchange, dryRun), write);
}

function originOf({ core, info, user, warnings, floats }: Exchange, dryRun: boolean): WriteOrigin {
  const asked = { isResourceRequest: true, path: '', version: '*', namespace: '', subresource: '' };
  return {
    dryRun,
    namespace: info.namespace,
    requestGroup: info.group,
    user,
    isAllowed: (action) => core.policy.decide({ ...asked, ...action, user }).allowed,
    warn: (text) => void warnings.push(text),
    floats,
  };
}

/**
 * The limits of a real server, in characters: of all warnings, and of each one if they exceed it.
 */
const TOTAL_LIMIT = 4 * 1024;
const ITEM_LIMIT = 256;

/**
 * Returns the `Warning` headers for texts, without duplicates and texts with control characters. If
 * they are too long in total, each is cut and the rest is omitted.
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
