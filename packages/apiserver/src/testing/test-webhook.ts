import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type JsonObject, systemClock } from 'client-ts/internal';

import { CertificateAuthority } from '../auth/certificates.ts';
import { WebhookClient } from '../webhook/webhook-client.ts';
import type { TestServer } from './test-server.ts';

/** The request of an AdmissionReview or ConversionReview. */
export interface TestReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: JsonObject & { readonly uid: string };
}

/** What a webhook answers: fields of the response, or a whole HTTP response. */
export type TestResponse =
  | JsonObject
  | { readonly http: number; readonly text: string }
  | 'hang up'
  | 'never';

type Respond = (review: TestReview) => Promise<TestResponse> | TestResponse;

/** A webhook over TLS that records what it is asked. */
export class TestWebhook implements AsyncDisposable {
  readonly reviews: TestReview[] = [];
  /** The paths of the requests, with their queries. */
  readonly paths: string[] = [];
  readonly port: number;
  readonly caBundle: string;
  readonly #server: Server;

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.caBundle = caBundle;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Starts a webhook for `127.0.0.1` and the given names. */
  static async start(respond: Respond, names: readonly string[] = []): Promise<TestWebhook> {
    const authority = new CertificateAuthority({ clock: systemClock });
    const { certificate, key } = authority.issueServerCertificate(['127.0.0.1', ...names]);
    const server = createServer({ cert: certificate, key });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const webhook = new TestWebhook(server, Buffer.from(authority.certificate).toString('base64'));
    server.on('request', (request, response) => void webhook.#serve(respond, request, response));
    return webhook;
  }

  async #serve(
    respond: Respond,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as TestReview;
    this.paths.push(request.url ?? '');
    this.reviews.push(review);
    const answer = await respond(review);
    if (answer === 'never') return;
    if (answer === 'hang up') {
      request.socket.destroy();
      return;
    }
    if ('text' in answer) {
      const { http, text } = answer as { http: number; text: string };
      response.writeHead(http, { 'content-type': 'text/plain' }).end(text);
      return;
    }
    const { kind, apiVersion, request: asked } = review;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ kind, apiVersion, response: { uid: asked.uid, ...answer } }));
  }

  /** The configuration to reach it by URL. */
  clientConfig(path = '/review'): JsonObject {
    return { url: `https://127.0.0.1:${this.port}${path}`, caBundle: this.caBundle };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Returns the fields of an admission response with a patch. */
export function patchResponse(...patch: readonly object[]): JsonObject {
  return {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
}

const API = '/apis/admissionregistration.k8s.io/v1';

/** A rule that matches every request. */
export const EVERYTHING: Readonly<Record<string, string[]>> = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};

/** Creates a configuration with one webhook, which is asked about ConfigMaps. */
export async function configureWebhook(
  server: TestServer,
  kind: 'Mutating' | 'Validating',
  clientConfig: JsonObject,
  overrides: JsonObject = {},
  name = 'test',
): Promise<void> {
  await server.given('post', `${API}/${kind.toLowerCase()}webhookconfigurations`, {
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig,
        rules: [{ ...EVERYTHING, resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...overrides,
      },
    ],
  });
}

/** Returns a client of webhooks for tests that have none. */
export function unusedWebhookClient(): WebhookClient {
  return new WebhookClient({
    clock: systemClock,
    resolve: () => Promise.reject(new Error('there are no services')),
  });
}
