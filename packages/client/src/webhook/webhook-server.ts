import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumbers } from '../lib/option-error.ts';
import type { WebhookMetrics } from '../observe/webhook-metrics.ts';
import { checkKeyPair, parseCertificates } from '../transport/tls.ts';
import { WebhookError } from './webhook-error.ts';
import { tooLarge, type Webhooks, type WebhookRequest } from './webhooks.ts';

/** Options of {@link WebhookServer}. */
export interface WebhookServerOptions extends LoggerOption {
  /** The directory with certificate and key, usually a mounted Secret. */
  readonly certDir: string;
  /** The file of the certificate chain. Default `tls.crt`. */
  readonly certName?: string | undefined;
  /** The file of the key. Default `tls.key`. */
  readonly keyName?: string | undefined;
  /** The file of the CA whose client certificates are required. Default: none are required. */
  readonly clientCAName?: string | undefined;
  /** Default 9443, as in controller-runtime; 0 for any free one. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: all. */
  readonly host?: string | undefined;
  /** How often the files are compared with those in use. Default 10,000. */
  readonly reloadPeriodMs?: number | undefined;
  /** Counts the readings of the certificate. */
  readonly metrics?: Pick<WebhookMetrics, 'certificateRead'> | undefined;
  /** The time that reviews in progress have after `close`. Default 10,000. */
  readonly gracePeriodMs?: number | undefined;
  /** Called when changed files cannot be used. Default: logs a warning. */
  readonly onError?: ((error: WebhookError) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Certificate, key and client CA, in PEM form. */
interface Material {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string | undefined;
}

/**
 * Serves {@link Webhooks} over TLS. When certificate or key change, new connections use the new pair
 * without a restart; a pair that does not fit together is reported, and the previous one stays in
 * use until the files are complete.
 *
 * ```ts
 * await using server = new WebhookServer(webhooks, { certDir: '/etc/webhook/certs' });
 * await server.start();
 * ```
 */
export class WebhookServer implements AsyncDisposable {
  readonly #webhooks: Webhooks;
  readonly #options: WebhookServerOptions;
  readonly #clock: Clock;
  readonly #report: (error: WebhookError) => void;
  #server: Server | undefined;
  #material: Material | undefined;
  /** One reload at a time, so that an older reading never replaces a newer one. */
  #reloading: Promise<unknown> = Promise.resolve();
  #timer: ScheduledCall | undefined;
  #closing: Promise<void> | undefined;

  constructor(webhooks: Webhooks, options: WebhookServerOptions) {
    checkNumbers(options, {
      port: 'countOrNone',
      reloadPeriodMs: 'duration',
      gracePeriodMs: 'duration',
    });
    this.#webhooks = webhooks;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const logger = loggerOf(options.logger);
    const { onError = errorLogger(logger, 'webhook.certificate') } = options;
    this.#report = guardCallback('onError of the webhook server', onError, logger);
  }

  /** The port it listens on; undefined before `start` and after `close`. */
  get port(): number | undefined {
    const address = this.#server?.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** True while reviews are answered: a readiness check. */
  get isListening(): boolean {
    return this.#server?.listening === true;
  }

  /**
   * Reads the certificate and listens. Rejects with a {@link WebhookError} if the files cannot be used
   * or the port is taken.
   */
  async start(): Promise<void> {
    const { port = 9443, host, clientCAName } = this.#options;
    const material = await this.#read();
    const clientCertificates = clientCAName !== undefined;
    const server = createServer(
      { ...material, requestCert: clientCertificates, rejectUnauthorized: clientCertificates },
      (request, response) => void this.#serve(request, response),
    );
    server.requestTimeout = 30_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const message = `cannot listen on port ${port}: ${messageOf(cause)}`;
        reject(new WebhookError('WEBHOOK_LISTEN_FAILED', message, { cause }));
      });
      server.listen({ port, host }, resolve);
    });
    this.#material = material;
    this.#server = server;
    this.#scheduleReload();
  }

  /**
   * Compares the files with those in use, and uses changed ones for new connections. Called
   * periodically; call it to apply a change immediately. Rejects if the files cannot be used.
   */
  async reload(): Promise<void> {
    const reloading = this.#reloading.then(() => this.#reload());
    this.#reloading = reloading.catch(() => undefined);
    await reloading;
  }

  /** Stops listening and waits for reviews in progress, at most for the grace period. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  /** Same as {@link WebhookServer.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#timer?.cancel();
    const server = this.#server;
    if (server === undefined) return;
    const { gracePeriodMs = 10_000 } = this.#options;
    const limit = this.#clock.schedule(gracePeriodMs, () => server.closeAllConnections(), {
      background: true,
    });
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    limit.cancel();
    this.#server = undefined;
  }

  async #reload(): Promise<void> {
    const material = await this.#read();
    const { cert, key, ca } = this.#material ?? {};
    if (material.cert === cert && material.key === key && material.ca === ca) return;
    this.#server?.setSecureContext(material);
    this.#material = material;
  }

  #scheduleReload(): void {
    const { reloadPeriodMs = 10_000 } = this.#options;
    this.#timer = this.#clock.schedule(reloadPeriodMs, () => void this.#reloadQuietly(), {
      background: true,
    });
  }

  async #reloadQuietly(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      this.#report(asCertificateError(error, this.#options.certDir));
    }
    if (this.#closing === undefined) this.#scheduleReload();
  }

  async #read(): Promise<Material> {
    const { certDir, certName = 'tls.crt', keyName = 'tls.key', clientCAName } = this.#options;
    try {
      const [cert, key, ca] = await Promise.all([
        readFile(join(certDir, certName), 'utf8'),
        readFile(join(certDir, keyName), 'utf8'),
        clientCAName === undefined ? undefined : readFile(join(certDir, clientCAName), 'utf8'),
      ]);
      checkKeyPair({ cert, key }, certDir);
      if (ca !== undefined) parseCertificates(ca, join(certDir, clientCAName ?? ''));
      this.#options.metrics?.certificateRead?.();
      if (ca === undefined) return { cert, key };
      return { cert, key, ca };
    } catch (error) {
      const problem = asCertificateError(error, certDir);
      this.#options.metrics?.certificateRead?.(problem);
      throw problem;
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('the API server closed the connection')));
    const { method = '', url: path = '/', headers } = request;
    const answer = await this.#bodyOf(request, path)
      .then((body) => this.#webhooks.handle({ method, path, headers, body }, gone))
      .catch((error: unknown) => ({
        status: error instanceof WebhookError ? 413 : 400,
        headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
        body: `${messageOf(error)}\n`,
      }));
    if (response.destroyed) return;
    const connection = this.#closing === undefined ? {} : { connection: 'close' };
    response.writeHead(answer.status, { ...answer.headers, ...connection });
    response.end(answer.body);
  }

  /**
   * Reads a body up to the limit of its path. The rest is read and dropped, because a client that
   * still sends does not see the answer.
   */
  async #bodyOf(request: IncomingMessage, path: string): Promise<WebhookRequest['body']> {
    const maxBytes = this.#webhooks.maxBodyBytes(path);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
    // Nothing is served at a path with limit 0: the answer is 404 whatever the body is.
    if (size > maxBytes && maxBytes > 0) throw tooLarge(maxBytes);
    return Buffer.concat(chunks);
  }
}

function asCertificateError(error: unknown, certDir: string): WebhookError {
  if (error instanceof WebhookError) return error;
  const message = `the certificate in "${certDir}" cannot be used: ${messageOf(error)}`;
  return new WebhookError('WEBHOOK_CERTIFICATE_INVALID', message, { cause: error });
}
