import { once } from 'node:events';

import { ApiServer, type ApiServerOptions } from '@client-ts/apiserver';
import type { Container, Pod } from 'client-ts/api/core/v1';
import { Clientset } from 'client-ts/kubernetes';
import type { Status } from 'client-ts/meta';
import { type RawData, WebSocket } from 'ws';

import { FakeKubelet, type FakeKubeletOptions } from './fake-kubelet.ts';

/** An embedded server with one node and a fake kubelet. */
export class TestCluster implements AsyncDisposable {
  readonly server: ApiServer;
  readonly client: Clientset;
  readonly kubelet: FakeKubelet;

  private constructor(server: ApiServer, kubelet: FakeKubelet) {
    this.server = server;
    this.kubelet = kubelet;
    this.client = new Clientset(server.config);
  }

  static async start(
    options: FakeKubeletOptions & Pick<ApiServerOptions, 'authorization' | 'tokens'> = {},
  ): Promise<TestCluster> {
    const kubelet = new FakeKubelet(options);
    const { authorization, tokens, clock } = options;
    const server = await ApiServer.start({ kubelet, authorization, tokens, clock });
    const cluster = new TestCluster(server, kubelet);
    await cluster.client.coreV1.nodes().create({ metadata: { name: 'node-1' } });
    return cluster;
  }

  /** Creates a pod on the node with one container, `app`. */
  async pod(name: string, container: Partial<Container> = {}): Promise<Pod> {
    return await this.client.coreV1.pods('default').create({
      metadata: { name },
      spec: {
        nodeName: 'node-1',
        containers: [{ name: 'app', image: 'registry.example/app:v1', ...container }],
      },
    });
  }

  /** Sends a GET and returns status and body. */
  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const transport = this.server.transport();
    const response = await transport.request({ method: 'GET', path, headers: {} });
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
    return { status: response.status, text };
  }

  /** Opens a WebSocket to a subresource of a pod. */
  open(
    pod: string,
    subresource: string,
    query: Record<string, string | string[]>,
    { protocols = ['v5.channel.k8s.io'], token = this.server.token }: OpenOptions = {},
  ): TestStream {
    const path = `/api/v1/namespaces/default/pods/${pod}/${subresource}?${queryOf(query)}`;
    return this.openPath(path, { protocols, token });
  }

  openPath(
    path: string,
    { protocols = [], token = this.server.token, headers }: OpenOptions,
  ): TestStream {
    const url = `${this.server.url.replace('http', 'ws')}${path}`;
    const socket = new WebSocket(url, [...protocols], {
      ca: this.server.ca,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return new TestStream(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.kubelet.close();
    await this.server.close();
  }
}

interface OpenOptions {
  readonly protocols?: readonly string[];
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function queryOf(query: Record<string, string | string[]>): string {
  const pairs = Object.entries(query).flatMap(([key, values]) =>
    [values].flat().map((value): [string, string] => [key, value]),
  );
  return new URLSearchParams(pairs).toString();
}

/** The client's end of a WebSocket with channels. */
export class TestStream {
  readonly socket: WebSocket;
  /** What was received, by channel. */
  readonly received: Buffer[] = [];
  /** Every message, as received. */
  readonly messages: { readonly data: Buffer; readonly isBinary: boolean }[] = [];
  #refusal: Promise<{ readonly status: number; readonly text: string }>;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data: RawData, isBinary) => {
      const message = data as Buffer;
      this.messages.push({ data: message, isBinary });
      const channel = message[0] ?? 0;
      const before = this.received[channel] ?? Buffer.alloc(0);
      this.received[channel] = Buffer.concat([before, message.subarray(1)]);
    });
    this.#refusal = new Promise((resolve) => {
      socket.on('unexpected-response', (_, response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
    });
  }

  async opened(): Promise<this> {
    if (this.socket.readyState !== WebSocket.OPEN) await once(this.socket, 'open');
    return this;
  }

  /** Resolves when the server has refused the upgrade. */
  async refused(): Promise<{ readonly status: number; readonly text: string }> {
    return await this.#refusal;
  }

  send(channel: number, data: Uint8Array | string): void {
    this.socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(data as string)]));
  }

  /** Resolves when the channel has received text that matches. */
  async until(channel: number, pattern: RegExp): Promise<string> {
    for (;;) {
      const text = this.text(channel);
      if (pattern.test(text)) return text;
      await once(this.socket, 'message');
    }
  }

  text(channel: number): string {
    return (this.received[channel] ?? Buffer.alloc(0)).toString();
  }

  /** Resolves with the Status of the error channel when the server has closed the connection. */
  async result(): Promise<Status & { readonly closeCode: number }> {
    const [closeCode] = (await once(this.socket, 'close')) as [number];
    return { ...(JSON.parse(this.text(3)) as Status), closeCode };
  }
}
