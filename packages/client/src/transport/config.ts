import type { BackoffOptions } from '../lib/backoff.ts';
import type { Logger } from '../lib/logger.ts';
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
