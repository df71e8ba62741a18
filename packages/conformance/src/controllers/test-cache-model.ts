import assert from 'node:assert/strict';

import { ApiServer } from '@client-ts/apiserver';
import { type ConfigMap, configMaps, secrets } from 'client-ts/api/core/v1';
import { cached, type CacheOptions, ControllerCache } from 'client-ts/controller';
import { seededRandom } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { type DeepReadonly, isAlreadyExists, isConflict, isNotFound } from 'client-ts/meta';
import type { ResourceClient } from 'client-ts/rest';
import { quiescence, VirtualClock } from 'client-ts/testing';

import { silentLogger } from '../informers/test-silent-logger.ts';
import { GatedTransport } from './test-gated-transport.ts';

/** The two resources, whose objects have the same fields. */
export type Kind = 'configmaps' | 'secrets';
type Item = DeepReadonly<Pick<ConfigMap, 'data' | 'metadata'>>;

const color = (object: Item): readonly string[] => [object.metadata?.annotations?.['color'] ?? ''];

/** The whole content of a resource at a version. */
interface Snapshot {
  readonly version: number;
  readonly objects: ReadonlyMap<string, Item>;
}

const kinds: readonly Kind[] = ['configmaps', 'secrets'];

/**
 * A cache whose watches are held back, the server, and what reads of the cache have to return: the
 * state of the server when this process last wrote the key, or at the version of the informer if that
 * is newer.
 */
export class CacheModel implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly transport: GatedTransport;
  readonly cache: ControllerCache;
  readonly other: Clientset;
  readonly #options: CacheOptions;
  readonly #resources: Readonly<Record<Kind, typeof configMaps>>;
  readonly #snapshots: Record<Kind, Snapshot[]> = { configmaps: [], secrets: [] };
  /** The snapshot after the last own write of a key. */
  readonly #own = new Map<string, number>();

  private constructor(server: ApiServer, clock: VirtualClock, options: CacheOptions) {
    this.clock = clock;
    this.server = server;
    this.#options = options;
    this.transport = new GatedTransport(server.transport());
    const connect = (transport = server.transport()): Clientset =>
      new Clientset({ server: server.url, logger: silentLogger }, { transport, clock });
    const maps = cached(configMaps, { ...options, index: { color } } as never);
    // Secrets have the fields of ConfigMaps that the test uses.
    const others = cached(secrets, { ...options, index: { color } } as never);
    this.#resources = { configmaps: maps, secrets: others as unknown as typeof configMaps };
    this.other = connect();
    this.cache = new ControllerCache({
      client: connect(this.transport),
      resources: [maps, others],
      clock,
      random: seededRandom(7),
      logger: silentLogger,
    });
  }

  static async start(options: CacheOptions): Promise<CacheModel> {
    const clock = new VirtualClock();
    const server = await ApiServer.start({ clock, random: seededRandom(3) });
    const model = new CacheModel(server, clock, options);
    for (const name of ['one', 'two']) {
      await model.other.coreV1.namespaces().create({ metadata: { name } });
    }
    model.cache.start();
    const synced = model.cache.waitForCacheSync();
    await quiescence();
    await synced;
    for (const kind of kinds) model.transport.gate(kind).close();
    await model.#take();
    return model;
  }

  /** Returns the client of one of the two writers in a namespace. */
  client(who: 'other' | 'own', kind: Kind, namespace: string): ResourceClient<typeof configMaps> {
    const client = who === 'own' ? this.cache.client : this.other;
    return client.resource(this.#resources[kind], namespace);
  }

  /** Makes a write, whatever comes of it, and notes which keys it was about. */
  async write(
    who: 'other' | 'own',
    kind: Kind,
    keys: readonly string[],
    write: () => Promise<unknown>,
  ): Promise<void> {
    let isDone = true;
    await write().catch((error: unknown) => {
      isDone = false;
      const isExpected = isNotFound(error) || isConflict(error) || isAlreadyExists(error);
      if (!isExpected && !String(error).includes('lost')) throw error;
      isDone = String(error).includes('lost');
    });
    await this.cache.settled();
    const position = await this.#take(kind);
    if (who === 'own' && isDone) for (const key of keys) this.#own.set(`${kind} ${key}`, position);
  }

  /** Compares every kind of read with the model. */
  check(): void {
    for (const kind of kinds) {
      const expected: Item[] = [];
      for (const key of this.#keys(kind)) {
        const object = this.#checkKey(kind, key);
        if (object !== undefined) expected.push(object);
      }
      this.#checkLists(kind, expected);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const kind of kinds) this.transport.gate(kind).release();
    await this.cache.close();
    await this.server[Symbol.asyncDispose]();
  }

  #keys(kind: Kind): Set<string> {
    return new Set(this.#snapshots[kind].flatMap(({ objects }) => [...objects.keys()]));
  }

  #checkKey(kind: Kind, key: string): Item | undefined {
    const [namespace = '', name = ''] = key.split('/');
    const resource = this.#resources[kind];
    const found: Item | undefined = this.cache.get(resource, { namespace, name });
    const snapshots = this.#snapshots[kind];
    const version = Number(this.cache.informer(resource).indexer.resourceVersion);
    const own = this.#own.get(`${kind} ${key}`) ?? 0;
    const least = Math.max(
      own,
      snapshots.findLastIndex((one) => one.version <= version),
    );
    const firstAfter = snapshots.findIndex((one) => one.version >= version);
    const most = Math.max(least, firstAfter === -1 ? snapshots.length - 1 : firstAfter);
    const allowed = snapshots
      .slice(least, most + 1)
      .map(({ objects }) => this.#shown(objects.get(key)));
    const isAllowed = allowed.some((object) => versionOf(object) === versionOf(found));
    const states = allowed.map(versionOf).join(' or ');
    assert.ok(isAllowed, `${kind} ${key} is ${versionOf(found)}, not ${states}`);
    return found;
  }

  #checkLists(kind: Kind, expected: readonly Item[]): void {
    const resource = this.#resources[kind];
    const list = (options: object): string[] =>
      this.cache.list(resource, options).map(nameOf).sort();
    const where = (test: (object: Item) => boolean): string[] =>
      expected.filter(test).map(nameOf).sort();
    assert.deepEqual(
      list({}).filter(isOfTest),
      where(() => true),
    );
    for (const namespace of ['one', 'two']) {
      assert.deepEqual(
        list({ namespace }).filter(isOfTest),
        where(({ metadata }) => metadata?.namespace === namespace),
      );
    }
    for (const value of ['red', 'blue']) {
      assert.deepEqual(
        list({ index: ['color', value] }),
        where((object) => color(object)[0] === value),
      );
    }
    assert.deepEqual(
      list({ labelSelector: 'app=web' }),
      where(({ metadata }) => metadata?.labels?.['app'] === 'web'),
    );
  }

  #shown(object: Item | undefined): Item | undefined {
    if (object === undefined) return undefined;
    const { labelSelector } = this.#options;
    return labelSelector === undefined || object.metadata?.labels?.['app'] === 'web'
      ? object
      : undefined;
  }

  async #take(...which: readonly Kind[]): Promise<number> {
    for (const kind of which.length === 0 ? kinds : which) {
      const { items, metadata } = await this.other.resource(this.#resources[kind]).list();
      const objects = new Map(
        items.filter((item) => isOfTest(nameOf(item))).map((item) => [nameOf(item), item]),
      );
      this.#snapshots[kind].push({ version: Number(metadata.resourceVersion), objects });
    }
    return this.#snapshots[which[0] ?? 'configmaps'].length - 1;
  }
}

function nameOf({ metadata }: Item): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

function isOfTest(name: string): boolean {
  return /^(?:one|two)\/[ab]$/.test(name);
}

/** The uid and the version of a state. */
function versionOf(object: Item | undefined): string {
  return object === undefined
    ? 'absent'
    : `${object.metadata?.uid} at ${object.metadata?.resourceVersion}`;
}
