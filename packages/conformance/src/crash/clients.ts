import { Clientset, type Config } from 'client-ts';
import type { configMaps } from 'client-ts/api/core/v1';
import type { Random } from 'client-ts/internal';
import { ApiError, type KubernetesObject } from 'client-ts/meta';
import type { ResourceClient } from 'client-ts/rest';

import type { Ledger, Version } from './ledger.ts';

const NAMESPACE = 'default';
/** The key in the annotations that holds the text of a write. */
const TEXT = 'text';
const WRITERS = 24;
const KEYS_PER_WRITER = 3;
const RESOURCES = ['configmaps', 'services'] as const;
type Resource = (typeof RESOURCES)[number];
type Objects = ResourceClient<typeof configMaps>;

/** The clients of the server that is killed: writers, readers, and watches that resume. */
export class CrashClients {
  readonly #ledger: Ledger;
  readonly #random: Random;
  /** Credentials of the first start, which all later ones must accept. */
  #first: Config | undefined;
  #robotToken: string | undefined;
  #client: Clientset | undefined;
  #writes = 0;
  /** The state that the watch of each resource has built up, and its position. */
  readonly #replicas = new Map(
    RESOURCES.map((resource) => [resource, { revision: '', objects: new Map<string, Version>() }]),
  );
  #watches: Promise<unknown> = Promise.resolve();
  resumedWatches = 0;

  constructor(ledger: Ledger, random: Random) {
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Connects to a server that has been started, with the credentials of the first. */
  async connect(config: Config): Promise<void> {
    this.#first ??= config;
    const { tls, auth } = this.#first;
    // A write that is repeated would have two outcomes.
    const known: Config = { server: config.server, ...(tls && { tls }), maxRetries: 0 };
    this.#client = new Clientset({ ...known, ...(auth && { auth }) });
    const robots = this.#connected.coreV1.serviceAccounts(NAMESPACE);
    if (this.#robotToken === undefined) {
      await robots.create({ metadata: { name: 'robot' } });
      this.#robotToken = (await robots.createToken('robot')).status?.token ?? '';
    }
    await using robot = new Clientset({ ...known, auth: { token: this.#robotToken } });
    try {
      await robot.authenticationV1.selfSubjectReviews().create({});
    } catch (error) {
      this.#ledger.faults.push(`the token of a service account is refused: ${String(error)}`);
    }
  }

  async disconnect(): Promise<void> {
    await this.#client?.close();
    this.#client = undefined;
  }

  /** Compares everything that the server has with the ledger, and the watches with the server. */
  async audit(): Promise<void> {
    const objects = new Map<string, Version>();
    const addresses = new Set<string>();
    let newest = 0;
    for (const resource of RESOURCES) {
      const { items, metadata } = await this.#resource(resource).list();
      newest = Math.max(newest, Number(metadata?.resourceVersion));
      for (const item of items) {
        if (item.metadata.annotations?.[TEXT] === undefined) continue;
        objects.set(`${resource}/${item.metadata.name}`, versionOf(item));
        const { clusterIP } = (item as { spec?: { clusterIP?: string } }).spec ?? {};
        if (clusterIP === undefined) continue;
        if (addresses.has(clusterIP)) this.#ledger.faults.push(`${clusterIP} is given twice`);
        addresses.add(clusterIP);
      }
    }
    this.#ledger.audit(objects, newest);
    // A watch from a revision that the server has lost would wait forever.
    if (newest < this.#ledger.newestRevision) return;
    for (const resource of RESOURCES) await this.#catchUp(resource, objects);
  }

  /**
   * Writes, reads and watches until the server is gone. Calls `kill` in the turn in which this many
   * writes are acknowledged.
   */
  async writeUntil(writes: number, kill: () => void): Promise<void> {
    let left = writes;
    const acknowledged = (): void => {
      left--;
      if (left === 0) kill();
    };
    const stop = new AbortController();
    this.#watches = Promise.all(RESOURCES.map((resource) => this.#watch(resource, stop.signal)));
    const work = Array.from({ length: WRITERS }, async (_, writer) => {
      while (await this.#write(writer, acknowledged));
    });
    const readers = RESOURCES.map(async (resource) => {
      while (await this.#read(resource));
    });
    await Promise.all([...work, ...readers]);
    stop.abort();
    await this.#watches;
  }

  get #connected(): Clientset {
    if (this.#client === undefined) throw new Error('not connected');
    return this.#client;
  }

  #resource(resource: Resource): Objects {
    const { coreV1 } = this.#connected;
    // Both have the methods that are used here.
    return resource === 'configmaps'
      ? coreV1.configMaps(NAMESPACE)
      : (coreV1.services(NAMESPACE) as unknown as Objects);
  }

  /** Returns false if the server is gone. */
  async #write(writer: number, acknowledged: () => void): Promise<boolean> {
    const resource = writer % 8 === 0 ? 'services' : 'configmaps';
    const name = `w${writer}-${Math.floor(this.#random.next() * KEYS_PER_WRITER)}`;
    const key = `${resource}/${name}`;
    const client = this.#resource(resource);
    const known = this.#ledger.known(key);
    const text = `write ${++this.#writes}`;
    const metadata = { name, annotations: { [TEXT]: text } };
    const object =
      resource === 'services' ? { metadata, spec: { ports: [{ port: 80 }] } } : { metadata };
    try {
      if (known !== undefined && this.#random.next() < 0.3) {
        this.#ledger.begin(key, undefined);
        await client.delete(name);
        this.#ledger.acknowledge(key, undefined);
      } else {
        this.#ledger.begin(key, text);
        const stored = await (known === undefined
          ? client.create(object)
          : client.patch(name, { metadata: { annotations: { [TEXT]: text } } }, { type: 'merge' }));
        this.#ledger.acknowledge(key, versionOf(stored));
      }
      acknowledged();
      return true;
    } catch (error) {
      return this.#isAlive(`${key}: ${text}`, error);
    }
  }

  async #read(resource: Resource): Promise<boolean> {
    try {
      for (const item of (await this.#resource(resource).list()).items) {
        this.#observe(resource, item);
      }
      return true;
    } catch (error) {
      return this.#isAlive(`list of ${resource}`, error);
    }
  }

  /** An answer is a fault; a broken connection is not. */
  #isAlive(what: string, error: unknown): boolean {
    if (error instanceof ApiError) this.#ledger.faults.push(`${what}: ${error.message}`);
    return false;
  }

  #observe(resource: Resource, item: KubernetesObject): void {
    if (item.metadata?.annotations?.[TEXT] === undefined) return;
    const { revision, text } = versionOf(item);
    this.#ledger.observe(`${resource}/${item.metadata.name}`, revision, text);
  }

  async #watch(resource: Resource, signal: AbortSignal): Promise<void> {
    const replica = this.#replica(resource);
    try {
      const watch = this.#resource(resource).watch({
        signal,
        ...(replica.revision !== '' && { resourceVersion: replica.revision }),
      });
      for await (const { type, object } of watch) this.#apply(resource, type, object);
    } catch (error) {
      if (!signal.aborted) this.#isAlive(`watch of ${resource}`, error);
    }
  }

  #apply(resource: Resource, type: string, object: KubernetesObject): void {
    const { metadata = {} } = object;
    const replica = this.#replica(resource);
    replica.revision = metadata.resourceVersion ?? '';
    if (metadata.annotations?.[TEXT] === undefined) return;
    const key = `${resource}/${metadata.name}`;
    const version = versionOf(object);
    this.#ledger.observe(key, version.revision, type === 'DELETED' ? undefined : version.text);
    if (type === 'DELETED') replica.objects.delete(key);
    else replica.objects.set(key, version);
  }

  /** Resumes the watch where it was before the crash, up to a new object, and compares. */
  async #catchUp(resource: Resource, objects: ReadonlyMap<string, Version>): Promise<void> {
    const replica = this.#replica(resource);
    if (replica.revision === '') return;
    const client = this.#resource(resource);
    const marker = `marker-${++this.#writes}`;
    const spec = resource === 'services' ? { spec: { ports: [{ port: 80 }] } } : {};
    await client.create({ metadata: { name: marker }, ...spec });
    for await (const { type, object } of client.watch({ resourceVersion: replica.revision })) {
      this.#apply(resource, type, object);
      if (object.metadata.name === marker) break;
    }
    await client.delete(marker);
    this.resumedWatches++;
    const expected = [...objects].filter(([key]) => key.startsWith(`${resource}/`));
    const actual = [...replica.objects];
    for (const [key, { revision }] of expected) {
      if (replica.objects.get(key)?.revision !== revision) {
        this.#ledger.faults.push(`the watch of ${resource} has missed ${key} at ${revision}`);
      }
    }
    for (const [key] of actual) {
      if (!objects.has(key)) this.#ledger.faults.push(`the watch has missed the end of ${key}`);
    }
  }

  #replica(resource: Resource): { revision: string; readonly objects: Map<string, Version> } {
    const replica = this.#replicas.get(resource);
    if (replica === undefined) throw new Error(`no replica of ${resource}`);
    return replica;
  }
}

function versionOf({ metadata = {} }: KubernetesObject): Version {
  const { uid = '', resourceVersion = '', annotations = {} } = metadata;
  return { uid, revision: Number(resourceVersion), text: annotations[TEXT] ?? '' };
}
