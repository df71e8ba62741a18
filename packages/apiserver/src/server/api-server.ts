import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

import { systemClock } from 'client-ts/internal';
import type { Config, Transport } from 'client-ts/transport';
import { writeYaml } from 'client-ts/yaml';

import { CertificateAuthority } from '../auth/certificates.ts';
import type { Faults } from '../faults/faults.ts';
import { Listener } from '../transport/listener.ts';
import { memoryTransport } from '../transport/memory.ts';
import { Backend, type BackendOptions, reportError } from './backend.ts';
import { Outage } from './outage.ts';
import { openPersistence, type PersistenceOptions } from './persistence.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

/** Options of {@link ApiServer.start}. Every option has a default. */
export interface ApiServerOptions extends BackendOptions, PersistenceOptions {
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** The port to listen on. Default: 0, any free port. */
  readonly port?: number | undefined;
  /**
   * Certificates of CAs, as PEM. Clients with a certificate of one of them are authenticated: its
   * common name is the user, its organizations are the groups. Certificates of the server's own CA
   * are always accepted. Default: none.
   */
  readonly clientCA?: string | undefined;
  /** Serves plain HTTP instead of TLS. For benchmarks. Default: false. */
  readonly insecure?: boolean | undefined;
}

/** Options of {@link ApiServer.compact}. */
export interface CompactOptions {
  /** The newest revision to compact. Default: the current one. */
  readonly revision?: number | undefined;
  /**
   * Compacts only Events, the one resource that a real server serves without a watch cache. This is
   * the state after a compaction of etcd. Default: false.
   */
  readonly keepWatchCache?: boolean | undefined;
}

/**
 * A Kubernetes API server in this process, for tests, examples and local development. It serves the
 * API over TLS like a real kube-apiserver and keeps its state in memory, or with the option `data`
 * in a directory too. Several servers in one process share nothing.
 *
 * {@link close} releases the port, every connection and every timer. A server does not keep the
 * process alive.
 *
 * ```ts
 * await using server = await ApiServer.start();
 * await using client = new Clientset(server.config);
 * ```
 */
export class ApiServer implements AsyncDisposable {
  /** The base URL, for example `https://127.0.0.1:43211`. */
  readonly url: string;
  /** The certificate of the CA that signed the server's certificate, as PEM. */
  readonly ca: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** A client configuration with the administrator's credentials, for `new Clientset(config)`. */
  readonly config: Config;
  /** Injects failures into requests: latency, errors, broken connections, lost watch events. */
  readonly faults: Faults;
  readonly #backend: Backend;
  readonly #listener: Listener;
  readonly #authority: CertificateAuthority;
  /** Drops in-memory requests while the server is stopped; the listener closes its own sockets. */
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
    this.faults = backend.faults;
    this.#backend = backend;
    this.#listener = listener;
    this.#authority = authority;
  }

  /**
   * Starts a server and resolves when it accepts requests. Rejects if the port is taken; nothing is
   * left running then.
   */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { host = '127.0.0.1', insecure = false } = options;
    const { onError = reportError } = options;
    const persistence = await openPersistence({ ...options, onError });
    let backend: Backend | undefined;
    try {
      // Clients check certificates against the system time, not against a virtual clock.
      const existing = persistence?.identity.authority;
      const authority = new CertificateAuthority({ clock: systemClock, existing });
      backend = new Backend(options, persistence);
      await backend.core.store.durable();
      const listener = await Listener.start(backend.handler, {
        host,
        port: options.port ?? 0,
        authority,
        clientCA: options.clientCA,
        insecure,
        onError,
      });
      const port = Number(new URL(listener.url).port);
      backend.publish({ address: reachableAddress(host), port }, authority.certificate);
      return new ApiServer(backend, listener, authority);
    } catch (error) {
      backend?.[Symbol.dispose]();
      await persistence?.store.close();
      throw error;
    }
  }

  /** A kubeconfig with the administrator's credentials, as YAML. */
  get kubeconfig(): string {
    return formatKubeconfig({
      server: this.url,
      ...(this.config.tls !== undefined && { certificateAuthorityData: this.ca }),
      token: this.token,
    });
  }

  /**
   * Returns a transport that calls the server in memory, without sockets. Requests carry `token`
   * (default: the administrator's).
   */
  transport(options: { readonly token?: string | undefined } = {}): Transport {
    const handler = this.#outage.wrap(this.#backend.handler);
    return memoryTransport(handler, { token: options.token ?? this.token });
  }

  /** Issues a client certificate: the common name is the user, the organizations are its groups. */
  async issueClientCertificate(user: {
    readonly commonName: string;
    readonly organizations?: readonly string[] | undefined;
  }): Promise<{ readonly certificate: string; readonly key: string }> {
    return this.#authority.issueClientCertificate(user);
  }

  /**
   * Compacts the history. Lists and watches from an older resourceVersion fail with 410 afterwards.
   */
  compact({ revision, keepWatchCache = false }: CompactOptions = {}): void {
    this.#backend.core.store.compact({
      ...(revision !== undefined && { revision }),
      ...(keepWatchCache && { prefix: '//events/' }),
    });
  }

  /** Returns the objects of this moment, for {@link restore}. It costs microseconds per object. */
  snapshot(): ServerSnapshot {
    return this.#backend.snapshot();
  }

  /**
   * Makes the objects those of a snapshot again. Watches see the difference as ordinary events; an
   * object that was deleted comes back with its uid. Versions never go back: what changes has a new
   * resourceVersion. Nothing is asked: neither finalizers nor admission.
   */
  restore(snapshot: ServerSnapshot): void {
    this.#backend.restore(snapshot);
  }

  /**
   * Stops listening and drops every connection, like a crashed server. State is kept; see
   * {@link resume}.
   */
  async stopServing(): Promise<void> {
    this.#outage.begin();
    await this.#listener.stopServing();
  }

  /** Listens again on the same port after {@link stopServing}. */
  async resume(): Promise<void> {
    this.#outage.end();
    await this.#listener.resume();
  }

  /**
   * Stops the server for good: drops every connection, cancels every timer and releases the data
   * directory.
   */
  async close(): Promise<void> {
    this.#backend[Symbol.dispose]();
    this.#outage.begin();
    await this.#listener[Symbol.asyncDispose]();
    await this.#backend.core.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Returns the address that clients use for a server that listens on `host`. */
function reachableAddress(host: string): string {
  if (isIP(host) !== 0 && host !== '0.0.0.0' && host !== '::') return host;
  const addresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outside = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
  return outside?.address ?? '127.0.0.1';
}

/** The server and the credentials of a kubeconfig. */
export interface KubeconfigSource {
  readonly server: string;
  /** PEM. */
  readonly certificateAuthorityData?: string;
  readonly token: string;
}

const NAME = 'client-ts';

/** Returns a kubeconfig with one cluster, one user and one context, as YAML. */
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
