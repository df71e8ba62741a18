import { ApiServer } from '@client-ts/apiserver';
import { type ConfigMap, configMaps, type Secret, secrets } from 'client-ts/api/core/v1';
import { Manager } from 'client-ts/controller';
import type { Config } from 'client-ts/transport';

/** Must never be in anything that the inspector sends. */
export const CANARY = 'canary-7f3e9a';

/**
 * A program with a controller that watches ConfigMaps and Secrets on an embedded server. For each ConfigMap `x`
 * it writes a ConfigMap `x-copy`; it fails for those named `broken`, with credentials in the error: a token,
 * the password of the Secret `db`, and its own token.
 */
export class InspectedProgram implements AsyncDisposable {
  readonly server: ApiServer;
  readonly manager: Manager;
  readonly config: Config;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  private constructor(server: ApiServer) {
    this.server = server;
    this.config = server.config;
    this.manager = new Manager(this.config);
    this.manager.controller('copy', {
      for: configMaps,
      onError: () => undefined,
      watches: [{ resource: secrets, mapTo: () => [] }],
      reconcile: async (map, { client, event }) => {
        const { namespace = 'default', name } = map.metadata;
        if (name.endsWith('-copy')) return;
        const password = await this.#passwordOfDb();
        if (name === 'broken') {
          const tried = `Bearer ${CANARY}, ${JSON.stringify(password)} and ${server.token}`;
          throw new Error(`cannot log in with ${tried}`);
        }
        event('Normal', 'Copied', `with password=${CANARY} and ${password}`);
        const copy = { metadata: { name: `${name}-copy` }, data: { from: name } };
        await client.coreV1
          .configMaps(namespace)
          .apply(copy, { fieldManager: 'copy', force: true });
      },
    });
  }

  async #passwordOfDb(): Promise<string> {
    const [informer] = this.manager.controllers.flatMap(({ watches }) =>
      watches.flatMap(({ informers }) => informers.filter(({ name }) => name === 'secrets')),
    );
    const { data = {} } = (informer?.indexer.getByKey('default/db') ?? {}) as Secret;
    return Buffer.from(data['password'] ?? '', 'base64').toString();
  }

  static async start(): Promise<InspectedProgram> {
    const server = await ApiServer.start();
    return new InspectedProgram(server);
  }

  run(): void {
    this.#running = this.manager.run({ signal: this.#stop.signal });
  }

  async createMap(name: string, data: Record<string, string> = {}): Promise<ConfigMap> {
    const maps = this.manager.client.coreV1.configMaps('default');
    return await maps.create({ metadata: { name, labels: { app: name } }, data });
  }

  async createSecret(name: string): Promise<Secret> {
    const lastApplied = JSON.stringify({ kind: 'Secret', stringData: { password: CANARY } });
    return await this.manager.client.coreV1.secrets('default').create({
      metadata: {
        name,
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': lastApplied },
      },
      stringData: { password: CANARY },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running.catch(() => undefined);
    await this.manager.close();
    await this.server[Symbol.asyncDispose]();
  }
}
