// HTTP/1.1 over TLS sockets with as little work as possible: requests are bytes, responses are searched, not parsed. For load
// generators, which must not be slower than the server they measure.
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';

/** A clock in milliseconds that all processes of a machine share. */
export function now() {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Returns the bytes of a request. */
export function requestBytes({ url, token }, method, path, body) {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(url).host}`];
  if (token !== undefined) lines.push(`authorization: Bearer ${token}`);
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/**
 * Returns what all connections to a target share, parsed once. The key exchange is the one that every server has: Go's would otherwise
 * choose a slower one than ours, which does not offer it.
 */
export function contextOf({ ca, cert, key }) {
  return createSecureContext({ ca, cert, key, ecdhCurve: 'X25519', minVersion: 'TLSv1.3' });
}

/**
 * Returns a function that opens sockets to a target: `open(onData)`, where `onData(buffer, length)` gets bytes that are only valid
 * during the call. No session is resumed, as in client-go.
 */
export function socketOpener(target) {
  const { hostname: host, port, protocol } = new URL(target.url);
  const secureContext = contextOf(target);
  // One buffer for all: what it holds is used up before the next read.
  const buffer = Buffer.allocUnsafe(64 * 1024);
  return (onData) => {
    const callback = (length) => {
      onData(buffer, length);
      return true;
    };
    const onread = { buffer, callback };
    const socket =
      protocol === 'https:'
        ? connectTls({ host, port, secureContext, onread, ALPNProtocols: ['http/1.1'] })
        : connectTcp({ host, port, onread });
    socket.setNoDelay(true);
    return socket;
  };
}

/** Sends requests over a few connections that stay open, one at a time on each. */
export class RawClient {
  #target;
  #open;
  #waiting = [];
  #idle = [];
  #sockets = new Set();
  #room;

  constructor(target, width = 16) {
    this.#target = target;
    this.#open = socketOpener(target);
    this.#room = width;
  }

  /** Resolves to the text of the response, with its head, when all of it has arrived. */
  call(method, path, body) {
    const bytes = requestBytes(this.#target, method, path, body);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      this.#next();
    });
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #next() {
    if (this.#waiting.length === 0) return;
    if (this.#idle.length === 0 && this.#room > 0) {
      this.#room -= 1;
      this.#idle.push(this.#connect());
    }
    const lane = this.#idle.pop();
    if (lane === undefined) return;
    lane.request = this.#waiting.shift();
    lane.text = '';
    lane.socket.write(lane.request.bytes);
  }

  #connect() {
    const lane = { socket: undefined, request: undefined, text: '' };
    lane.socket = this.#open((buffer, length) => {
      lane.text += buffer.latin1Slice(0, length);
      if (!isComplete(lane.text)) return;
      const { resolve } = lane.request;
      lane.request = undefined;
      this.#idle.push(lane);
      resolve(lane.text);
      this.#next();
    });
    const fail = (error) => lane.request?.reject(error);
    lane.socket.on('error', fail).on('close', () => {
      fail(new Error('the connection was closed'));
      // Servers close connections that are idle for long; the next request opens another.
      this.#sockets.delete(lane.socket);
      this.#idle = this.#idle.filter((other) => other !== lane);
      this.#room += 1;
    });
    this.#sockets.add(lane.socket);
    return lane;
  }
}

/** True if a response has all of its body. */
function isComplete(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = text.slice(0, end).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head);
  return length === null ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length[1]);
}
