import type { createPrivateKey, X509Certificate } from 'node:crypto';
import type * as Http from 'node:http';
import type * as Http2 from 'node:http2';
import type * as Tls from 'node:tls';
import type * as Zlib from 'node:zlib';

/*
 * Node's network modules, loaded when a connection first needs them. They are most of the cost of
 * importing this library: `node:http` loads the WebSocket client of newer Node versions, about 30
 * ms, and `node:http2` takes another 20 ms. A program that never connects, or never uses HTTP/2,
 * does not pay for them.
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

export function nodeTls(): typeof Tls {
  return process.getBuiltinModule('node:tls');
}

export function nodeZlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
