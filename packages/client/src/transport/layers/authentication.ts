import type { Credentials, CredentialSource, Middleware } from '../config.ts';
import { noteCredentials } from '../used-credentials.ts';
import type { KeyPair } from '../tls.ts';
import type { TransportRequest } from '../transport.ts';
import { discard } from './body.ts';

export interface AuthenticationOptions {
  readonly source: CredentialSource;
  /** Called with the client certificate to use; undefined for the configured one. */
  readonly useCertificate: (pair: KeyPair | undefined) => Promise<void>;
}

/**
 * Adds credentials to every request that has none. When the server answers 401, the source is
 * notified, and if it then returns other credentials, the request is repeated once with those.
 */
export function authentication({ source, useCertificate }: AuthenticationOptions): Middleware {
  let noted: string | undefined;
  const prepare = async (
    request: TransportRequest,
    { authorization, cert, key }: Credentials,
  ): Promise<TransportRequest> => {
    const pair = cert === undefined || key === undefined ? undefined : { cert, key };
    await useCertificate(pair);
    if (authorization === undefined) return request;
    if (authorization !== noted) noteCredentials(authorization);
    noted = authorization;
    return { ...request, headers: { ...request.headers, authorization } };
  };
  return async (request, next) => {
    if (request.headers['authorization'] !== undefined) return next(request);
    const credentials = await source.get({ signal: request.signal });
    const response = await next(await prepare(request, credentials));
    if (response.status !== 401) return response;
    source.refused(credentials);
    const renewed = await source.get({ signal: request.signal }).catch(async (error: unknown) => {
      await discard(response);
      throw error;
    });
    if (areSame(credentials, renewed)) return response;
    await discard(response);
    return next(await prepare(request, renewed));
  };
}

function areSame(left: Credentials, right: Credentials): boolean {
  return (
    left.authorization === right.authorization && left.cert === right.cert && left.key === right.key
  );
}
