/** How many credentials are remembered. */
const MAX_USED = 100;

/** The values of `Authorization` headers, the last used last. Never leaves the process. */
const used = new Set<string>();
let changes = 0;

/** Remembers credentials that a client uses, so that texts can be shown without them. */
export function noteCredentials(authorization: string): void {
  changes += 1;
  used.delete(authorization);
  used.add(authorization);
  for (const oldest of used) {
    if (used.size <= MAX_USED) return;
    used.delete(oldest);
  }
}

/**
 * Returns the credentials that clients have used in this process: tokens, the encoded pair of user and
 * password, and the password itself. For hiding them in what is shown.
 */
export function usedCredentials(): readonly string[] {
  return [...used].flatMap((authorization) => {
    const [scheme = '', credentials = ''] = authorization.split(' ', 2);
    if (scheme.toLowerCase() !== 'basic') return [credentials];
    const pair = Buffer.from(credentials, 'base64').toString();
    return [credentials, pair.slice(pair.indexOf(':') + 1)];
  });
}

/** Returns a number that grows whenever {@link usedCredentials} may have changed. */
export function usedCredentialsVersion(): number {
  return changes;
}
