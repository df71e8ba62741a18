import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { isIP } from 'node:net';
import {
  type Clock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nodeHttps,
  type ScheduledCall,
} from 'client-ts/internal';
import { JsonSyntaxError } from '../schema/json-parser.ts';
import { parseJson, plainJson } from '../schema/parse-json.ts';
import { type Answer, refusedCall, transportFailure, unreadableAnswer } from './failures.ts';

/** A service that a webhook configuration names. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Where a service can be reached from this process. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the address of a service. Undefined, also as a promise, leaves it to the server, which
 * knows only services of type ExternalName.
 */
export type ResolveService = (
  service: WebhookService,
) => Promise<ServiceAddress | undefined> | ServiceAddress | undefined;

/** How to reach a webhook, as configurations of webhooks and CRDs have it. */
export interface WebhookClientConfig {
  readonly url?: string | undefined;
  readonly service?:
    | {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string | undefined;
        readonly port?: number | undefined;
      }
    | undefined;
  /** PEM in base64. Absent: the certificate authorities of the system. */
  readonly caBundle?: string | undefined;
}

/** The dependencies of {@link WebhookClient}. */
export interface WebhookClientOptions {
  readonly clock: Clock;
  /** Resolves the services of webhooks; throws an error with the message of a real server. */
  readonly resolve: (service: WebhookService) => Promise<ServiceAddress>;
  /** Waits until what a review may show is durable. Default: it already is. */
  readonly beforeCall?: (() => Promise<void> | undefined) | undefined;
}

/** One call of a webhook. */
export interface WebhookCall {
  readonly config: WebhookClientConfig;
  readonly body: object;
  readonly deadlineSeconds: number;
  /** Whether the URL names the deadline, as for admission webhooks. Default false. */
  readonly sendsDeadline?: boolean | undefined;
  readonly userAgent: string;
}

const DEFAULT_PORT = 443;

/**
 * Calls webhooks over TLS and keeps their connections. A failed call rejects with a
 * `WebhookCallError`, whose message is the one of a real server.
 */
export class WebhookClient {
  readonly #clock: Clock;
  readonly #resolve: (service: WebhookService) => Promise<ServiceAddress>;
  readonly #beforeCall: (() => Promise<void> | undefined) | undefined;
  #agent: Agent | undefined;

  constructor({ clock, resolve, beforeCall }: WebhookClientOptions) {
    this.#clock = clock;
    this.#resolve = resolve;
    this.#beforeCall = beforeCall;
  }

  /** Posts a review and resolves to the JSON of the response. */
  async call(call: WebhookCall): Promise<JsonObject> {
    await this.#beforeCall?.();
    const target = targetOf(call);
    const deadline = new Deadline(this.#clock, call.deadlineSeconds);
    let answer: Answer;
    try {
      answer = await this.#exchange(call, target, deadline);
    } catch (error) {
      throw transportFailure(target, deadline.isOver ? 'deadline' : error);
    } finally {
      deadline.cancel();
    }
    if (answer.status < 200 || answer.status > 206) throw refusedCall(answer);
    return parseAnswer(answer);
  }

  /** Closes every connection. */
  close(): void {
    this.#agent?.destroy();
  }

  async #exchange(call: WebhookCall, target: Target, deadline: Deadline): Promise<Answer> {
    const { service, caBundle } = call.config;
    const { host, port } = target;
    const address =
      service === undefined
        ? { host, port }
        : await deadline.race(this.#resolve({ ...service, port }));
    const body = Buffer.from(JSON.stringify(call.body));
    return await new Promise((resolve, reject) => {
      const { Agent: KeepAlive, request: send } = nodeHttps();
      this.#agent ??= new KeepAlive({ keepAlive: true });
      const request = send(
        {
          agent: this.#agent,
          method: 'POST',
          host: address.host,
          port: address.port,
          path: target.path,
          // An IP address must not be sent as a server name.
          servername: isIP(host) === 0 ? host : '',
          ...(caBundle !== undefined && { ca: Buffer.from(caBundle, 'base64') }),
          headers: {
            host: target.authority,
            accept: 'application/json, */*',
            'content-type': 'application/json',
            'content-length': body.length,
            'user-agent': call.userAgent,
          },
          signal: deadline.signal,
        },
        (response) => resolve(read(response)),
      );
      request.once('error', reject);
      request.end(body);
    });
  }
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { 'content-type': contentType = '', 'retry-after': retryAfter = '' } = response.headers;
  return {
    status: response.statusCode ?? 0,
    contentType,
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0,
    body: Buffer.concat(chunks),
  };
}

/** Where a call goes. The host of a service is the name that its certificate has. */
interface Target extends ServiceAddress {
  /** Host and port as in the configuration. */
  readonly authority: string;
  /** With the query. */
  readonly path: string;
}

function targetOf({ config, deadlineSeconds, sendsDeadline = false }: WebhookCall): Target {
  const { url = '', service } = config;
  const query = sendsDeadline ? `?timeout=${deadlineSeconds}s` : '';
  if (service !== undefined) {
    const { name, namespace, path = '', port = DEFAULT_PORT } = service;
    const host = `${name}.${namespace}.svc`;
    return {
      host,
      port,
      authority: `${host}:${port}`,
      path: `/${path.replace(/^\//, '')}${query}`,
    };
  }
  const { hostname, port, host: authority, pathname } = new URL(url);
  return {
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? DEFAULT_PORT : Number(port),
    authority,
    path: pathname + query,
  };
}

function parseAnswer({ body }: Answer): JsonObject {
  let value: JsonValue;
  try {
    value = plainJson(parseJson(body.toString('utf8')));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw unreadableAnswer(error.message);
  }
  if (isJsonObject(value)) return value;
  throw unreadableAnswer('cannot unmarshal the response into an object');
}

/** Aborts a call when its time is over. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ScheduledCall;
  #isOver = false;

  constructor(clock: Clock, seconds: number) {
    this.#timer = clock.schedule(
      seconds * 1000,
      () => {
        this.#isOver = true;
        this.#controller.abort();
      },
      { background: true },
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Rejects when the time is over before the promise settles. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    return await new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  cancel(): void {
    this.#timer.cancel();
  }
}
