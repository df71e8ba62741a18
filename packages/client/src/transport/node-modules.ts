import type * as Http from 'node:http';
import type * as Http2 from 'node:http2';
import type * as Tls from 'node:tls';
import type * as Zlib from 'node:zlib';

/*
 * Node's modules for the network, loaded when a connection first needs them. They are most of the
 * cost of importing this library: importing `node:http` makes newer Nodes load their WebSocket
 * client with it, about 30 ms, and `node:http2` takes another 20. A program that never connects, or
 * never speaks HTTP/2, does not pay for it.
 */

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
