import type { WebSocket } from 'ws';

import type { UpgradableConnection } from '../http.ts';

/** The largest message that a real server accepts. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** How long a client may take to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2000;

/** A WebSocket and the subprotocol that was negotiated; empty if the client named none. */
export interface AcceptedWebSocket {
  readonly socket: WebSocket;
  readonly protocol: string;
}

/** Returns the subprotocols of a WebSocket request, in the order of the client. */
export function requestedProtocols(header: string | undefined): readonly string[] {
  const names = (header ?? '').split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/**
 * Accepts a WebSocket with the first requested subprotocol that is supported; an empty name supports
 * requests without one. Otherwise answers as a real server does and resolves to undefined: 403 for
 * unknown subprotocols, 400 for an invalid handshake.
 */
export async function acceptWebSocket(
  { request, socket, head }: UpgradableConnection,
  supported: readonly string[],
): Promise<AcceptedWebSocket | undefined> {
  const requested = requestedProtocols(request.headers['sec-websocket-protocol']);
  const names = requested.length === 0 ? [''] : requested;
  const protocol = names.find((name) => supported.includes(name));
  if (protocol === undefined) {
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return undefined;
  }
  // `ws` refuses names with a slash, which the tunnel of `kubectl port-forward` has.
  delete request.headers['sec-websocket-protocol'];
  const { WebSocketServer } = await import('ws');
  const options = {
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // An event per message would otherwise be emitted after `pause`.
    allowSynchronousEvents: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(options);
  if (protocol !== '') {
    server.on('headers', (lines) => void lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  }
  return await new Promise((resolve) => {
    server.on('wsClientError', (error) => {
      socket.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n${error.message}`);
      resolve(undefined);
    });
    server.handleUpgrade(request, socket, head, (accepted) => {
      // Errors of the protocol end in a close.
      accepted.on('error', () => undefined);
      resolve({ socket: accepted, protocol });
    });
  });
}
