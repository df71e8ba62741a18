import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { connect } from 'node:tls';
import { ApiServer, type ContainerProcess, type Kubelet, KubeletError } from '@client-ts/apiserver';
import * as fc from 'fast-check';
import { ClientError } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { RESTClient } from 'client-ts/rest';
import { exec, PodDialer } from 'client-ts/streams';
import { type FuzzTarget, fuzzTarget, typedOnlyAsync } from './fuzz-target.ts';
import { anyText, damagedBytes } from './inputs.ts';

const pod = { namespace: 'default', name: 'web-0' };

/** A frame of a server: an opcode, and a payload with a length that fits. */
function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(0x80 | opcode, ...head), payload]);
}

const channel = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 255), fc.nat(255));
const status = fc.oneof(
  fc.constantFrom('{"status":"Success"}', '{"status":"Failure","reason":"NonZeroExitCode"}', '[]'),
  anyText,
  fc.json(),
);
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  status.map((text) => Buffer.from(text)),
);
const message = fc
  .tuple(channel, payload)
  .map(([first, rest]) => frame(2, Buffer.concat([Buffer.of(first), rest])));
const anyFrame = fc
  .tuple(fc.nat(15), fc.uint8Array({ maxLength: 200 }))
  .map(([opcode, bytes]) => frame(opcode, bytes));
const session = damagedBytes(
  fc
    .array(fc.oneof({ weight: 4, arbitrary: message }, anyFrame), { maxLength: 8 })
    .map((frames) => Buffer.concat(frames)),
);

/** A control frame or a data frame of SPDY, with a length that fits. */
const spdyFrame = fc
  .tuple(fc.boolean(), fc.nat(10), fc.nat(8), fc.nat(3), fc.uint8Array({ maxLength: 60 }))
  .map(([isControl, type, stream, flags, body]) => {
    const first = isControl ? [0x80, 3, 0, type] : [0, 0, 0, stream];
    return Buffer.concat([Buffer.of(...first, flags, 0, 0, body.length), body]);
  });
const tunnel = damagedBytes(
  fc.array(spdyFrame, { maxLength: 8 }).map((frames) => Buffer.concat(frames)),
);

/** A server that accepts every upgrade, sends the bytes of the test and closes. */
class ScriptedServer implements AsyncDisposable {
  bytes: Uint8Array = Buffer.alloc(0);
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #protocol: string;

  constructor(protocol: string) {
    this.#protocol = protocol;
  }

  async listen(): Promise<RESTClient> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return new RESTClient({ server: `http://127.0.0.1:${port}`, logger: silent });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    let head = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      if (head.includes('\r\n\r\n')) return;
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const key = /^sec-websocket-key: (.*)\r$/im.exec(head)?.[1];
      socket.end(key === undefined ? POD : Buffer.concat([this.#accept(key), this.bytes]));
    });
  }

  #accept(key: string): Buffer {
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
      `Sec-WebSocket-Protocol: ${this.#protocol}`,
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  }
}

const body = JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: pod });
const POD = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

async function openExec(): Promise<AsyncDisposable & { check(input: Uint8Array): Promise<void> }> {
  const server = new ScriptedServer('v5.channel.k8s.io');
  const client = await server.listen();
  return {
    check: async (input) => {
      server.bytes = input;
      const outcome = await typedOnlyAsync(async () => {
        const running = await exec(client, pod, ['cat'], { stdin: 'input' });
        return await running.output();
      });
      if (!(outcome instanceof ClientError)) assert.ok(Number.isInteger(outcome.exitCode));
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function openTunnel(): Promise<
  AsyncDisposable & { check(input: Uint8Array): Promise<void> }
> {
  const server = new ScriptedServer('SPDY/3.1+portforward.k8s.io');
  const client = await server.listen();
  return {
    check: async (input) => {
      server.bytes = frame(2, input);
      await using dialer = new PodDialer(client, pod);
      await typedOnlyAsync(async () => {
        const connection = await dialer.connect(80);
        connection.resume().end('input');
        // Whatever the server sends, the connection ends, with or without an error.
        const error = await new Promise<Error | undefined>((resolve) => {
          connection.once('error', resolve).once('close', () => resolve(undefined));
        });
        if (error !== undefined) throw error;
      });
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A node whose containers send back what they receive. */
const echoing: Kubelet = {
  logs: async () => {
    throw new KubeletError(404, 'no log');
  },
  exec: async () => echo,
  attach: async () => echo,
  connect: async () => new PassThrough(),
  request: async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
  usage: () => undefined,
};

const echo: ContainerProcess = async ({ stdin, stdout }) => {
  for await (const chunk of stdin ?? []) stdout?.write(chunk);
  return 0;
};

/** A frame of a client: masked, here with zeros. */
function masked(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(0x80 | opcode, ...head, 0, 0, 0, 0), payload]);
}

const clientSession = damagedBytes(
  fc
    .array(
      fc
        .tuple(fc.oneof({ weight: 4, arbitrary: fc.constant(2) }, fc.nat(15)), channel, payload)
        .map(([opcode, first, rest]) => masked(opcode, Buffer.concat([Buffer.of(first), rest]))),
      { maxLength: 8 },
    )
    .map((frames) => Buffer.concat(frames)),
);
const clientTunnel = tunnel.map((bytes) => masked(2, bytes));

/** Sends the bytes after an upgrade that the server accepts, and expects it to serve on. */
async function openServer(
  subresource: string,
  protocol: string,
): Promise<AsyncDisposable & { check(input: Uint8Array): Promise<void> }> {
  const server = await ApiServer.start({ kubelet: echoing });
  const client = new Clientset(server.config);
  await client.coreV1.nodes().create({ metadata: { name: 'node-1' } });
  const containers = [{ name: 'app', image: 'app' }];
  const spec = { nodeName: 'node-1', containers };
  await client.coreV1.pods('default').create({ metadata: { name: pod.name }, spec });
  const { hostname: host, port } = new URL(server.url);
  const upgrade = [
    `GET /api/v1/namespaces/default/pods/${pod.name}/${subresource} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${server.token}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  return {
    check: async (input) => {
      const socket = connect({ host, port: Number(port), ca: server.ca });
      const closed = new Promise((resolve) =>
        socket.on('error', () => undefined).on('close', resolve),
      );
      socket.resume().end(Buffer.concat([Buffer.from(`${upgrade.join('\r\n')}\r\n\r\n`), input]));
      await closed;
      const session = await client.coreV1.pods('default').exec(pod.name, ['cat'], { stdin: 'on' });
      assert.equal((await session.output()).stdout, 'on');
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** What servers and clients send after an upgrade. */
export const streamTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'exec-session',
    about: 'any bytes after the upgrade of an exec end it, with a result or a typed error',
    input: session,
    open: openExec,
  }),
  fuzzTarget({
    name: 'port-forward-tunnel',
    about: 'any bytes in the tunnel of a port-forward end it, with or without a typed error',
    input: tunnel,
    open: openTunnel,
  }),
  fuzzTarget({
    name: 'server-exec-session',
    about: 'any bytes after the upgrade of an exec end it, and the server serves on',
    input: clientSession,
    open: () => openServer('exec?command=cat&stdin=true&stdout=true', 'v5.channel.k8s.io'),
  }),
  fuzzTarget({
    name: 'server-port-forward-tunnel',
    about: 'any bytes in a tunnel end it, and the server serves on',
    input: clientTunnel,
    open: () => openServer('portforward', 'SPDY/3.1+portforward.k8s.io'),
  }),
];
