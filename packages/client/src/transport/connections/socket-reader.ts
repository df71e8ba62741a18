import type { Socket } from 'node:net';

/** Takes the first `size` of some bytes. They are valid until it returns. */
export type BytesReceiver = (bytes: Buffer, size: number) => void;

/** TLS hands out no more at a time. */
const READ_BYTES = 16 * 1024;

/**
 * Reads a TLS socket into one buffer. Node otherwise allocates 64 KiB for every 16 KiB that it has
 * decrypted, and copies them once more, which costs as much as the decryption.
 */
export class SocketReader {
  /** The option of `tls.connect`. A socket that ignores it emits `data` instead. */
  readonly onread: {
    readonly buffer: Buffer;
    readonly callback: (size: number, buffer: Uint8Array) => boolean;
  };
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #socket: Socket | undefined;
  #receiver: BytesReceiver | undefined;
  /** True when the receiver has everything that came before it. */
  #isDirect = false;

  /** With the socket, if that exists already and so emits `data`. */
  constructor(socket?: Socket) {
    this.#socket = socket;
    this.onread = { buffer: this.#buffer, callback: (size) => this.#read(size) };
  }

  /** Call it with the socket before it is read. Until {@link receive}, the socket is an ordinary one. */
  attach(socket: Socket): void {
    this.#socket = socket;
  }

  /**
   * Hands everything that has not been read to the receiver, once the socket is resumed. The bytes are
   * valid until it returns. After a pause, what is already decrypted still comes.
   */
  receive(receiver: BytesReceiver): void {
    this.#receiver = receiver;
    this.#socket?.on('data', (bytes: Buffer) => receiver(bytes, bytes.length));
  }

  /** What the socket still holds comes first. Returns false to stop reading. */
  #read(size: number): boolean {
    const receiver = this.#receiver;
    if (receiver === undefined || !this.#isDirect) {
      const socket = this.#socket;
      if (receiver === undefined || socket === undefined || socket.readableLength > 0) {
        return socket?.push(Buffer.from(this.#buffer.subarray(0, size))) ?? false;
      }
      this.#isDirect = true;
    }
    receiver(this.#buffer, size);
    return true;
  }
}
