import { type Clock, systemClock } from 'client-ts/internal';

import { CertificateAuthority } from '../auth/certificates.ts';
import type { Kubelet } from '../kubelet.ts';
import { KubeletApi } from '../streams/kubelet-api.ts';
import { Listener } from '../transport/listener.ts';

/** Options of {@link KubeletServer.start}. */
export interface KubeletServerOptions {
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** The name of the node. Default `node-1`. */
  readonly node?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Called with failures that no response can report. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves a {@link Kubelet} over HTTPS as the kubelet of one node does, so that a real API server can
 * proxy to it: put the address and port into the status of a Node. It accepts every client; keep it
 * on the loopback interface.
 */
export class KubeletServer implements AsyncDisposable {
  /** The base URL. */
  readonly url: string;
  readonly #listener: Listener;

  private constructor(listener: Listener) {
    this.#listener = listener;
    this.url = listener.url;
  }

  /** Starts to listen. */
  static async start(kubelet: Kubelet, options: KubeletServerOptions = {}): Promise<KubeletServer> {
    const { clock = systemClock, node = 'node-1', host, port, onError } = options;
    const authority = new CertificateAuthority({ clock: systemClock });
    const handler = new KubeletApi(kubelet, node, clock);
    const listener = await Listener.start((request) => handler.handle(request), {
      host,
      port,
      authority,
      onError,
    });
    return new KubeletServer(listener);
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    await this.#listener.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
