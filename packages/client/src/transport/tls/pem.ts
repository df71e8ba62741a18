import { createPrivateKey, X509Certificate } from 'node:crypto';

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
    throw new TransportError('TRANSPORT_TLS_CONFIG', `${origin} holds no certificate in PEM form`);
  }
  return certificates;
}

/** Throws if the two are not readable or do not belong together; keys never show in the error. */
export function checkKeyPair({ cert, key }: KeyPair, origin: string): void {
  try {
    nodeTls().createSecureContext({ cert, key });
  } catch (cause) {
    const { message, hint } = keyPairFault({ cert, key }, cause);
    throw new TransportError('TRANSPORT_TLS_CONFIG', `${origin}: ${message}`, { cause, hint });
  }
}

interface Fault {
  readonly message: string;
  readonly hint?: string;
}

function keyPairFault({ cert, key }: KeyPair, cause: unknown): Fault {
  if (/KEY_(?:VALUES|TYPE)_MISMATCH/.test(String(Reflect.get(Object(cause), 'code')))) {
    return {
      message: 'the key does not belong to the certificate',
      hint: 'Take certificate and key from the same source; the certificate comes first in its file.',
    };
  }
  if (!isCertificate(cert)) return { message: 'the certificate is not in PEM form' };
  try {
    createPrivateKey(key);
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ERR_MISSING_PASSPHRASE'
      ? { message: 'the key is encrypted', hint: 'Give the key without a passphrase.' }
      : { message: 'the key is not in PEM form' };
  }
  return { message: 'the certificate and its key cannot be used' };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
