import { createHash } from 'node:crypto';

/** What stands in ETags and in the addresses of OpenAPI documents. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}
