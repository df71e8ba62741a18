import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Deferred } from 'client-ts/internal';
import type { Position } from './collector-sink.ts';
import { SinkFiles } from './sink-state.ts';
import { Spool } from './spool.ts';
import { spoolLine } from './spool.ts';
import { anEvent, at, folder, MemorySink } from './test-events.ts';
import { Bench, feed, uids } from './test-pipeline.ts';

describe('SinkPipeline', () => {
  it('writes batches with the position reached', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    const pipeline = await bench.open(sink);
    feed(pipeline, 1, 15);
    await bench.until(() => sink.events.length === 15);
    assert.deepEqual(
      sink.batches.map(({ length }) => length),
      [10, 5],
    );
    assert.deepEqual(sink.positions, [at(10), at(15)]);
    await bench.until(() => pipeline.position?.resourceVersion === '15');
    await bench.stop(pipeline);
    assert.ok(sink.isClosed);
    const again = await new Bench(await folder(t)).open(new MemorySink());
    assert.equal(again.position, undefined);
  });

  it('starts from the stored position of an earlier process', async (t) => {
    const directory = await folder(t);
    const first = new Bench(directory);
    const sink = new MemorySink();
    const pipeline = await first.open(sink);
    feed(pipeline, 1, 3);
    pipeline.reach(at(9));
    await first.until(() => sink.events.length === 3);
    await first.stop(pipeline);
    const second = new Bench(directory);
    const again = await second.open(new MemorySink());
    assert.deepEqual(again.position, at(9));
    await second.stop(again);
  });

  it('retries until the sink is back, without losses or duplicates', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink);
    feed(pipeline, 1, 5);
    await bench.until(() => pipeline.stats.retries >= 4);
    assert.deepEqual(sink.events, []);
    assert.equal(pipeline.position, undefined, 'nothing is safe yet');
    sink.isDown = false;
    await bench.until(() => sink.events.length === 5);
    assert.deepEqual(
      sink.events.map(({ uid }) => uid),
      uids(1, 5),
    );
    assert.match(String(bench.errors[0]), /the sink is away/);
    await bench.stop(pipeline);
  });

  it('spills to disk while the sink is down: memory is bounded, order is kept', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink);
    for (let number = 1; number <= 1000; number += 1) {
      pipeline.add(anEvent(number), at(number));
      await pipeline.room();
      assert.ok(pipeline.stats.queued <= 20);
    }
    await bench.until(() => pipeline.stats.spilled >= 970);
    const { spilled, spoolBytes } = pipeline.stats;
    assert.ok(spoolBytes > 0);
    sink.isDown = false;
    await bench.until(() => sink.events.length === 1000);
    assert.deepEqual(
      sink.events.map(({ uid }) => uid),
      uids(1, 1000),
    );
    await bench.until(() => pipeline.stats.spoolBytes === 0);
    assert.deepEqual(pipeline.position, at(1000));
    feed(pipeline, 1001, 1005);
    await bench.until(() => sink.events.length === 1005);
    assert.equal(pipeline.stats.spilled, spilled, 'it goes straight again');
    await bench.stop(pipeline);
  });

  it('delivers what a process left on disk while the sink was down', async (t) => {
    const directory = await folder(t);
    const first = new Bench(directory);
    const away = new MemorySink();
    away.isDown = true;
    const pipeline = await first.open(away);
    feed(pipeline, 1, 100);
    await first.until(() => pipeline.stats.spilled >= 70);
    await first.stop(pipeline);
    const second = new Bench(directory);
    const sink = new MemorySink();
    const again = await second.open(sink);
    assert.deepEqual(again.position, at(100), 'the server need not be asked for them again');
    await second.until(() => sink.state.size === 100);
    await second.stop(again);
  });

  it('lets nothing overtake events on disk', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink);
    feed(pipeline, 1, 60);
    await bench.until(() => pipeline.stats.spilled >= 30);
    sink.isDown = false;
    // There is room in memory again, and older events on disk.
    await bench.until(() => sink.events.length >= 10);
    feed(pipeline, 61, 65);
    await bench.until(() => sink.events.length === 65);
    assert.deepEqual(
      sink.events.map(({ uid }) => uid),
      uids(1, 65),
    );
    await bench.stop(pipeline);
  });

  it('prefers the position in the data, unless there is more on disk', async (t) => {
    const directory = await folder(t);
    const keeping = (resourceVersion: number): MemorySink & { position(): Promise<Position> } =>
      Object.assign(new MemorySink(), { position: async () => at(resourceVersion) });
    const files = new SinkFiles(directory);
    await files.create();
    await files.writePosition(at(100));
    const first = new Bench(directory);
    const behind = await first.open(keeping(5));
    assert.deepEqual(behind.position, at(5), 'the data may have been put back');
    await first.stop(behind);

    await using spool = await Spool.open({ directory: files.spool, maxBytes: 1e9 });
    await spool.append([anEvent(99)]);
    await files.writePosition(at(100));
    const second = new Bench(directory);
    const ahead = await second.open(keeping(5));
    assert.deepEqual(ahead.position, at(100), 'what is between is on disk');
    await second.stop(ahead);
  });

  it('leaves dropped events to the next process if the sink stays down', async (t) => {
    const directory = await folder(t);
    const first = new Bench(directory);
    const away = new MemorySink();
    away.isDown = true;
    const line = Buffer.byteLength(spoolLine(anEvent(10)));
    const pipeline = await first.open(away, { maxSpoolBytes: line * 30 });
    feed(pipeline, 1, 100);
    await first.until(() => pipeline.stats.spilled + pipeline.stats.dropped >= 70);
    await first.stop(pipeline);
    const { dropped } = pipeline.stats;
    assert.deepEqual(away.gaps, []);

    const second = new Bench(directory);
    const sink = new MemorySink();
    const next = await second.open(sink);
    await second.until(() => next.stats.spoolBytes === 0 && sink.gaps.length > 0);
    await second.stop(next);
    assert.deepEqual(
      sink.gaps.map(({ reason, dropped: count }) => ({ reason, count })),
      [{ reason: 'the spool was full', count: dropped }],
    );
    assert.equal(sink.state.size, 100 - dropped);
    assert.deepEqual(await new SinkFiles(directory).readLosses(), []);
  });

  it('counts dropped events, and records the gap when there is room', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    sink.isDown = true;
    const line = Buffer.byteLength(spoolLine(anEvent(10)));
    const pipeline = await bench.open(sink, { maxSpoolBytes: line * 30 });
    feed(pipeline, 1, 100);
    await bench.until(() => pipeline.stats.dropped > 0 && pipeline.room() === undefined);
    await bench.until(() => pipeline.stats.spilled + pipeline.stats.dropped >= 70);
    const { dropped } = pipeline.stats;
    assert.ok(dropped >= 40, `${dropped}`);
    const { spilled } = pipeline.stats;
    sink.isDown = false;
    await bench.until(() => pipeline.stats.spoolBytes === 0);
    assert.equal(sink.state.size, 100 - dropped);
    // The next event that is spilled finds room again.
    const gate = new Deferred();
    sink.gate = gate.promise;
    feed(pipeline, 101, 140);
    await bench.until(() => pipeline.stats.spilled > spilled);
    gate.resolve();
    await bench.until(() => sink.gaps.length === 1);
    assert.deepEqual(
      { ...sink.gaps[0], from: '', to: '' },
      { from: '', to: '', reason: 'the spool was full', dropped },
    );
    await bench.stop(pipeline);
  });

  it('sets rejected events aside', async (t) => {
    const directory = await folder(t);
    const bench = new Bench(directory);
    const sink = new MemorySink();
    sink.refuses = ({ uid }) => uid === 'uid-2';
    const pipeline = await bench.open(sink);
    feed(pipeline, 1, 3);
    await bench.until(() => sink.events.length === 2);
    await bench.until(() => pipeline.stats.rejected === 1);
    await bench.until(() => pipeline.position?.resourceVersion === '3');
    await bench.stop(pipeline);
    const letters = await readFile(join(directory, 'dead-letters.ndjson'), 'utf8');
    assert.deepEqual(JSON.parse(letters), { event: anEvent(2), reason: 'not wanted' });
  });

  it('records a gap before it continues, and again after a crash in between', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink);
    feed(pipeline, 1, 1);
    const gap = { from: undefined, to: '2026-01-01T00:00:00.000Z', reason: 'gone' };
    pipeline.recordGap(gap);
    pipeline.reach(at(50));
    await bench.until(() => pipeline.stats.retries > 0);
    assert.equal(pipeline.position, undefined);
    sink.isDown = false;
    await bench.until(() => sink.gaps.length === 1);
    assert.deepEqual(sink.gaps, [gap]);
    await bench.until(() => pipeline.position?.resourceVersion === '50');
    await bench.stop(pipeline);
  });

  it('stores the position also without events', async (t) => {
    const directory = await folder(t);
    const bench = new Bench(directory);
    const sink = new MemorySink();
    const pipeline = await bench.open(sink);
    pipeline.reach(at(77));
    await bench.until(() => sink.positions.length > 0);
    assert.deepEqual(sink.positions, [at(77)]);
    await bench.clock.advance(60_000);
    assert.equal(sink.positions.length, 1, 'once');
    await bench.stop(pipeline);
    const text = await readFile(join(directory, 'position.json'), 'utf8');
    assert.deepEqual(JSON.parse(text), at(77));
  });
});
