import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';

import { type Clock, OptionError } from 'client-ts/internal';

import { parseIP } from '../validation/ip.ts';
import * as der from './der.ts';

/** A certificate and its private key, as PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

/** Options of {@link CertificateAuthority}. */
export interface CertificateAuthorityOptions {
  /** The time of issue. Clients check it against the system time: do not pass a virtual clock. */
  readonly clock: Clock;
  /** An authority to continue: its certificate and key. Default: a new one. */
  readonly existing?: CertificateAndKey | undefined;
}

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));
const COMMON_NAME = der.objectIdentifier('2.5.4.3');
const ORGANIZATION = der.objectIdentifier('2.5.4.10');
const SERVER_AUTH = der.objectIdentifier('1.3.6.1.5.5.7.3.1');
const CLIENT_AUTH = der.objectIdentifier('1.3.6.1.5.5.7.3.2');

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
/** As kubeadm's. */
const AUTHORITY_YEARS = 10;

interface Issuer {
  readonly name: Buffer;
  readonly keyId: Buffer;
  readonly privateKey: KeyObject;
}

/**
 * A certificate authority. Its key is generated in the constructor and stays in memory unless
 * {@link exportKey} is called. All keys are ECDSA on P-256: fast to generate and accepted everywhere.
 */
export class CertificateAuthority {
  /** The certificate of the CA, as PEM, for clients to trust. */
  readonly certificate: string;
  readonly #issuer: Issuer;
  readonly #clock: Clock;

  constructor({ clock, existing }: CertificateAuthorityOptions) {
    this.#clock = clock;
    const privateKey =
      existing === undefined
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : createPrivateKey(existing.key);
    const publicKey = createPublicKey(privateKey);
    const name = distinguishedName('client-ts-ca', []);
    this.#issuer = { name, keyId: keyIdentifier(publicKey), privateKey };
    this.certificate = existing?.certificate ?? this.#signItself(publicKey);
  }

  /** Returns the certificate and the private key, to continue this authority later. */
  exportKey(): CertificateAndKey {
    return { certificate: this.certificate, key: pemOf(this.#issuer.privateKey) };
  }

  /** Issues a server certificate that is valid for these host names and IP addresses. */
  issueServerCertificate(hosts: readonly string[]): CertificateAndKey {
    return this.#issue(distinguishedName(hosts[0] ?? 'localhost', []), [
      extension('2.5.29.37', der.sequence(SERVER_AUTH)),
      extension('2.5.29.17', der.sequence(...hosts.map(generalName))),
    ]);
  }

  /** Issues a client certificate: the common name is the user, the organizations are its groups. */
  issueClientCertificate(user: {
    readonly commonName: string;
    readonly organizations?: readonly string[] | undefined;
  }): CertificateAndKey {
    if (user.commonName === '') throw new OptionError('commonName', 'must not be empty');
    return this.#issue(distinguishedName(user.commonName, user.organizations ?? []), [
      extension('2.5.29.37', der.sequence(CLIENT_AUTH)),
    ]);
  }

  #issue(subject: Buffer, extensions: readonly Buffer[]): CertificateAndKey {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const certificate = this.#sign(subject, publicKey, [
      extension('2.5.29.19', der.sequence(), 'critical'),
      // Digital signature.
      extension('2.5.29.15', der.bitString(Buffer.from([0b1000_0000]), 7), 'critical'),
      ...extensions,
    ]);
    return { certificate, key: pemOf(privateKey) };
  }

  #signItself(publicKey: KeyObject): string {
    const extensions = [
      extension('2.5.29.19', der.sequence(der.boolean(true)), 'critical'),
      // Digital signature, certificate signing, list signing.
      extension('2.5.29.15', der.bitString(Buffer.from([0b1000_0110]), 1), 'critical'),
    ];
    return this.#sign(this.#issuer.name, publicKey, extensions, AUTHORITY_YEARS * YEAR_MS);
  }

  #sign(
    subject: Buffer,
    publicKey: KeyObject,
    extensions: readonly Buffer[],
    lifetimeMs = YEAR_MS,
  ): string {
    const now = this.#clock.now();
    const { name, keyId, privateKey } = this.#issuer;
    const version3 = der.explicit(0, der.integer(Buffer.from([2])));
    const content = der.sequence(
      version3,
      der.integer(serialNumber()),
      ECDSA_WITH_SHA256,
      name,
      // Valid from an hour ago, for clients whose clocks run behind.
      der.sequence(der.time(now - HOUR_MS), der.time(now + lifetimeMs)),
      subject,
      publicKey.export({ type: 'spki', format: 'der' }),
      der.explicit(
        3,
        der.sequence(
          ...extensions,
          extension('2.5.29.14', der.octetString(keyIdentifier(publicKey))),
          extension('2.5.29.35', der.sequence(der.implicit(0, keyId))),
        ),
      ),
    );
    const signature = signBytes('sha256', content, privateKey);
    return pem(der.sequence(content, ECDSA_WITH_SHA256, der.bitString(signature)));
  }
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const part = (type: Buffer, text: string): Buffer =>
    der.setOf(der.sequence(type, der.utf8String(text)));
  return der.sequence(
    ...organizations.map((organization) => part(ORGANIZATION, organization)),
    part(COMMON_NAME, commonName),
  );
}

function extension(
  id: string,
  value: Buffer,
  criticality: 'critical' | 'optional' = 'optional',
): Buffer {
  return der.sequence(
    der.objectIdentifier(id),
    ...(criticality === 'critical' ? [der.boolean(true)] : []),
    der.octetString(value),
  );
}

/** Encodes a host name or an IP address as a subject alternative name. */
function generalName(host: string): Buffer {
  const address = parseIP(host);
  return address === undefined
    ? der.implicit(2, Buffer.from(host))
    : der.implicit(7, Buffer.from(address.bytes));
}

/** Returns the key identifier: the SHA-1 of the public key. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** Returns a random positive serial number. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
