import { X509Certificate } from 'node:crypto';

import { nodeTls } from '../node-modules.ts';
import { TransportError } from '../transport-error.ts';

/** A client certificate and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The certificates of a bundle. Parts that are none are passed over, as everybody does; but at
 * least one must be there, because Node takes no CA at all for "trust the public ones".
 * `origin` is the field or file to name in an error.
 */
export function parseCertificates(pem: string, origin: string): string[] {
  const certificates = (pem.match(CERTIFICATE) ?? []).filter(isCertificate);
  if (certificates.length === 0) {
    throw new TransportError('TLS_CONFIG', `${origin} holds no certificate in PEM form`);
  }
  return certificates;
}

/** Throws if the two are not readable or do not belong together; keys never show in the error. */
export function checkKeyPair({ cert, key }: KeyPair, origin: string): void {
  try {
    nodeTls().createSecureContext({ cert, key });
  } catch (cause) {
    const message = `${origin} are not a certificate and its key in PEM form`;
    throw new TransportError('TLS_CONFIG', message, { cause });
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
