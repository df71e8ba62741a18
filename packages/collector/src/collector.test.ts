import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn } from 'client-ts/internal';
import type { CollectedEvent } from './collected-event.ts';
import { type CollectorOptions, EventCollector } from './collector.ts';
import { eventsOf } from './event-source.ts';
import { SinkFiles } from './sink-files.ts';
import { folder, MemorySink } from './test-events.ts';

/** A server, a writer of events, and collectors that come and go. */
class Town {
  readonly server: ApiServer;
  readonly client: Clientset;
  readonly directory: string;
  readonly errors: unknown[] = [];

  private constructor(server: ApiServer, directory: string) {
    this.server = server;
    this.client = new Clientset({ server: server.url, transport: server.transport() });
    this.directory = directory;
  }

  static async found(t: TestContext): Promise<Town> {
    const town = new Town(await ApiServer.start(), await folder(t));
    t.after(async () => {
      await town.client[Symbol.asyncDispose]();
      await town.server[Symbol.asyncDispose]();
    });
    return town;
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

  async collect(
    sinks: readonly MemorySink[],
    options: Partial<CollectorOptions> = {},
  ): Promise<{ collector: EventCollector; stop: () => Promise<void> }> {
    const stop = new AbortController();
    const collector = await EventCollector.open({
      events: await eventsOf(this.client, { signal: stop.signal }),
      source: this.server.url,
      sinks: sinks.map((sink) => () => sink),
      directory: this.directory,
      onError: (error) => void this.errors.push(error),
      ...options,
    });
    const running = collector.run(stop.signal);
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

describe('the collector', () => {
  it('copies what is there and what comes, and counts on', async (t) => {
    const town = await Town.found(t);
    const uid = await town.write('first');
    const sink = new MemorySink();
    const { collector, stop } = await town.collect([sink]);
    await until(() => sink.state.size === 1);
    await town.write('second');
    await town.client.coreV1
      .events('default')
      .patch('first', { count: 7, lastTimestamp: '2026-01-01T00:09:00Z' }, { type: 'merge' });
    await until(() => sink.state.get(uid)?.count === 7 && sink.state.size === 2);
    assert.equal(sink.state.get(uid)?.lastSeen, '2026-01-01T00:09:00.000Z');
    await town.client.coreV1.events('default').delete('first');
    await town.write('third');
    await until(() => sink.state.size === 3);
    await stop();
    assert.deepEqual(names(sink), ['first', 'second', 'third'], 'what is deleted stays');
    assert.ok(sink.isClosed);
    assert.equal(collector.stats.received, 4);
    assert.equal(collector.stats.gaps, 0);
  });

  it('goes on where it stopped: it misses nothing, and gets nothing twice', async (t) => {
    const town = await Town.found(t);
    await town.write('before');
    const first = new MemorySink();
    const run = await town.collect([first]);
    await until(() => first.state.size === 1);
    await run.stop();

    await town.write('meanwhile');
    await town.client.coreV1.events('default').delete('meanwhile');
    await town.write('after');
    const second = new MemorySink();
    const again = await town.collect([second]);
    await until(() => second.state.size === 2);
    await again.stop();
    assert.deepEqual(names(second), ['after', 'meanwhile'], 'also what was gone by then');
    assert.deepEqual(second.gaps, []);
  });

  it('records a gap when the server has forgotten where it was, and lists', async (t) => {
    const town = await Town.found(t);
    await town.write('before');
    const first = new MemorySink();
    const run = await town.collect([first]);
    await until(() => first.state.size === 1);
    await run.stop();

    await town.write('lost');
    await town.client.coreV1.events('default').delete('lost');
    await town.write('kept');
    town.server.compact();
    const second = new MemorySink();
    const again = await town.collect([second]);
    await until(() => second.state.size === 2);
    await until(() => second.gaps.length === 1);
    await again.stop();
    assert.deepEqual(names(second), ['before', 'kept']);
    const [gap] = second.gaps;
    assert.match(gap?.reason ?? '', /could not go on from version \d+/);
    assert.ok((gap?.from ?? '') < (gap?.to ?? ''));
    assert.equal(again.collector.stats.gaps, 1);
  });

  it('lists anew if the position is of another server', async (t) => {
    const town = await Town.found(t);
    await town.write('before');
    const first = new MemorySink();
    const run = await town.collect([first], { source: 'https://elsewhere' });
    await until(() => first.state.size === 1);
    await run.stop();
    const second = new MemorySink();
    const again = await town.collect([second]);
    await until(() => second.state.size === 1);
    await again.stop();
    assert.deepEqual(second.gaps, []);
  });

  it('serves several sinks, each at its own pace', async (t) => {
    const town = await Town.found(t);
    const [fast, away] = [new MemorySink('fast'), new MemorySink('away')];
    away.isDown = true;
    const run = await town.collect([fast, away], { maxQueued: 5, batchSize: 2 });
    for (let number = 0; number < 40; number += 1) await town.write(`event-${number}`);
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

  it('goes on where the sink was that had come the least far', async (t) => {
    const town = await Town.found(t);
    const uid = await town.write('first');
    const before = [new MemorySink('one'), new MemorySink('other')];
    const first = await town.collect(before);
    await until(() => before.every(({ state }) => state.size === 1));
    await first.stop();
    const { metadata } = await town.client.coreV1.events('default').get('first');
    const behind = `${Number(metadata.resourceVersion) - 1}`;
    const position = { source: town.server.url, resourceVersion: behind, time: '' };
    await new SinkFiles(join(town.directory, 'other')).writePosition(position);
    const [one, other] = [new MemorySink('one'), new MemorySink('other')];
    const again = await town.collect([one, other]);
    await until(() => other.state.size === 1);
    await again.stop();
    assert.deepEqual([...other.state.keys()], [uid]);
  });

  it('lists very many events without keeping them', async (t) => {
    const town = await Town.found(t);
    const total = 1234;
    for (let number = 0; number < total; number += 1) await town.write(`event-${number}`);
    const sink = new MemorySink();
    const run = await town.collect([sink], { maxQueued: 100, batchSize: 50 });
    await until(() => sink.state.size === total);
    await run.stop();
    const again = await town.collect([new MemorySink()]);
    await again.stop();
    assert.equal(again.collector.stats.received, 0, 'the version of the list is where it goes on');
  });

  it('reads the same events through events.k8s.io where core/v1 is forbidden', async (t) => {
    const town = await Town.found(t);
    const uid = await town.write('first', { message: 'seen either way', count: 3 });
    town.server.faults.add({
      match: { path: /^\/api\/v1\/(?:namespaces\/[^/]+\/)?events/, verb: 'list' },
      fault: { kind: 'status', code: 403 },
    });
    const sink = new MemorySink();
    const run = await town.collect([sink]);
    await until(() => sink.state.size === 1);
    await run.stop();
    const event = sink.state.get(uid) as CollectedEvent;
    assert.equal(event.message, 'seen either way');
    assert.equal(event.count, 3);
    assert.deepEqual(event.object, { kind: 'Pod', namespace: 'default', name: 'web-0' });
  });

  it('says what the server says if it allows neither', async (t) => {
    const town = await Town.found(t);
    town.server.faults.add({ match: { path: /events/ }, fault: { kind: 'status', code: 403 } });
    await assert.rejects(town.collect([new MemorySink()]), /403|[Ff]orbidden/);
  });

  it('closes the sinks that are open when one cannot be opened', async (t) => {
    const town = await Town.found(t);
    const first = new MemorySink('first');
    const options: CollectorOptions = {
      events: await eventsOf(town.client, { signal: new AbortController().signal }),
      source: 'here',
      sinks: [() => first, () => Promise.reject(new Error('no such folder'))],
      directory: town.directory,
    };
    await assert.rejects(EventCollector.open(options), /no such folder/);
    assert.ok(first.isClosed);
    await using _again = await EventCollector.open({ ...options, sinks: [() => first] });
  });

  it('refuses a folder that another collector uses, before it opens a sink', async (t) => {
    const town = await Town.found(t);
    const run = await town.collect([new MemorySink()]);
    let isOpened = false;
    const sink = (): MemorySink => {
      isOpened = true;
      return new MemorySink();
    };
    await assert.rejects(town.collect([], { sinks: [sink] }), { code: 'COLLECTOR_LOCKED' });
    assert.equal(isOpened, false);
    await run.stop();
    const again = await town.collect([], { sinks: [sink] });
    await again.stop();
  });

  it('records a gap for a sink that was further when another one has no position', async (t) => {
    const town = await Town.found(t);
    await town.write('before');
    const first = await town.collect([new MemorySink('one')]);
    await until(() => first.collector.stats.sinks[0]?.written === 1);
    await first.stop();
    await town.write('lost');
    await town.client.coreV1.events('default').delete('lost');
    const [one, other] = [new MemorySink('one'), new MemorySink('other')];
    const again = await town.collect([one, other]);
    await until(() => other.state.size === 1 && one.gaps.length === 1);
    await again.stop();
    assert.match(one.gaps[0]?.reason ?? '', /another sink had no position/);
    assert.deepEqual(other.gaps, []);
  });

  it('stamps a position no later than what may follow it, also after a deletion', async (t) => {
    const town = await Town.found(t);
    const sink = new MemorySink();
    const run = await town.collect([sink]);
    await town.write('event');
    await until(() => sink.state.size === 1);
    const written = new Date().toISOString();
    await town.client.coreV1.events('default').delete('event');
    const { metadata } = await town.client.coreV1.events('default').list();
    await until(() => run.collector.stats.resourceVersion === metadata?.resourceVersion);
    await run.stop();
    // A deletion arrives at any time after it happened: the event before it bounds that.
    assert.equal(sink.positions.at(-1)?.resourceVersion, metadata?.resourceVersion);
    assert.ok((sink.positions.at(-1)?.time ?? '') <= written);
  });
});
