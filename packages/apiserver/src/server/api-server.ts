import { systemClock } from 'client-ts/internal';
import type { Config, Transport } from 'client-ts/transport';
import { writeYaml } from 'client-ts/yaml';

import { CertificateAuthority } from '../auth/certificates.ts';
import type { Faults } from '../faults/faults.ts';
import { Listener } from '../transport/listener.ts';
import { memoryTransport } from '../transport/memory.ts';
import { Backend, type BackendOptions } from './backend.ts';
import { Outage } from './outage.ts';

/** How a server behaves and where it is reached. */
export interface ApiServerOptions extends BackendOptions {
  /** Default `127.0.0.1`: nobody but this machine can connect. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Serve plain HTTP instead of TLS. For measurements only. */
  readonly insecure?: boolean;
}

/** What {@link ApiServer.compact} forgets. */
export interface CompactOptions {
  /** Default: everything up to now. */
  readonly revision?: number;
  /**
   * Only what a real server serves without its watch cache forgets: Events, as after a compaction
   * of etcd. Default false.
   */
  readonly keepWatchCache?: boolean;
}

/**
 * A Kubernetes API server in this process: real HTTP, real TLS, real semantics, and nothing left
 * when it is disposed.
 *
 * ```ts
 * await using server = await ApiServer.start();
 * // server.url, server.ca, server.config, server.kubeconfig, or server.transport() without sockets
 * ```
 */
export class ApiServer implements AsyncDisposable {
  readonly url: string;
  /** The certificate of the CA that signed the server's own, as PEM. */
  readonly ca: string;
  /** The administrator's. */
  readonly token: string;
  /** For `new Clientset(server.config)` and every other client: over sockets, as administrator. */
  readonly config: Config;
  /** A kubeconfig with the administrator's credentials, as YAML. */
  readonly kubeconfig: string;
  /** Makes requests fail on purpose. */
  readonly faults: Faults;
  readonly #backend: Backend;
  readonly #listener: Listener;
  readonly #authority: CertificateAuthority;
  /** Of the transports without sockets; the listener has sockets to close. */
  readonly #outage = new Outage();

  private constructor(backend: Backend, listener: Listener, authority: CertificateAuthority) {
    this.url = listener.url;
    this.ca = authority.certificate;
    this.token = backend.token;
    const isSecure = this.url.startsWith('https:');
    this.config = {
      server: this.url,
      namespace: 'default',
      ...(isSecure && { tls: { ca: this.ca } }),
      auth: { token: this.token },
    };
    this.kubeconfig = formatKubeconfig({
      server: this.url,
      ...(isSecure && { certificateAuthorityData: this.ca }),
      token: this.token,
    });
    this.faults = backend.faults;
    this.#backend = backend;
    this.#listener = listener;
    this.#authority = authority;
  }

  /** Starts a server and resolves when it answers. */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { host = '127.0.0.1', port = 0, insecure = false } = options;
    const backend = new Backend(options);
    // Clients check certificates against the real time, whatever clock the server runs on.
    const authority = new CertificateAuthority({ clock: systemClock });
    try {
      const listener = await Listener.start(backend.handler, {
        host,
        port,
        authority,
        insecure,
        onError: backend.onError,
      });
      return new ApiServer(backend, listener, authority);
    } catch (error) {
      backend[Symbol.dispose]();
      throw error;
    }
  }

  /** The same server without sockets, as the administrator or as somebody else. */
  transport(options: { readonly token?: string } = {}): Transport {
    const handler = this.#outage.wrap(this.#backend.handler);
    return memoryTransport(handler, { token: options.token ?? this.token });
  }

  /** A client certificate for a user, signed by the server's CA. */
  async issueClientCertificate(user: {
    readonly commonName: string;
    readonly organizations?: readonly string[];
  }): Promise<{ readonly certificate: string; readonly key: string }> {
    return this.#authority.issueClientCertificate(user);
  }

  /** Forgets history now, so that older versions answer 410. */
  compact({ revision, keepWatchCache = false }: CompactOptions = {}): void {
    this.#backend.core.store.compact({
      ...(revision !== undefined && { revision }),
      ...(keepWatchCache && { prefix: '//events/' }),
    });
  }

  /** Stops listening and drops every connection; state is kept. See {@link resume}. */
  async stopServing(): Promise<void> {
    this.#outage.begin();
    await this.#listener.stopServing();
  }

  /** Listens again on the same port. */
  async resume(): Promise<void> {
    this.#outage.end();
    await this.#listener.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#backend[Symbol.dispose]();
    this.#outage.begin();
    await this.#listener[Symbol.asyncDispose]();
  }
}

/** What stands in a kubeconfig about one server and one user. */
export interface KubeconfigSource {
  readonly server: string;
  readonly certificateAuthorityData?: string;
  readonly token: string;
}

const NAME = 'client-ts';

/** A kubeconfig with one cluster, one user and one context, as YAML. */
export function formatKubeconfig({
  server,
  certificateAuthorityData,
  token,
}: KubeconfigSource): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: NAME,
        cluster: {
          server,
          ...(certificateAuthorityData !== undefined && {
            'certificate-authority-data': Buffer.from(certificateAuthorityData).toString('base64'),
          }),
        },
      },
    ],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  };
  return writeYaml(config);
}
