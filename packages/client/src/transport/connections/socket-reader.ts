import type { Socket } from 'node:net';

/** TLS hands out 16 KiB at most. */
const READ_BYTES = 64 * 1024;

/**
 * Reads a TLS socket into one buffer. Node otherwise allocates 64 KiB for every 16 KiB that it has
 * decrypted, and copies them once more, which costs as much as the decryption.
 */
export class SocketReader {
  /** The option of `tls.connect`. A socket that ignores it emits `data` instead. */
  readonly onread: {
    readonly buffer: Buffer;
    readonly callback: (bytes: number, buffer: Uint8Array) => boolean;
  };
  #socket: Socket | undefined;
  #receiver: ((bytes: Buffer) => void) | undefined;

  /** With the socket, if that exists already and so emits `data`. */
  constructor(socket?: Socket) {
    this.#socket = socket;
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    this.onread = { buffer, callback: (bytes) => this.#read(buffer.subarray(0, bytes)) };
  }

  /** Call it with the socket before it is read. Until {@link receive}, the socket is an ordinary one. */
  attach(socket: Socket): void {
    this.#socket = socket;
  }

  /**
   * Hands everything that has not been read to the receiver, once the socket is resumed. The bytes are
   * valid until it returns. After a pause, what is already decrypted still comes.
   */
  receive(receiver: (bytes: Buffer) => void): void {
    this.#receiver = receiver;
    this.#socket?.on('data', receiver);
  }

  /** What the socket still holds comes first. Returns false to stop reading. */
  #read(bytes: Buffer): boolean {
    const socket = this.#socket;
    if (this.#receiver === undefined || socket === undefined || socket.readableLength > 0) {
      return socket?.push(Buffer.from(bytes)) ?? false;
    }
    this.#receiver(bytes);
    return true;
  }
}
