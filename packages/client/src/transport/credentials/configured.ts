import type { Clock } from '../../lib/clock.ts';
import type { AuthConfig, Credentials, CredentialSource } from '../config.ts';
import { TokenFile } from './token-file.ts';

export interface ConfiguredCredentialsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long the token of a file is used before the file is read again. */
  readonly tokenMaxAgeMs: number;
}

/**
 * Where the credentials of a configuration come from: a token (from a file that can be read, or
 * given), user and password, or a source of its own; the first of these that is there.
 */
export function configuredCredentials(
  { token, tokenFile, username, password = '', source }: AuthConfig,
  { clock, tokenMaxAgeMs }: ConfiguredCredentialsOptions,
): CredentialSource | undefined {
  if (tokenFile !== undefined) {
    return new TokenFile(tokenFile, { clock, maxAgeMs: tokenMaxAgeMs, fallback: token });
  }
  if (token !== undefined) return fixed({ authorization: `Bearer ${token}` });
  if (username !== undefined) {
    const pair = Buffer.from(`${username}:${password}`).toString('base64');
    return fixed({ authorization: `Basic ${pair}` });
  }
  return source;
}

/** Credentials that never change: refusing them brings no others. */
function fixed(credentials: Credentials): CredentialSource {
  const found = Promise.resolve(credentials);
  return { get: () => found, refused: () => undefined };
}
