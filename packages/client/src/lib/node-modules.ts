import type { createPrivateKey, X509Certificate } from 'node:crypto';
import type * as Http from 'node:http';
import type * as Http2 from 'node:http2';
import type * as Https from 'node:https';
import type * as Tls from 'node:tls';
import type * as Zlib from 'node:zlib';

/*
 * Node's network modules, loaded when they are first needed: `node:tls`, with the first client for https, takes some milliseconds,
 * `node:http2`, which only servers need, 23 ms of processor time. An `import` of `node:http` reads every
 * export and so also loads the WebSocket client of newer Node versions, another 30 to 40 ms; getting it
 * this way does not.
 */

/** Without its randomness, which only a `Random` provides. */
export function nodeCrypto(): {
  readonly createPrivateKey: typeof createPrivateKey;
  readonly X509Certificate: typeof X509Certificate;
} {
  return process.getBuiltinModule('node:crypto');
}

export function nodeHttp(): typeof Http {
  return process.getBuiltinModule('node:http');
}

export function nodeHttp2(): typeof Http2 {
  return process.getBuiltinModule('node:http2');
}

export function nodeHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}

export function nodeTls(): typeof Tls {
  return process.getBuiltinModule('node:tls');
}

export function nodeZlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
