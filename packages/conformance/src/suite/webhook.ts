import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '@client-ts/apiserver';
import { type JsonObject, systemClock } from 'client-ts/internal';
import type { Kit } from './check.ts';
import { eventually } from './expect.ts';
import { configMap, core, create } from './objects.ts';

/** The request of an AdmissionReview or ConversionReview, as far as checks read it. */
export interface ReviewRequest {
  readonly uid: string;
  readonly operation?: string;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  readonly objects?: readonly JsonObject[];
  readonly desiredAPIVersion?: string;
  readonly dryRun?: boolean;
}

type Respond = (request: ReviewRequest) => JsonObject;

/** A webhook on this machine, where the server under test must run, too. */
export class Webhook implements AsyncDisposable {
  readonly requests: ReviewRequest[] = [];
  readonly clientConfig: JsonObject;
  readonly #server: Server;

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.clientConfig = { url: `https://127.0.0.1:${port}/review`, caBundle };
  }

  /** Starts a webhook; `respond` returns the fields of its response. */
  static async start(respond: Respond): Promise<Webhook> {
    const authority = new CertificateAuthority({ clock: systemClock });
    const { certificate, key } = authority.issueServerCertificate(['127.0.0.1']);
    const server = createServer({ cert: certificate, key });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const webhook = new Webhook(server, Buffer.from(authority.certificate).toString('base64'));
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
    const {
      kind,
      apiVersion,
      request: asked,
    } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly kind: string;
      readonly apiVersion: string;
      readonly request: ReviewRequest;
    };
    this.requests.push(asked);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ kind, apiVersion, response: { uid: asked.uid, ...respond(asked) } }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/**
 * Asks a webhook about the ConfigMaps of a namespace, from when the server obeys. `isObeyed` decides
 * that by the response to a dry run; default: the webhook was asked.
 */
export async function configureWebhook(
  kit: Kit,
  kind: 'Mutating' | 'Validating',
  namespace: string,
  { clientConfig, requests }: Pick<Webhook, 'clientConfig' | 'requests'>,
  overrides: JsonObject = {},
  isObeyed: (status: number) => boolean = () => requests.length > 0,
): Promise<void> {
  const { api, clock, cleanUp, unique } = kit;
  const configurations = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
  const name = unique('webhook');
  cleanUp(async () => await api.delete(`${configurations}/${name}`));
  await create(api, configurations, {
    metadata: { name },
    webhooks: [
      {
        name: 'webhook.conformance.example.com',
        clientConfig,
        rules: [
          {
            operations: ['*'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['configmaps'],
          },
        ],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...overrides,
      },
    ],
  });
  await eventually(clock, 'a call of the webhook', async () => {
    const path = `${core(namespace, 'configmaps')}?dryRun=All`;
    const { status } = await api.post(path, configMap(unique('probe')));
    return isObeyed(status) ? true : undefined;
  });
  requests.length = 0;
}
