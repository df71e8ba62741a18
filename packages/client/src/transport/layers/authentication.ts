import type { Credentials, CredentialSource, Middleware } from '../config.ts';
import { noteCredentials } from '../used-credentials.ts';
import type { KeyPair } from '../tls.ts';
import type { TransportRequest } from '../transport.ts';
import { discard } from './body.ts';

export interface AuthenticationOptions {
  readonly source: CredentialSource;
  /**
   * Called with the client certificate to use; undefined for the configured one. Returns a promise if
   * it has to be loaded.
   */
  readonly useCertificate: (pair: KeyPair | undefined) => Promise<void> | undefined;
}

/**
 * Adds credentials to every request that has none. When the server answers 401, the source is
 * notified, and if it then returns other credentials, the request is repeated once with those.
 */
export function authentication({ source, useCertificate }: AuthenticationOptions): Middleware {
  let noted: string | undefined;
  const certified = ({ cert, key }: Credentials): Promise<void> | undefined =>
    useCertificate(cert === undefined || key === undefined ? undefined : { cert, key });
  const prepared = (
    request: TransportRequest,
    { authorization }: Credentials,
  ): TransportRequest => {
    if (authorization === undefined) return request;
    if (authorization !== noted) noteCredentials(authorization);
    noted = authorization;
    return { ...request, headers: { ...request.headers, authorization } };
  };
  return async (request, next) => {
    if (request.headers['authorization'] !== undefined) return next(request);
    const credentials = await source.get({ signal: request.signal });
    const loading = certified(credentials);
    if (loading !== undefined) await loading;
    const response = await next(prepared(request, credentials));
    if (response.status !== 401) return response;
    source.refused(credentials);
    const renewed = await source.get({ signal: request.signal }).catch(async (error: unknown) => {
      await discard(response);
      throw error;
    });
    if (areSame(credentials, renewed)) return response;
    await discard(response);
    await certified(renewed);
    return next(prepared(request, renewed));
  };
}

function areSame(left: Credentials, right: Credentials): boolean {
  return (
    left.authorization === right.authorization && left.cert === right.cert && left.key === right.key
  );
}
