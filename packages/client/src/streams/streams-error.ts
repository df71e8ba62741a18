import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The errors of streams to pods, with hints. The keys are stable. */
export const STREAMS_ERRORS = {
  STREAMS_CLOSED: {
    retry: 'never',
    hint: 'Open connections before closing the port-forward.',
  },
  STREAMS_CONNECTION_LOST: {
    retry: 'unsafe',
    hint: 'The connection ended before the stream did; check the pod, its node and the network on the way.',
  },
  STREAMS_COPY_FAILED: {
    retry: 'unsafe',
    hint: 'Check that the container has tar, that the path exists, and that its user may read or write there.',
  },
  STREAMS_COPY_UNSAFE: {
    retry: 'never',
    hint: 'The container tries to write outside of the target; nothing was written there. Do not trust it.',
  },
  STREAMS_FORWARD_FAILED: {
    retry: 'unsafe',
    hint: 'Check that a program in the pod listens on the port; the message is that of the node.',
  },
  STREAMS_FRAME_TOO_LARGE: {
    retry: 'never',
    hint: 'The server sent more in one message than any Kubernetes server does; check what answers at this address.',
  },
  STREAMS_HANDSHAKE: {
    retry: 'never',
    hint: 'Check for a proxy between this program and the server that does not support WebSocket.',
  },
  STREAMS_LISTEN: {
    retry: 'never',
    hint: 'Choose another local port, 0 for a random one, or end the program that uses it.',
  },
  STREAMS_NO_POD: {
    retry: 'later',
    hint: 'Check the selector, and wait until a pod is running.',
  },
  STREAMS_OPTIONS: {
    retry: 'never',
    hint: 'Correct the call; nothing was sent.',
  },
  STREAMS_OUTPUT_TOO_LARGE: {
    retry: 'never',
    hint: 'Read stdout and stderr as streams, or raise maxBytes.',
  },
  STREAMS_PROTOCOL: {
    retry: 'never',
    hint: 'The server does not follow the protocol of Kubernetes streams; check its version and the proxies on the way.',
  },
  STREAMS_SUBPROTOCOL: {
    retry: 'never',
    hint: 'The server supports none of the requested protocols; exec and attach need Kubernetes 1.4, port-forward 1.31.',
  },
} as const;

/** The codes of {@link StreamsError}. */
export type StreamsErrorCode = keyof typeof STREAMS_ERRORS;

/**
 * A stream to a pod failed. A refusal of the server is an `ApiError` with its Status, a connection
 * that could not be opened a `TransportError`.
 */
export class StreamsError extends ClientError {
  declare readonly code: StreamsErrorCode;

  constructor(code: StreamsErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'StreamsError', 'STREAMS', STREAMS_ERRORS);
  }
}
