import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Deferred } from 'client-ts/internal';
import { SinkFiles } from './sink-state.ts';
import { Spool } from './spool.ts';
import { spoolLine } from './spool.ts';
import { anEvent, at, folder, MemorySink } from './test-events.ts';
import { Bench, feed } from './test-pipeline.ts';

describe('SinkPipeline under failures', () => {
  it('keeps what is on disk over restarts while the sink is down, also near the limit', async (t) => {
    const directory = await folder(t);
    const line = Buffer.byteLength(spoolLine(anEvent(10)));
    const maxSpoolBytes = line * 100;
    const files = new SinkFiles(directory);
    await files.create();
    {
      await using spool = await Spool.open({ directory: files.spool, maxBytes: 1e9 });
      await spool.append(Array.from({ length: 80 }, (_, index) => anEvent(index + 1)));
      await files.writePosition(at(80));
    }
    for (let restart = 0; restart < 3; restart += 1) {
      const bench = new Bench(directory);
      const away = new MemorySink();
      away.isDown = true;
      const pipeline = await bench.open(away, { maxSpoolBytes });
      await bench.until(() => pipeline.stats.retries > 0);
      await bench.stop(pipeline);
      assert.equal(pipeline.stats.dropped, 0);
    }
    const bench = new Bench(directory);
    const sink = new MemorySink();
    const pipeline = await bench.open(sink, { maxSpoolBytes });
    assert.deepEqual(pipeline.position, at(80));
    await bench.until(() => sink.state.size === 80 && pipeline.stats.spoolBytes === 0);
    await bench.stop(pipeline);
    assert.deepEqual(sink.gaps, []);
  });

  it('records a gap for a damaged segment after delivering the rest of it', async (t) => {
    const directory = await folder(t);
    const files = new SinkFiles(directory);
    await files.create();
    {
      await using spool = await Spool.open({ directory: files.spool, maxBytes: 1e9 });
      await spool.append([anEvent(1), anEvent(2), anEvent(3)]);
      await files.writePosition(at(3));
    }
    const [name = ''] = await readdir(files.spool);
    const path = join(files.spool, name);
    await writeFile(path, (await readFile(path, 'utf8')).replace('uid-2', 'uid-8'));
    const first = new Bench(directory);
    const away = new MemorySink();
    away.isDown = true;
    const pipeline = await first.open(away);
    await first.until(() => pipeline.stats.retries > 0);
    const report = /1 lines of the segment ".*" cannot be read; recorded as a gap/;
    assert.ok(first.errors.some((error) => report.test(String(error))));
    await first.stop(pipeline);

    const second = new Bench(directory);
    const sink = new MemorySink();
    const again = await second.open(sink);
    await second.until(() => again.stats.spoolBytes === 0 && sink.gaps.length > 0);
    await second.stop(again);
    assert.deepEqual([...sink.state.keys()], ['uid-1', 'uid-3']);
    const [gap] = sink.gaps;
    assert.equal(gap?.reason, 'a segment of the spool could not be read');
    assert.equal(gap.dropped, undefined, 'damage may join lines, or divide them');
    assert.deepEqual(await readdir(files.spool), ['damaged']);
    assert.deepEqual(await new SinkFiles(directory).readLosses(), []);
  });

  it('blocks the source while the disk fails, and drops nothing', async (t) => {
    const directory = await folder(t);
    const bench = new Bench(directory);
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink);
    const { spool } = new SinkFiles(directory);
    await rm(spool, { recursive: true });
    for (let number = 1; number <= 6000; number += 1) pipeline.add(anEvent(number), at(number));
    await bench.until(() => bench.errors.some((error) => /ENOENT/.test(String(error))));
    const room = pipeline.room();
    assert.ok(room instanceof Promise, 'the source waits');
    assert.equal(pipeline.position, undefined, 'nothing is safe yet');
    await mkdir(spool);
    await bench.until(() => pipeline.stats.spilled > 5900);
    await room;
    sink.isDown = false;
    await bench.until(() => sink.state.size === 6000);
    assert.equal(pipeline.stats.dropped, 0);
    assert.deepEqual(sink.gaps, []);
    await bench.stop(pipeline);
  });

  it('stops while the disk fails, without claiming what is not on it', async (t) => {
    const directory = await folder(t);
    const bench = new Bench(directory);
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink);
    await rm(new SinkFiles(directory).spool, { recursive: true });
    feed(pipeline, 1, 100);
    await bench.until(() => bench.errors.some((error) => /ENOENT/.test(String(error))));
    await bench.stop(pipeline);
    assert.equal(pipeline.position, undefined);
    assert.equal(pipeline.stats.dropped, 0);
  });

  it('stops while the sink hangs, and leaves the rest on disk', async (t) => {
    const directory = await folder(t);
    const first = new Bench(directory);
    const hanging = new MemorySink();
    hanging.gate = new Deferred().promise;
    const pipeline = await first.open(hanging);
    feed(pipeline, 1, 15);
    await first.until(() => pipeline.stats.queued === 5);
    const stopped = first.stop(pipeline);
    let isOver = false;
    void stopped.then(() => (isOver = true));
    await first.until(() => isOver);
    await stopped;
    const report = /memory has not answered 10000 ms after the stop/;
    assert.ok(first.errors.some((error) => report.test(String(error))));
    const second = new Bench(directory);
    const sink = new MemorySink();
    const again = await second.open(sink);
    assert.deepEqual(again.position, at(15));
    await second.until(() => sink.state.size === 15);
    await second.stop(again);
  });

  it('records a gap when its position or its gaps are damaged', async (t) => {
    for (const [name, reason] of [
      ['position.json', 'the position could not be read'],
      ['losses.json', 'the record of gaps could not be read'],
    ] as const) {
      const directory = await folder(t);
      await writeFile(join(directory, name), '');
      const bench = new Bench(directory);
      const sink = new MemorySink();
      const pipeline = await bench.open(sink);
      assert.match(String(bench.errors[0]), /does not hold what was written/);
      await bench.until(() => sink.gaps.length === 1);
      await bench.stop(pipeline);
      assert.equal(sink.gaps[0]?.reason, reason);
    }
  });

  it('begins a gap with the oldest dropped event', async (t) => {
    const bench = new Bench(await folder(t));
    const sink = new MemorySink();
    sink.isDown = true;
    const pipeline = await bench.open(sink, { maxSpoolBytes: 0 });
    await bench.clock.advance(3_600_000);
    feed(pipeline, 1, 40);
    await bench.until(() => pipeline.stats.dropped > 0);
    sink.isDown = false;
    await bench.until(() => pipeline.stats.queued === 0);
    await bench.stop(pipeline);
    assert.equal(sink.gaps[0]?.from, anEvent(41 - pipeline.stats.dropped).lastSeen);
  });
});
