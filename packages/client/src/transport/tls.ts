import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../lib/clock.ts';
import type { TlsConfig } from './config.ts';
import { Reloaded } from './credentials.ts';
import { nodeTls } from './node-modules.ts';
import { TransportError } from './transport-error.ts';

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

export interface TlsMaterialOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Files read longer ago than this are read again for a handshake. */
  readonly maxAgeMs: number;
  /** Told when another certificate or CA is used from now on than before. */
  readonly onChange: (what: 'ca' | 'certificate') => void;
  /** Told when a file cannot be used and what was read before stays in use. */
  readonly onFailure: (error: unknown) => void;
}

/** What a handshake needs to know. */
export interface HandshakeSettings {
  readonly context: SecureContext;
  /** The CAs that the context trusts; undefined for the public ones. */
  readonly ca: readonly string[] | undefined;
  readonly insecure: boolean;
  /** The name that the certificate must be for, if it is not that of the URL. */
  readonly serverName: string | undefined;
}

interface Parts {
  readonly ca: readonly string[] | undefined;
  readonly pair: KeyPair | undefined;
}

/**
 * CA, client certificate and key, from data or from files that may change while the program runs.
 * A file in the middle of being replaced does no harm: what was good last stays in use until the
 * whole is good again.
 */
export class TlsMaterial {
  readonly #config: TlsConfig;
  readonly #onChange: TlsMaterialOptions['onChange'];
  readonly #ca: Reloaded<readonly string[]> | undefined;
  readonly #pair: Reloaded<KeyPair> | undefined;
  #issued: KeyPair | undefined;
  #current: { readonly parts: Parts; readonly context: SecureContext } | undefined;

  constructor(config: TlsConfig, options: TlsMaterialOptions) {
    this.#config = config;
    this.#onChange = options.onChange;
    const { clock, maxAgeMs, onFailure } = options;
    const reloading = { clock, maxAgeMs, onFailure };
    if (config.ca !== undefined || config.caFile !== undefined) {
      this.#ca = new Reloaded({ ...reloading, load: () => loadCa(config) });
    }
    if (config.cert !== undefined || config.certFile !== undefined) {
      this.#pair = new Reloaded({ ...reloading, load: () => loadPair(config) });
    }
  }

  /** True if something may change by itself, so that looking again makes sense. */
  get comesFromFiles(): boolean {
    const { ca, caFile, cert, certFile, key, keyFile } = this.#config;
    const isRead = (data?: string, file?: string): boolean =>
      data === undefined && file !== undefined;
    return isRead(ca, caFile) || isRead(cert, certFile) || isRead(key, keyFile);
  }

  /** True if a client certificate is shown. */
  get hasCertificate(): boolean {
    return (this.#issued ?? this.#pair) !== undefined;
  }

  /** Uses a certificate that was made on demand instead of the configured one. */
  useCertificate(pair: KeyPair | undefined): void {
    this.#issued = pair;
  }

  /** What to use for a handshake now. Reads files again if it is time. */
  async current(): Promise<HandshakeSettings> {
    const issued = this.#issued;
    if (issued !== undefined) checkKeyPair(issued, 'the cert and key of the credentials');
    const [ca, pair] = await Promise.all([this.#ca?.get(), issued ?? this.#pair?.get()]);
    const { insecure = false, serverName } = this.#config;
    return { context: this.#contextFor({ ca, pair }), ca, insecure, serverName };
  }

  #contextFor(parts: Parts): SecureContext {
    const before = this.#current;
    const isCaChanged = !sameList(before?.parts.ca, parts.ca);
    const isPairChanged = !samePair(before?.parts.pair, parts.pair);
    if (before !== undefined && !isCaChanged && !isPairChanged) return before.context;
    const { ca, pair } = parts;
    const context = nodeTls().createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca: [...ca] }),
      ...pair,
    });
    this.#current = { parts, context };
    if (before !== undefined) this.#onChange(isPairChanged ? 'certificate' : 'ca');
    return context;
  }
}

async function loadCa({ ca, caFile = '' }: TlsConfig): Promise<string[]> {
  return ca === undefined
    ? parseCertificates(await readPem(caFile, 'tls.caFile'), `tls.caFile (${caFile})`)
    : parseCertificates(ca, 'tls.ca');
}

async function loadPair({ cert, certFile = '', key, keyFile = '' }: TlsConfig): Promise<KeyPair> {
  const pair = {
    cert: cert ?? (await readPem(certFile, 'tls.certFile')),
    key: key ?? (await readPem(keyFile, 'tls.keyFile')),
  };
  const origins = [
    cert === undefined ? `tls.certFile (${certFile})` : 'tls.cert',
    key === undefined ? `tls.keyFile (${keyFile})` : 'tls.key',
  ];
  checkKeyPair(pair, origins.join(' and '));
  return pair;
}

async function readPem(path: string, field: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new TransportError('TRANSPORT_TLS_CONFIG', `${field}: cannot read ${path}`, { cause });
  }
}

function sameList(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): boolean {
  return left === right || (left !== undefined && left.join('\n') === right?.join('\n'));
}

function samePair(left: KeyPair | undefined, right: KeyPair | undefined): boolean {
  return left?.cert === right?.cert && left?.key === right?.key;
}
