import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { ClientError } from 'client-ts/lib';
import type { Transport, TransportRequest, TransportResponse } from 'client-ts/transport';

import type { Endpoint } from './kubeconfig.ts';

/** A server that says nothing for this long is not there. */
const idleTimeoutMs = 30_000;

/** A plain connection to an API server, enough to read documents from it. */
export function connect(endpoint: Endpoint): Transport {
  const isTls = endpoint.server.protocol === 'https:';
  const agent = isTls
    ? new HttpsAgent({
        keepAlive: true,
        ca: endpoint.ca,
        cert: endpoint.certificate,
        key: endpoint.key,
        servername: endpoint.tlsServerName,
        rejectUnauthorized: !endpoint.insecure,
      })
    : new HttpAgent({ keepAlive: true });
  const send = isTls ? httpsRequest : httpRequest;
  const base = endpoint.server.pathname.replace(/\/$/, '');

  const answer = (request: TransportRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = send({
        agent,
        method: request.method,
        // Not resolved as a URL: a path that begins with two slashes must not name another host.
        hostname: endpoint.server.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: endpoint.server.port || undefined,
        path: base + request.path,
        headers: {
          ...request.headers,
          ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }),
        },
        signal: request.signal,
        timeout: idleTimeoutMs,
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the server does not answer')));
      outgoing.on('error', reject);
      outgoing.on('response', resolve);
      outgoing.end(request.body);
    });

  return {
    request: async (request): Promise<TransportResponse> => {
      try {
        const response = await answer(request);
        return { status: response.statusCode ?? 0, headers: response.headers, body: response };
      } catch (cause) {
        request.signal?.throwIfAborted();
        throw unreachable(endpoint, cause);
      }
    },
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

function unreachable({ server }: Endpoint, cause: unknown): ClientError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ClientError('CONNECTION_FAILED', `cannot reach ${server.origin}: ${reason}`, {
    cause,
    hint: 'Check that the server is up and that the kubeconfig is the right one for it.',
  });
}
