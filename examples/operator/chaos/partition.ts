import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The way of one process to the server, which can be cut without either side noticing. */
export class Partition implements AsyncDisposable {
  /** The kubeconfig of the process. */
  readonly kubeconfig: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, kubeconfig: string) {
    this.#server = server;
    this.kubeconfig = kubeconfig;
  }

  /** Starts a proxy to the server of a kubeconfig, and writes a kubeconfig for the proxy. */
  static async start(kubeconfig: string, file: string): Promise<Partition> {
    const text = await readFile(kubeconfig, 'utf8');
    const address = /server: *"?(https:\/\/[^"\s]+)/.exec(text)?.[1] ?? '';
    const target = new URL(address);
    const server = createServer();
    server.listen(0, target.hostname);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxied = text.replace(address, `https://${target.hostname}:${port}`);
    await writeFile(file, proxied, { mode: 0o600 });
    const partition = new Partition(server, file);
    server.on('connection', (client) => partition.#accept(client, target));
    return partition;
  }

  /** Passes nothing on, in both directions; new connections get no answer. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Ends the connections that were cut. New ones work. */
  heal(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.heal();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket, target: URL): void {
    const server = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (chunk) => {
        if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => {
        if (!this.#isCut) from.resume();
      });
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isCut) from.pause();
    }
  }
}
