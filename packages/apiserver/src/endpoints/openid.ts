import type { ApiResponse } from '../http.ts';
import { type Exchange, header } from './exchange.ts';
import { checkMediaTypes } from './negotiation.ts';

/** Where others find out how to check the tokens of service accounts. */
export const OPENID_CONFIGURATION = '/.well-known/openid-configuration';
/** Where they find the keys for that. */
export const OPENID_KEYS = '/openid/v1/jwks';

/** `/.well-known/openid-configuration`: who issues tokens, and where the keys are. */
export function openIdConfiguration(exchange: Exchange): ApiResponse {
  const { core, request } = exchange;
  const keys = `https://${header(request.headers, 'host')}${OPENID_KEYS}`;
  return published(
    exchange,
    'application/json',
    core.serviceAccountTokens.openIdConfiguration(keys),
  );
}

/** `/openid/v1/jwks`: the public keys. */
export async function openIdKeys(exchange: Exchange): Promise<ApiResponse> {
  const keys = await exchange.core.serviceAccountTokens.publicKeys();
  return published(exchange, 'application/jwk-set+json', keys);
}

function published({ request }: Exchange, type: string, document: object): ApiResponse {
  checkMediaTypes(header(request.headers, 'accept'), [type]);
  return {
    status: 200,
    headers: { 'cache-control': 'public, max-age=3600', 'content-type': type },
    body: Buffer.from(JSON.stringify(document)),
  };
}
