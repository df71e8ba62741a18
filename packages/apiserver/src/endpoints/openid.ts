import type { ApiResponse } from '../http.ts';
import { type Exchange, header } from './exchange.ts';
import { methodNotAllowed, pageNotFound } from './failures.ts';
import { checkMediaTypes } from './negotiation.ts';

/** Where others find out how to check the tokens of service accounts. */
export const OPENID_CONFIGURATION = '/.well-known/openid-configuration';
/** Where they find the keys for that. */
export const OPENID_KEYS = '/openid/v1/jwks';

/** Both of them; whatever else is asked for is not there. */
export async function openIdRoute(exchange: Exchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  const path = info.path.replace(/\/$/, '');
  if (path !== OPENID_CONFIGURATION && path !== OPENID_KEYS) return pageNotFound();
  if (request.method !== 'GET') throw methodNotAllowed();
  return path === OPENID_KEYS ? await keys(exchange) : configuration(exchange);
}

/** Who issues tokens, and where the keys are. */
function configuration(exchange: Exchange): ApiResponse {
  const { core, request } = exchange;
  const keysUrl = `https://${header(request.headers, 'host')}${OPENID_KEYS}`;
  return publish(
    exchange,
    'application/json',
    core.serviceAccountTokens.openIdConfiguration(keysUrl),
  );
}

async function keys(exchange: Exchange): Promise<ApiResponse> {
  const published = await exchange.core.serviceAccountTokens.publicKeys();
  return publish(exchange, 'application/jwk-set+json', published);
}

function publish({ request }: Exchange, type: string, document: object): ApiResponse {
  checkMediaTypes(header(request.headers, 'accept'), [type]);
  return {
    status: 200,
    headers: { 'cache-control': 'public, max-age=3600', 'content-type': type },
    body: Buffer.from(JSON.stringify(document)),
  };
}
