/**
 * The frames of WebSocket (RFC 6455), for both sides of a connection: what streams of pods are sent in.
 *
 * @module
 */

export { encodeFrame, type WebSocketFrameOptions } from './encode-frame.ts';
export {
  type FrameReceiver,
  WebSocketFrameReader,
  type WebSocketFrameReaderOptions,
} from './frame-reader.ts';
export { OPCODE } from './opcodes.ts';
export { WebSocketError } from './web-socket-error.ts';
