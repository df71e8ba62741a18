import type { BackoffOptions } from '../lib/backoff.ts';
import type { Environment } from '../lib/environment.ts';
import type { Logger } from '../lib/logger.ts';
import { TransportError } from './transport-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** How to verify the server's certificate, and the client certificate for the TLS handshake. */
export interface TlsConfig {
  /** The CA in PEM form. A file is read again when it changes. */
  readonly ca?: string | undefined;
  readonly caFile?: string | undefined;
  /** The client certificate and its key in PEM form. */
  readonly cert?: string | undefined;
  readonly certFile?: string | undefined;
  readonly key?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The name that the server's certificate must be for. Default: the host of the URL. */
  readonly serverName?: string | undefined;
  /** Accepts any certificate. Not allowed together with a CA. */
  readonly insecure?: boolean | undefined;
}

/** The user that requests act as. */
export interface ImpersonationConfig {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The credentials of a request. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: string | undefined;
  /** A client certificate in PEM form, which replaces the configured one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Provides credentials on demand: exec plugins, OIDC, token files. One source serves all requests of
 * a transport; concurrent calls share one run.
 */
export interface CredentialSource {
  /** Returns the current credentials. They are cached until they expire. */
  get(options?: { readonly signal?: AbortSignal | undefined }): Promise<Credentials>;
  /** Called when the server answered 401 to these credentials: the next `get` returns new ones. */
  refused(credentials: Credentials): void;
}

/** The credentials for an API server; client certificates are in {@link TlsConfig}. */
export interface AuthConfig {
  readonly token?: string | undefined;
  /** Read again every minute. Takes precedence over `token` once it has been read. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly source?: CredentialSource | undefined;
}

/** Sends a request to the next layer. */
export type Next = (request: TransportRequest) => Promise<TransportResponse>;

/** Wraps every request, outermost first. It may change it, answer it, or call `next` repeatedly. */
export type Middleware = (request: TransportRequest, next: Next) => Promise<TransportResponse>;

/** Wraps `innermost` in layers; the first is the outermost. */
export function compose(layers: readonly Middleware[], innermost: Next): Next {
  return layers.reduceRight<Next>((next, layer) => (request) => layer(request, next), innermost);
}

/** How the delays between retries grow. */
export type RetryDelays = Pick<BackoffOptions, 'factor' | 'initialMs' | 'jitter' | 'maxMs'>;

/** Called for each `Warning` header with code 299 and a text. */
export type WarningHandler = (warning: { readonly text: string; readonly agent: string }) => void;

/** Which HTTP to use; `docs/adr/0006-http-connections.md` compares them. */
export type ProtocolChoice = 'auto' | 'http1';

/**
 * How to connect to one API server. Plain data, safe to copy and extend; its secrets never appear in
 * errors or diagnostics.
 */
export interface Config {
  /** `https://host:port`, with a path if the API is not at the root. */
  readonly server: string;
  /** The namespace of the kubeconfig's context, or of the pod. Default `default`. */
  readonly namespace?: string | undefined;
  readonly tls?: TlsConfig | undefined;
  readonly auth?: AuthConfig | undefined;
  readonly impersonate?: ImpersonationConfig | undefined;
  /** `http:`, `https:` or `socks5:`. Default: HTTPS_PROXY and NO_PROXY of the environment. */
  readonly proxyUrl?: string | undefined;
  /** `auto` (default): HTTP/2 if the server offers it. `http1`: HTTP/1.1 only. */
  readonly protocol?: ProtocolChoice | undefined;
  /** The protocol of watches and other streams. Default: as `protocol`. */
  readonly streamProtocol?: ProtocolChoice | undefined;
  readonly userAgent?: string | undefined;
  /** True to request gzip. Default true. */
  readonly compression?: boolean | undefined;
  /** The time limit of whole requests; does not apply to watches and other streams. Default: none. */
  readonly timeoutMs?: number | undefined;
  /**
   * The maximum size of a whole response, in bytes after decompression; a larger one is refused with
   * `REST_RESPONSE_TOO_LARGE`. Streams have limits for their frames instead. Default 512 MiB.
   */
  readonly maxResponseBytes?: number | undefined;
  /** How often a failed request is repeated where that is safe. Default 10; 0 turns retries off. */
  readonly maxRetries?: number | undefined;
  /**
   * The delays between retries, added to the server's `Retry-After`. Default: 100 ms,
   * doubling up to 10 s, with jitter 1.
   */
  readonly retryBackoff?: RetryDelays | undefined;
  /** The client-side rate limit, in requests per second. Default: none. */
  readonly qps?: number | undefined;
  /** How many requests may be sent in a burst, above `qps`. Default: twice `qps`. */
  readonly burst?: number | undefined;
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * Wraps every attempt to send a request, as the innermost layer: it sees each retry, with the
   * credentials in its headers. An error that it throws is retried only if its `retry` allows it.
   */
  readonly attemptMiddleware?: readonly Middleware[] | undefined;
  /** Default: a warning in the log, each text once. */
  readonly onWarning?: WarningHandler | undefined;
  /**
   * Receives reports about background work: retries, lost watches, failing handlers. Everything that
   * is created with a client inherits it. Default: stderr, at the level of the environment variable
   * `CLIENT_TS_LOG` (`debug`, `info`, `warn`, `error`, `off`; default `warn`).
   */
  readonly logger?: Logger | undefined;
  /** Sends requests instead of connections: for servers in the same process. */
  readonly transport?: Transport | undefined;
}

/**
 * Returns the URL of the server, or undefined if the config has its own transport. Throws
 * `TRANSPORT_CONFIG` for a config that is invalid; the message never contains a secret.
 */
export function checkConfig(config: Config): URL | undefined {
  requireConfig(config);
  const { auth = {}, tls = {}, impersonate, qps, burst, timeoutMs, maxResponseBytes } = config;
  if (auth.username !== undefined && (auth.token ?? auth.tokenFile) !== undefined) {
    throw invalid('auth has both a token and a user name', 'Use one of the two.');
  }
  if (tls.insecure === true && (tls.ca ?? tls.caFile) !== undefined) {
    throw invalid('tls.insecure cannot be combined with a CA', 'Remove one of the two.');
  }
  if ((tls.cert ?? tls.certFile) === undefined || (tls.key ?? tls.keyFile) === undefined) {
    if ((tls.cert ?? tls.certFile ?? tls.key ?? tls.keyFile) !== undefined) {
      throw invalid('tls has a certificate or a key, but not both', 'Set both, or neither.');
    }
  }
  // Checked at runtime too: without a user, requests would run with the client's own rights.
  if (impersonate !== undefined && (impersonate.user ?? '') === '') {
    throw invalid('impersonate.user is empty', 'Groups, uid and extra need a user.');
  }
  for (const [name, value] of Object.entries({ qps, burst, timeoutMs, maxResponseBytes })) {
    if (value !== undefined && !(value > 0)) {
      throw invalid(`${name} is ${value}`, `Set ${name} to a number above 0, or omit it.`);
    }
  }
  return config.transport === undefined ? serverUrl(config.server) : undefined;
}

/** Refuses what untyped programs may pass instead of a config: nothing, or a promise of one. */
export function requireConfig(config: unknown): void {
  if (typeof config !== 'object' || config === null) {
    const given = config === null ? 'null' : typeof config;
    throw invalid(`the config must be an object, not ${given}`, CONFIG_HINT);
  }
  if (typeof Reflect.get(config, 'then') === 'function') {
    throw invalid('the config is a promise', 'Await it: new Clientset(await loadConfig()).');
  }
}

const CONFIG_HINT = "Pass await loadConfig(), or { server: 'https://host:port' }.";

/** Returns the namespace of a config; an empty one counts as none. */
export function defaultNamespaceOf({ namespace = '' }: Config): string {
  return namespace === '' ? 'default' : namespace;
}

/** Returns host and port of an address, for messages. User and query of an invalid one are removed. */
export function hostOf(address: string): string {
  if (typeof address !== 'string') return '';
  return URL.canParse(address)
    ? new URL(address).host
    : address.replace(/^\w*:?\/\/|[?#].*$/g, '').replace(/^.*@/, '');
}

function serverUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const problem = server === undefined ? 'server is missing' : 'server is not an http(s) URL';
    throw invalid(problem, 'Write https://host:port.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    const hint = 'Put credentials under auth, and remove query and fragment.';
    throw invalid('server has more than scheme, host, port and path', hint);
  }
  return url;
}

function invalid(message: string, hint: string): TransportError {
  return new TransportError('TRANSPORT_CONFIG', message, { hint });
}

/** The time limits and periods of a transport. */
export interface TransportTiming {
  /** Time limit for a TCP connection, and for the answer of a proxy. Default 30 s. */
  readonly connectMs: number;
  /** Time limit for a TLS handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** How long a request waits for a free stream if the server allows no HTTP/2 streams. Default 30 s. */
  readonly streamWaitMs: number;
  /** An unused connection is closed after this time. Default 90 s. */
  readonly idleMs: number;
  /** A silent HTTP/2 connection is pinged after at most this time; 0: never. Default 30 s. */
  readonly readIdleMs: number;
  /** A connection is dead if a ping is not answered within this time. Default 15 s. */
  readonly pingMs: number;
  /** Certificate and CA files older than this are read again for a new connection. Default 1 s. */
  readonly fileMaxAgeMs: number;
  /** The period at which they are checked while connections are open. Default 5 min. */
  readonly fileCheckMs: number;
  /** Token files older than this are read again. Default 50 s: a minute, with some margin. */
  readonly tokenMaxAgeMs: number;
}

const DEFAULTS: TransportTiming = {
  connectMs: 30_000,
  handshakeMs: 10_000,
  streamWaitMs: 30_000,
  idleMs: 90_000,
  readIdleMs: 30_000,
  pingMs: 15_000,
  fileMaxAgeMs: 1000,
  fileCheckMs: 300_000,
  tokenMaxAgeMs: 50_000,
};

/** Returns the timing: the options, else client-go's environment variables, else the defaults. */
export function timingOf(options: Partial<TransportTiming>, env: Environment): TransportTiming {
  const readIdleMs = secondsFrom(env['HTTP2_READ_IDLE_TIMEOUT_SECONDS']);
  const pingMs = secondsFrom(env['HTTP2_PING_TIMEOUT_SECONDS']);
  return {
    ...DEFAULTS,
    ...(readIdleMs !== undefined && { readIdleMs }),
    ...(pingMs !== undefined && { pingMs }),
    ...options,
  };
}

function secondsFrom(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
}
