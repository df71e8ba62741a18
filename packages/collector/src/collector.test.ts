import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn } from 'client-ts/internal';
import type { CollectedEvent } from './collected-event.ts';
import { type CollectorOptions, EventCollector } from './collector.ts';
import { type EventSource, eventSource } from './event-source.ts';
import { SinkFiles } from './sink-state.ts';
import { folder, MemorySink } from './test-events.ts';

/** A server with a client, and collectors on it. */
class TestCluster {
  readonly server: ApiServer;
  readonly client: Clientset;
  readonly directory: string;
  readonly errors: unknown[] = [];

  private constructor(server: ApiServer, directory: string) {
    this.server = server;
    this.client = new Clientset({ server: server.url, transport: server.transport() });
    this.directory = directory;
  }

  static async start(t: TestContext): Promise<TestCluster> {
    const cluster = new TestCluster(await ApiServer.start(), await folder(t));
    t.after(async () => {
      await cluster.client[Symbol.asyncDispose]();
      await cluster.server[Symbol.asyncDispose]();
    });
    return cluster;
  }

  async write(name: string, fields: { count?: number; message?: string } = {}): Promise<string> {
    const { metadata } = await this.client.coreV1.events('default').create({
      metadata: { name },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'web-0' },
      reason: 'Pulled',
      type: 'Normal',
      message: 'pulled',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      ...fields,
    });
    return metadata.uid;
  }

  source(): Promise<EventSource> {
    return eventSource(this.client, { server: this.server.url });
  }

  async collect(
    sinks: readonly MemorySink[],
    options: Partial<CollectorOptions> = {},
  ): Promise<{ collector: EventCollector; stop: () => Promise<void> }> {
    const stop = new AbortController();
    const collector = await EventCollector.open({
      source: await this.source(),
      sinks: sinks.map((sink) => () => sink),
      directory: this.directory,
      onError: (error) => void this.errors.push(error),
      ...options,
    });
    const running = collector.run({ signal: stop.signal });
    return {
      collector,
      stop: async () => {
        stop.abort();
        await running;
      },
    };
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

const names = (sink: MemorySink): string[] =>
  [...sink.state.values()].map(({ name }) => name).toSorted();

describe('EventCollector', () => {
  it('copies existing and new events, and updates counts', async (t) => {
    const cluster = await TestCluster.start(t);
    const uid = await cluster.write('first');
    const sink = new MemorySink();
    const { collector, stop } = await cluster.collect([sink]);
    await until(() => sink.state.size === 1);
    await cluster.write('second');
    await cluster.client.coreV1
      .events('default')
      .patch('first', { count: 7, lastTimestamp: '2026-01-01T00:09:00Z' }, { type: 'merge' });
    await until(() => sink.state.get(uid)?.count === 7 && sink.state.size === 2);
    assert.equal(sink.state.get(uid)?.lastSeen, '2026-01-01T00:09:00.000Z');
    await cluster.client.coreV1.events('default').delete('first');
    await cluster.write('third');
    await until(() => sink.state.size === 3);
    await stop();
    assert.deepEqual(names(sink), ['first', 'second', 'third'], 'deleted events stay');
    assert.ok(sink.isClosed);
    assert.equal(collector.stats.received, 4);
    assert.equal(collector.stats.gaps, 0);
  });

  it('resumes where it stopped, without losses or duplicates', async (t) => {
    const cluster = await TestCluster.start(t);
    await cluster.write('before');
    const first = new MemorySink();
    const run = await cluster.collect([first]);
    await until(() => first.state.size === 1);
    await run.stop();

    await cluster.write('meanwhile');
    await cluster.client.coreV1.events('default').delete('meanwhile');
    await cluster.write('after');
    const second = new MemorySink();
    const again = await cluster.collect([second]);
    await until(() => second.state.size === 2);
    await again.stop();
    assert.deepEqual(names(second), ['after', 'meanwhile'], 'also what was gone by then');
    assert.deepEqual(second.gaps, []);
  });

  it('records a gap and lists after the version has expired', async (t) => {
    const cluster = await TestCluster.start(t);
    await cluster.write('before');
    const first = new MemorySink();
    const run = await cluster.collect([first]);
    await until(() => first.state.size === 1);
    await run.stop();

    await cluster.write('lost');
    await cluster.client.coreV1.events('default').delete('lost');
    await cluster.write('kept');
    cluster.server.compact();
    const second = new MemorySink();
    const again = await cluster.collect([second]);
    await until(() => second.state.size === 2);
    await until(() => second.gaps.length === 1);
    await again.stop();
    assert.deepEqual(names(second), ['before', 'kept']);
    const [gap] = second.gaps;
    assert.match(gap?.reason ?? '', /could not resume from version \d+/);
    assert.ok((gap?.from ?? '') < (gap?.to ?? ''));
    assert.equal(again.collector.stats.gaps, 1);
  });

  it('lists if the position is of another server', async (t) => {
    const cluster = await TestCluster.start(t);
    await cluster.write('before');
    const first = new MemorySink();
    const run = await cluster.collect([first], {
      source: { ...(await cluster.source()), id: 'elsewhere' },
    });
    await until(() => first.state.size === 1);
    await run.stop();
    const second = new MemorySink();
    const again = await cluster.collect([second]);
    await until(() => second.state.size === 1);
    await again.stop();
    assert.deepEqual(second.gaps, []);
  });

  it('serves several sinks, each at its own pace', async (t) => {
    const cluster = await TestCluster.start(t);
    const [fast, away] = [new MemorySink('fast'), new MemorySink('away')];
    away.isDown = true;
    const run = await cluster.collect([fast, away], { maxQueued: 5, batchSize: 2 });
    for (let number = 0; number < 40; number += 1) await cluster.write(`event-${number}`);
    await until(() => fast.state.size === 40);
    assert.equal(away.events.length, 0);
    away.isDown = false;
    await until(() => away.state.size === 40);
    await run.stop();
    assert.deepEqual(names(fast), names(away));
    const [, stats] = run.collector.stats.sinks;
    assert.ok((stats?.spilled ?? 0) > 0);
    assert.equal(stats?.dropped, 0);
  });

  it('resumes from the oldest position of its sinks', async (t) => {
    const cluster = await TestCluster.start(t);
    const uid = await cluster.write('first');
    const before = [new MemorySink('one'), new MemorySink('other')];
    const first = await cluster.collect(before);
    await until(() => before.every(({ state }) => state.size === 1));
    await first.stop();
    const { metadata } = await cluster.client.coreV1.events('default').get('first');
    const behind = `${Number(metadata.resourceVersion) - 1}`;
    const { id: source } = await cluster.source();
    const position = { source, resourceVersion: behind, time: '' };
    await new SinkFiles(join(cluster.directory, 'other')).writePosition(position);
    const [one, other] = [new MemorySink('one'), new MemorySink('other')];
    const again = await cluster.collect([one, other]);
    await until(() => other.state.size === 1);
    await again.stop();
    assert.deepEqual([...other.state.keys()], [uid]);
  });

  it('lists many events without holding them in memory', async (t) => {
    const cluster = await TestCluster.start(t);
    const total = 1234;
    for (let number = 0; number < total; number += 1) await cluster.write(`event-${number}`);
    const sink = new MemorySink();
    const run = await cluster.collect([sink], { maxQueued: 100, batchSize: 50 });
    await until(() => sink.state.size === total);
    await run.stop();
    const again = await cluster.collect([new MemorySink()]);
    await again.stop();
    assert.equal(again.collector.stats.received, 0, 'the version of the list is where it goes on');
  });

  it('reads events.k8s.io/v1 where core/v1 is forbidden', async (t) => {
    const cluster = await TestCluster.start(t);
    const uid = await cluster.write('first', { message: 'seen either way', count: 3 });
    cluster.server.faults.add({
      match: { path: /^\/api\/v1\/(?:namespaces\/[^/]+\/)?events/, verb: 'list' },
      fault: { kind: 'status', code: 403 },
    });
    const sink = new MemorySink();
    const run = await cluster.collect([sink]);
    await until(() => sink.state.size === 1);
    await run.stop();
    const event = sink.state.get(uid) as CollectedEvent;
    assert.equal(event.message, 'seen either way');
    assert.equal(event.count, 3);
    assert.deepEqual(event.object, { kind: 'Pod', namespace: 'default', name: 'web-0' });
  });

  it('rejects with the error of the server if it allows neither', async (t) => {
    const cluster = await TestCluster.start(t);
    cluster.server.faults.add({ match: { path: /events/ }, fault: { kind: 'status', code: 403 } });
    await assert.rejects(cluster.collect([new MemorySink()]), /403|[Ff]orbidden/);
  });

  it('closes the opened sinks if one cannot be opened', async (t) => {
    const cluster = await TestCluster.start(t);
    const first = new MemorySink('first');
    const options: CollectorOptions = {
      source: await cluster.source(),
      sinks: [() => first, () => Promise.reject(new Error('no such folder'))],
      directory: cluster.directory,
    };
    await assert.rejects(EventCollector.open(options), /no such folder/);
    assert.ok(first.isClosed);
    await using _again = await EventCollector.open({ ...options, sinks: [() => first] });
  });

  it('closes its sinks and releases the directory without having run', async (t) => {
    const cluster = await TestCluster.start(t);
    const sink = new MemorySink();
    const options: CollectorOptions = {
      source: await cluster.source(),
      sinks: [() => sink],
      directory: cluster.directory,
    };
    const collector = await EventCollector.open(options);
    await collector.close();
    await collector.close();
    assert.ok(sink.isClosed);
    await using _again = await EventCollector.open(options);
  });

  it('refuses a directory in use before it opens a sink', async (t) => {
    const cluster = await TestCluster.start(t);
    const run = await cluster.collect([new MemorySink()]);
    let isOpened = false;
    const sink = (): MemorySink => {
      isOpened = true;
      return new MemorySink();
    };
    await assert.rejects(cluster.collect([], { sinks: [sink] }), { code: 'COLLECTOR_LOCKED' });
    assert.equal(isOpened, false);
    await run.stop();
    const again = await cluster.collect([], { sinks: [sink] });
    await again.stop();
  });

  it('records a gap for a sink that was further when another has no position', async (t) => {
    const cluster = await TestCluster.start(t);
    await cluster.write('before');
    const first = await cluster.collect([new MemorySink('one')]);
    await until(() => first.collector.stats.sinks[0]?.written === 1);
    await first.stop();
    await cluster.write('lost');
    await cluster.client.coreV1.events('default').delete('lost');
    const [one, other] = [new MemorySink('one'), new MemorySink('other')];
    const again = await cluster.collect([one, other]);
    await until(() => other.state.size === 1 && one.gaps.length === 1);
    await again.stop();
    assert.match(one.gaps[0]?.reason ?? '', /another sink had no position/);
    assert.deepEqual(other.gaps, []);
  });

  it('dates a position no later than what may follow it, also after a deletion', async (t) => {
    const cluster = await TestCluster.start(t);
    const sink = new MemorySink();
    const run = await cluster.collect([sink]);
    await cluster.write('event');
    await until(() => sink.state.size === 1);
    const written = new Date().toISOString();
    await cluster.client.coreV1.events('default').delete('event');
    const { metadata } = await cluster.client.coreV1.events('default').list();
    await until(() => run.collector.stats.resourceVersion === metadata?.resourceVersion);
    await run.stop();
    // A deletion may arrive late: the event before it is the bound.
    assert.equal(sink.positions.at(-1)?.resourceVersion, metadata?.resourceVersion);
    assert.ok((sink.positions.at(-1)?.time ?? '') <= written);
  });
});
