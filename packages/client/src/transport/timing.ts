import type { Environment } from '../lib/environment.ts';

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
