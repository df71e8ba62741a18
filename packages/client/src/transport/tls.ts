import { readFile } from 'node:fs/promises';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../lib/clock.ts';
import type { TlsConfig } from './config.ts';
import { Reloaded } from './credentials.ts';
import { nodeCrypto, nodeTls } from '../lib/node-modules.ts';
import { TransportError } from './transport-error.ts';

/** A client certificate and its key, in PEM form. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Returns the certificates of a bundle. Other content is ignored, as OpenSSL and Go do; but at
 * least one certificate is required, because Node would otherwise trust the public CAs. `origin` is
 * the field or file to name in an error.
 */
export function parseCertificates(pem: string, origin: string): string[] {
  const certificates = (pem.match(CERTIFICATE) ?? []).filter(isCertificate);
  if (certificates.length === 0) {
    throw new TransportError('TRANSPORT_TLS_CONFIG', `${origin} holds no certificate in PEM form`);
  }
  return certificates;
}

/**
 * Throws if certificate or key cannot be parsed or do not belong together. The error never contains
 * the key.
 */
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
    nodeCrypto().createPrivateKey(key);
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ERR_MISSING_PASSPHRASE'
      ? { message: 'the key is encrypted', hint: 'Remove the passphrase from the key.' }
      : { message: 'the key is not in PEM form' };
  }
  return { message: 'the certificate and its key cannot be used' };
}

function isCertificate(pem: string): boolean {
  try {
    return new (nodeCrypto().X509Certificate)(pem).raw.length > 0;
  } catch {
    return false;
  }
}

export interface TlsMaterialOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Files that were read longer ago are read again for a handshake. */
  readonly maxAgeMs: number;
  /** Called when a changed certificate or CA is in use from now on. */
  readonly onChange: (what: 'ca' | 'certificate') => void;
  /** Called when a file cannot be used and the previous content stays in use. */
  readonly onFailure: (error: unknown, what: 'ca' | 'certificate') => void;
}

/** The parameters of a handshake. */
export interface HandshakeSettings {
  readonly context: SecureContext;
  /** The CAs that the context trusts; undefined for the public ones. */
  readonly ca: readonly string[] | undefined;
  readonly insecure: boolean;
  /** The name that the certificate must be for. Default: the host of the URL. */
  readonly serverName: string | undefined;
}

interface Parts {
  readonly ca: readonly string[] | undefined;
  readonly pair: KeyPair | undefined;
}

/** What a context was made of. */
interface Made {
  readonly parts: Parts;
  readonly context: SecureContext;
}

/**
 * CA, client certificate and key, from data or from files that may change while the program runs. A
 * file that is being replaced does no harm: the last good set stays in use until all files are good
 * again.
 */
export class TlsMaterial {
  readonly #config: TlsConfig;
  readonly #onChange: TlsMaterialOptions['onChange'];
  readonly #ca: Reloaded<readonly string[]> | undefined;
  readonly #pair: Reloaded<KeyPair> | undefined;
  #issued: KeyPair | undefined;
  /** Of what is configured, if nothing of it is in files. */
  #prepared: Made | undefined;
  /** Of the last handshake. */
  #current: Made | undefined;

  constructor(config: TlsConfig, options: TlsMaterialOptions) {
    this.#config = config;
    this.#onChange = options.onChange;
    const { clock, maxAgeMs, onFailure } = options;
    const reloading = (what: 'ca' | 'certificate') => ({
      clock,
      maxAgeMs,
      onFailure: (error: unknown) => onFailure(error, what),
    });
    if (config.ca !== undefined || config.caFile !== undefined) {
      const load = async (): Promise<readonly string[]> =>
        this.#prepared?.parts.ca ?? loadCa(config);
      this.#ca = new Reloaded({ ...reloading('ca'), load });
    }
    if (config.cert !== undefined || config.certFile !== undefined) {
      const load = async (): Promise<KeyPair> => this.#prepared?.parts.pair ?? loadPair(config);
      this.#pair = new Reloaded({ ...reloading('certificate'), load });
    }
  }

  /**
   * Loads what handshakes need, and makes their context if a CA is given as data: that takes longer than a handshake, and
   * no request need wait for it. Without a CA a program may still choose another default. Never throws: the
   * first handshake says what is wrong.
   */
  prepare(): void {
    nodeTls();
    const { ca, cert, key } = this.#config;
    if (ca === undefined || this.comesFromFiles) return;
    try {
      const pair = typeof cert === 'string' && typeof key === 'string' ? { cert, key } : undefined;
      const parts = { ca: parseCertificates(ca, 'tls.ca'), pair };
      this.#prepared = { parts, context: contextOf(parts) };
    } catch {
      // As there is no context, the handshake makes one, and fails.
    }
  }

  /** True if certificates are read from files, which may change. */
  get comesFromFiles(): boolean {
    const { ca, caFile, cert, certFile, key, keyFile } = this.#config;
    const isRead = (data?: string, file?: string): boolean =>
      data === undefined && file !== undefined;
    return isRead(ca, caFile) || isRead(cert, certFile) || isRead(key, keyFile);
  }

  /** True if a client certificate is sent. */
  get hasCertificate(): boolean {
    return (this.#issued ?? this.#pair) !== undefined;
  }

  /** Replaces the configured client certificate with one of a credential source. */
  useCertificate(pair: KeyPair | undefined): void {
    this.#issued = pair;
  }

  /** Returns the parameters for a handshake now. Reads files again if they are due. */
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
    const prepared = this.#prepared;
    const context = isMadeOf(prepared, parts) ? prepared.context : contextOf(parts);
    this.#current = { parts, context };
    if (before !== undefined) this.#onChange(isPairChanged ? 'certificate' : 'ca');
    return context;
  }
}

function contextOf({ ca, pair }: Parts): SecureContext {
  return nodeTls().createSecureContext({
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca: [...ca] }),
    ...pair,
  });
}

function isMadeOf(made: Made | undefined, { ca, pair }: Parts): made is Made {
  return made !== undefined && sameList(made.parts.ca, ca) && samePair(made.parts.pair, pair);
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
