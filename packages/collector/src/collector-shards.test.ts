import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { nextTurn } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import type { CollectedEvent } from './collected-event.ts';
import { EventCollector } from './collector.ts';
import type { CollectorSharding } from './collector-shards.ts';
import { eventSource } from './event-source.ts';
import { folder, MemorySink } from './test-events.ts';

/** Long, so that no pause of the machine loses a lease; shards are handed over by release. */
const timing = { leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 50 };

/** What all replicas write to: an event is stored under its uid, in its newest state. */
class SharedStore {
  readonly events = new Map<string, CollectedEvent>();

  take(batch: readonly CollectedEvent[]): void {
    for (const event of batch) {
      const stored = this.events.get(event.uid);
      const isOlder = BigInt(stored?.resourceVersion ?? 0) > BigInt(event.resourceVersion);
      if (!isOlder) this.events.set(event.uid, event);
    }
  }
}

class StoreSink extends MemorySink {
  readonly #store: SharedStore;

  constructor(store: SharedStore, name: string) {
    super(name);
    this.#store = store;
  }

  override async write(
    ...[batch, position]: Parameters<MemorySink['write']>
  ): ReturnType<MemorySink['write']> {
    const rejections = await super.write(batch, position);
    this.#store.take(batch);
    return rejections;
  }
}

/** A server over sockets, and replicas of a collector on it. */
class Replicas {
  readonly store = new SharedStore();
  readonly written = new Map<string, number>();
  readonly client: Clientset;
  readonly #server: ApiServer;
  readonly #directory: string;
  #count = 0;

  private constructor(server: ApiServer, directory: string) {
    this.#server = server;
    this.#directory = directory;
    this.client = new Clientset(server.config);
  }

  static async start(t: TestContext): Promise<Replicas> {
    const replicas = new Replicas(await ApiServer.start(), await folder(t));
    t.after(async () => {
      await replicas.client.close();
      await replicas.#server[Symbol.asyncDispose]();
    });
    return replicas;
  }

  get server(): ApiServer {
    return this.#server;
  }

  async write(many: number): Promise<void> {
    for (let index = 0; index < many; index += 1) {
      this.#count += 1;
      const { metadata } = await this.client.coreV1.events('default').create({
        metadata: { name: `web-${this.#count}.18` },
        involvedObject: { kind: 'Pod', namespace: 'default', name: `web-${this.#count}` },
        reason: 'Pulled',
        type: 'Normal',
        message: 'pulled',
        count: 1,
      });
      this.written.set(metadata.uid, 1);
    }
  }

  async collect(identity: string, options: Partial<CollectorSharding> = {}) {
    const client = new Clientset(this.#server.config);
    const sink = new StoreSink(this.store, 'shared');
    const stop = new AbortController();
    const errors: unknown[] = [];
    const collector = await EventCollector.open({
      source: await eventSource(client, { server: this.#server.url }),
      sinks: [() => sink],
      directory: join(this.#directory, identity),
      sharding: { client, namespace: 'default', shards: 4, identity, ...timing, ...options },
      onError: (error) => void errors.push(error),
    });
    const run = collector.run({ signal: stop.signal });
    run.catch(() => undefined);
    const end = async (): Promise<void> => {
      stop.abort();
      await run;
      await client.close();
    };
    return { collector, sink, errors, run, end };
  }

  /** Waits until a collector has a position behind the first list. */
  async positioned({ collector }: { readonly collector: EventCollector }): Promise<void> {
    await this.complete();
    while (collector.stats.resourceVersion === undefined) await nextTurn();
  }

  async complete(): Promise<void> {
    while ([...this.written.keys()].some((uid) => !this.store.events.has(uid))) await nextTurn();
    assert.equal(this.store.events.size, this.written.size);
  }
}

describe('replicas of a collector', () => {
  it('share the events, and miss none when shards move', async (t) => {
    const replicas = await Replicas.start(t);
    await replicas.write(20);
    const a = await replicas.collect('a');
    await replicas.complete();
    assert.deepEqual(a.collector.stats.shards, [0, 1, 2, 3]);
    const b = await replicas.collect('b');
    const shardsOfB = (): number | undefined => b.collector.stats.shards?.length;
    while (shardsOfB() !== 2) {
      await replicas.write(1);
      await nextTurn();
    }
    await replicas.complete();
    // Each collects its own.
    const before = [a.collector.stats.received, b.collector.stats.received] as const;
    await replicas.write(40);
    await replicas.complete();
    const own = [
      a.collector.stats.received - before[0],
      b.collector.stats.received - before[1],
    ] as const;
    assert.equal(own[0] + own[1], 40);
    assert.ok(own[0] > 5 && own[1] > 5, own.join());
    // While one stops, events are written that neither has seen.
    const ending = a.end();
    await replicas.write(30);
    await ending;
    await replicas.write(10);
    while (shardsOfB() !== 4) await nextTurn();
    await replicas.complete();
    assert.equal(b.collector.stats.gaps, 0, 'continued from the position of the other one');
    await b.end();
    assert.deepEqual([...a.errors, ...b.errors], []);
  });

  it('record a gap if the server has forgotten the position of a shard', async (t) => {
    const replicas = await Replicas.start(t);
    await replicas.write(3);
    const a = await replicas.collect('a');
    await replicas.positioned(a);
    await a.end();
    await replicas.write(3);
    replicas.server.compact();
    const b = await replicas.collect('b');
    await replicas.complete();
    while (b.sink.gaps.length === 0) await nextTurn();
    assert.match(b.sink.gaps[0]?.reason ?? '', /could not resume from version \d+/);
    await b.end();
  });

  it('do not move the position of a shard past what is only on a disk', async (t) => {
    const replicas = await Replicas.start(t);
    await replicas.write(3);
    const a = await replicas.collect('a', { shards: 1 });
    await replicas.positioned(a);
    a.sink.isDown = true;
    await replicas.write(10);
    while (a.collector.stats.received < 13) await nextTurn();
    await a.end();
    assert.ok(replicas.store.events.size < replicas.written.size);
    // The rest is on the disk of a replica that may never come back.
    const b = await replicas.collect('b', { shards: 1 });
    await replicas.complete();
    assert.equal(b.collector.stats.gaps, 0);
    await b.end();
  });

  it('fail if they may not use leases', async (t) => {
    const replicas = await Replicas.start(t);
    replicas.server.faults.add({ match: { path: /leases/ }, fault: { kind: 'status', code: 403 } });
    const a = await replicas.collect('a');
    await assert.rejects(a.run, { code: 'API_FORBIDDEN' });
  });
});
