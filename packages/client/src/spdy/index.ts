/**
 * SPDY/3.1 over a byte stream: what port forwarding is tunnelled in.
 *
 * @module
 */

export type { SpdyHeaders } from './headers.ts';
export { SpdyConnection, type SpdyConnectionOptions } from './spdy-connection.ts';
export { SpdyError } from './spdy-error.ts';
export { SpdyStream } from './spdy-stream.ts';
