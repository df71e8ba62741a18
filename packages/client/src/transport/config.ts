import type { BackoffOptions } from '../lib/backoff.ts';
import type { Environment } from '../lib/environment.ts';
import type { Logger } from '../lib/logger.ts';
import { TransportError } from './transport-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** How the server is recognised, and how the client proves itself in the TLS handshake. */
export interface TlsConfig {
  /** PEM. With a file, the file is read again when it changes. */
  readonly ca?: string;
  readonly caFile?: string;
  /** PEM of the client's certificate and key. */
  readonly cert?: string;
  readonly certFile?: string;
  readonly key?: string;
  readonly keyFile?: string;
  /** The name that the server's certificate must be for, if it is not that of the URL. */
  readonly serverName?: string;
  /** Accept any certificate. Never together with a CA. */
  readonly insecure?: boolean;
}

/** Acts as somebody else, if the server allows it. */
export interface ImpersonationConfig {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a request is given to prove who sends it. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: string;
  /** A client certificate (PEM) that replaces the configured one. */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Finds credentials that are made on demand: exec plugins, OIDC, token files. One source serves
 * all requests of a transport; calls under way at the same time share one run.
 */
export interface CredentialSource {
  /** The credentials to use now; kept until they expire. */
  get(signal?: AbortSignal): Promise<Credentials>;
  /** The server refused these with a 401: the next `get` finds new ones. */
  refused(credentials: Credentials): void;
}

export interface AuthConfig {
  readonly token?: string;
  /** Read again every minute; wins over `token` as soon as it could be read. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly source?: CredentialSource;
}

/** Wraps every request, outermost first. May change it, answer itself, or call `next` again. */
export type Middleware = (
  request: TransportRequest,
  next: (request: TransportRequest) => Promise<TransportResponse>,
) => Promise<TransportResponse>;

/** How the delays between retries grow. */
export type RetryDelays = Pick<BackoffOptions, 'factor' | 'initialMs' | 'jitter' | 'maxMs'>;

/** Told of the `Warning` headers that a server sends; only those with code 299 and a text. */
export type WarningHandler = (warning: { readonly text: string; readonly agent: string }) => void;

/** Which HTTP to speak; see `docs/adr/0006-http-connections.md` for how they compare. */
export type ProtocolChoice = 'auto' | 'http1';

/**
 * Everything a client needs to know to talk to one API server. Plain data, safe to copy and
 * extend; secrets in it never show up in errors or diagnostics.
 */
export interface Config {
  /** `https://host:port`, with a path if the API is not at the root. */
  readonly server: string;
  /** The namespace of the kubeconfig's context: where to work if nobody says otherwise. */
  readonly namespace?: string;
  readonly tls?: TlsConfig;
  readonly auth?: AuthConfig;
  readonly impersonate?: ImpersonationConfig;
  /** `http:`, `https:` or `socks5:`. Without it, the environment's HTTPS_PROXY and NO_PROXY count. */
  readonly proxyUrl?: string;
  /** `auto` (default): HTTP/2 if the server offers it. `http1`: HTTP/1.1 only. */
  readonly protocol?: ProtocolChoice;
  /** The same for watches and other streams. Default: as `protocol`. */
  readonly streamProtocol?: ProtocolChoice;
  readonly userAgent?: string;
  /** Ask for gzip. Default true. */
  readonly compression?: boolean;
  /** For whole requests, in milliseconds; never for watches and other streams. Default: none. */
  readonly timeout?: number;
  /**
   * How long a whole answer may be, in bytes after decompression; a longer one is refused with
   * `REST_RESPONSE_TOO_LARGE`. Streams have limits for their parts instead. Default 512 MiB.
   */
  readonly maxResponseBytes?: number;
  /** How often a failed request is repeated where that is safe. Default 10; 0 turns retries off. */
  readonly maxRetries?: number | undefined;
  /**
   * The delays between retries, added to what the server asks for in `Retry-After`. Default: 100 ms,
   * doubling up to 10 s, with jitter 1.
   */
  readonly retryBackoff?: RetryDelays | undefined;
  /** Requests per second that the client allows itself; off by default. */
  readonly qps?: number;
  readonly burst?: number;
  readonly middleware?: readonly Middleware[];
  /** Default: a warning in the log, each text once. */
  readonly onWarning?: WarningHandler;
  /**
   * Takes what is worth knowing about work in the background: retries, lost watches, failing
   * handlers. Everything that is made with a client inherits it. Default: stderr, at the level of
   * the environment variable `CLIENT_TS_LOG` (`debug`, `info`, `warn`, `error`, `off`; default
   * `warn`).
   */
  readonly logger?: Logger | undefined;
  /** Use this instead of making connections: for servers in the same process. */
  readonly transport?: Transport;
}

/**
 * The URL of the server; undefined if the configuration brings its own transport. Throws with the
 * code `TRANSPORT_CONFIG` what cannot be meant; secrets never show in the message.
 */
export function checkConfig(config: Config): URL | undefined {
  requireConfig(config);
  const { auth = {}, tls = {}, impersonate, qps, burst, timeout, maxResponseBytes } = config;
  if (auth.username !== undefined && (auth.token ?? auth.tokenFile) !== undefined) {
    throw invalid('auth has both a token and a user name', 'Use one of the two.');
  }
  if (tls.insecure === true && (tls.ca ?? tls.caFile) !== undefined) {
    throw invalid('tls.insecure does not go with a CA', 'Leave one of the two out.');
  }
  if ((tls.cert ?? tls.certFile) === undefined || (tls.key ?? tls.keyFile) === undefined) {
    if ((tls.cert ?? tls.certFile ?? tls.key ?? tls.keyFile) !== undefined) {
      throw invalid('tls has one of certificate and key', 'Give both, or neither.');
    }
  }
  // Also one that is missing, which types forbid: without a user, requests would act with all rights.
  if (impersonate !== undefined && (impersonate.user ?? '') === '') {
    throw invalid('impersonate.user is empty', 'Groups, uid and extra need a user.');
  }
  for (const [name, value] of Object.entries({ qps, burst, timeout, maxResponseBytes })) {
    if (value !== undefined && !(value > 0)) {
      throw invalid(`${name} is ${value}`, `Give a number above 0, or leave ${name} out.`);
    }
  }
  return config.transport === undefined ? serverUrl(config.server) : undefined;
}

/**
 * Refuses what is no configuration: nothing at all, which untyped programs can pass, and the promise
 * of one.
 */
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

/** Returns host and port of an address, for messages. One that cannot be read loses user and query. */
export function hostOf(address: string): string {
  if (typeof address !== 'string') return '';
  return URL.canParse(address)
    ? new URL(address).host
    : address.replace(/^\w*:?\/\/|[?#].*$/g, '').replace(/^.*@/, '');
}

function serverUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const given = server === undefined ? 'server is missing' : 'server is not the URL of a server';
    throw invalid(given, 'Write https://host:port.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    const hint = 'Credentials belong under auth, and there is no query.';
    throw invalid('server has more than scheme, host, port and path', hint);
  }
  return url;
}

function invalid(message: string, hint: string): TransportError {
  return new TransportError('TRANSPORT_CONFIG', message, { hint });
}

/** How long the transport waits for what, in milliseconds. */
export interface TransportTiming {
  /** For a TCP connection, and for the answer of a proxy. Default 30 s. */
  readonly connectMs: number;
  /** For a TLS handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** For room on connections to a server that allows no HTTP/2 streams. Default 30 s. */
  readonly roomMs: number;
  /** An unused connection closes after this. Default 90 s. */
  readonly idleMs: number;
  /** A silent HTTP/2 connection is pinged after at most this; 0: never. Default 30 s. */
  readonly readIdleMs: number;
  /** Without an answer to a ping for this long, a connection is dead. Default 15 s. */
  readonly pingMs: number;
  /** Certificate and CA files older than this are read again for a new connection. Default 1 s. */
  readonly fileMaxAgeMs: number;
  /** They are looked at this often while connections are open. Default 5 min. */
  readonly fileCheckMs: number;
  /** Token files older than this are read again. Default 50 s: a minute, less some leeway. */
  readonly tokenMaxAgeMs: number;
}

const DEFAULTS: TransportTiming = {
  connectMs: 30_000,
  handshakeMs: 10_000,
  roomMs: 30_000,
  idleMs: 90_000,
  readIdleMs: 30_000,
  pingMs: 15_000,
  fileMaxAgeMs: 1000,
  fileCheckMs: 300_000,
  tokenMaxAgeMs: 50_000,
};

/** What is given counts, then the variables that client-go knows, then the defaults. */
export function timingOf(
  given: Partial<TransportTiming>,
  environment: Environment,
): TransportTiming {
  const readIdleMs = secondsFrom(environment['HTTP2_READ_IDLE_TIMEOUT_SECONDS']);
  const pingMs = secondsFrom(environment['HTTP2_PING_TIMEOUT_SECONDS']);
  return {
    ...DEFAULTS,
    ...(readIdleMs !== undefined && { readIdleMs }),
    ...(pingMs !== undefined && { pingMs }),
    ...given,
  };
}

function secondsFrom(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
}

/** Sends a request on. */
export type Next = (request: TransportRequest) => Promise<TransportResponse>;

/** Puts layers around `innermost`; the first is the outermost. */
export function compose(layers: readonly Middleware[], innermost: Next): Next {
  return layers.reduceRight<Next>((next, layer) => (request) => layer(request, next), innermost);
}
