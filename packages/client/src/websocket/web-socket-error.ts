import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/index.ts';

/** The other end of a connection breaks the rules of WebSocket, or sends too large a message. */
export class WebSocketError extends ClientError {
  declare readonly code: 'WEBSOCKET_MESSAGE_TOO_LARGE' | 'WEBSOCKET_PROTOCOL';

  constructor(code: WebSocketError['code'], message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'WebSocketError', 'WEBSOCKET', {
      WEBSOCKET_MESSAGE_TOO_LARGE: {
        retry: 'never',
        when: 'A message is larger than the receiver allows.',
      },
      WEBSOCKET_PROTOCOL: {
        retry: 'unsafe',
        when: 'A frame is invalid: not masked as it must be, a reserved bit or opcode, or out of order.',
      },
    });
  }
}
