import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Deferred } from '../../../lib/deferred.ts';
import { FLAGS, FrameReader, type FrameReceiver, FRAMES, HEAD_BYTES } from './frames.ts';
import { HeaderDecoder } from './header-decoder.ts';

const PREFACE_BYTES = 24;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Returns the bytes of a frame; text is one character per octet. */
export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Uint8Array | string = '',
): Buffer {
  const bytes = Buffer.from(payload as string, 'latin1');
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(bytes.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, bytes]);
}

/** Returns 32 bits, the payload of several frames. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns the payload of SETTINGS. */
export function settingsPayload(...settings: readonly (readonly [number, number])[]): Buffer {
  return Buffer.concat(
    settings.map(([id, value]) => Buffer.concat([Buffer.from([0, id]), uint32(value)])),
  );
}

/** Returns a header block of literals that are not indexed. */
export function block(...fields: readonly string[]): Buffer {
  const strings = fields.map((text) =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]),
  );
  return Buffer.concat(
    strings.flatMap((text, index) => (index % 2 === 0 ? [Buffer.from([0]), text] : [text])),
  );
}

/** `:status 200`, of the static table. */
export const STATUS_200: Buffer = Buffer.from([0x88]);

/** The server's side of one connection, which sends the frames that the test makes. */
export class FrameConnection {
  readonly socket: Socket;
  readonly frames: Frame[] = [];
  /** Names and values of each request, by stream. */
  readonly requests: Map<number, string[]> = new Map();
  readonly #decoder = new HeaderDecoder(1024 * 1024);
  #changed = new Deferred();
  #data: Buffer[] = [];
  #streamId = 0;

  constructor(socket: Socket) {
    this.socket = socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#notify());
    const receiver: FrameReceiver = {
      onDataStart: (streamId) => {
        this.#streamId = streamId;
        this.#data = [];
      },
      onData: (bytes, start, end) => this.#data.push(Buffer.from(bytes.subarray(start, end))),
      onDataEnd: (flags) =>
        this.#add(FRAMES.DATA, flags, this.#streamId, Buffer.concat(this.#data)),
      onFrame: (type, flags, streamId, payload) => {
        this.#add(type, flags, streamId, Buffer.from(payload));
      },
    };
    const reader = new FrameReader(receiver, 2 ** 24 - 1);
    let skip = PREFACE_BYTES;
    socket.on('data', (bytes) => {
      const skipped = Math.min(skip, bytes.length);
      skip -= skipped;
      reader.receive(bytes.subarray(skipped));
    });
  }

  send(...frames: readonly Uint8Array[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** Sends empty SETTINGS, or these. */
  settings(...settings: readonly (readonly [number, number])[]): void {
    this.send(frame(FRAMES.SETTINGS, 0, 0, settingsPayload(...settings)));
  }

  /** Resolves with the first frame for which `accept` returns true. */
  async until(accept: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find((one) => accept(one));
      if (found !== undefined) return found;
      if (this.socket.destroyed) throw new Error('the client closed the connection');
      await this.#changed.promise;
    }
  }

  /** Resolves when the client has sent the head of this stream. */
  async request(streamId: number): Promise<void> {
    await this.until((one) => one.type === FRAMES.HEADERS && one.streamId === streamId);
  }

  /** Resolves when the client has handled everything that was sent before. */
  async roundTrip(): Promise<void> {
    const payload = Buffer.from(`ping ${String(this.frames.length).padStart(3, '0')}`);
    this.send(frame(FRAMES.PING, 0, 0, payload));
    await this.until((one) => one.type === FRAMES.PING && one.payload.equals(payload));
  }

  #add(type: number, flags: number, streamId: number, payload: Buffer): void {
    this.frames.push({ type, flags, streamId, payload });
    if (type === FRAMES.HEADERS && (flags & FLAGS.END_HEADERS) !== 0) {
      this.requests.set(streamId, this.#decoder.decode(payload));
    }
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = new Deferred();
  }
}

/** A server of hand-made frames, for what Node's own servers never send. */
export class FramePeer implements AsyncDisposable {
  readonly port: number;
  readonly connections: FrameConnection[] = [];
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  /** `serve` is called with each connection. */
  static async start(
    serve: (connection: FrameConnection) => Promise<void> | void,
  ): Promise<FramePeer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const peer = new FramePeer((server.address() as AddressInfo).port, async () => {
      for (const { socket } of peer.connections) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    server.on('connection', (socket) => {
      const connection = new FrameConnection(socket);
      peer.connections.push(connection);
      void serve(connection);
    });
    return peer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
