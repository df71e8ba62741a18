import assert from 'node:assert/strict';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CollectedEvent } from './collected-event.ts';
import { Spool } from './spool.ts';
import { anEvent, folder } from './test-events.ts';

async function drain(spool: Spool): Promise<CollectedEvent[]> {
  const events: CollectedEvent[] = [];
  for (let next = await spool.take(); next !== undefined; next = await spool.take()) {
    events.push(...next.events);
    await next.remove();
  }
  return events;
}

const some = (from: number, to: number): CollectedEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => anEvent(from + index));

describe('the spool', () => {
  it('gives back what it got, in order, and leaves nothing on disk', async (t) => {
    const directory = await folder(t);
    await using spool = await Spool.open({ directory, maxBytes: 1e9, segmentBytes: 1000 });
    assert.ok(spool.isEmpty);
    assert.equal(await spool.append(some(1, 5)), 5);
    assert.equal(await spool.append(some(6, 7)), 2);
    assert.ok(spool.bytes > 1000);
    assert.deepEqual(await drain(spool), some(1, 7));
    assert.equal(spool.bytes, 0);
    assert.deepEqual(await readdir(directory), []);
  });

  it('finds what another process has left, without a line that was cut off', async (t) => {
    const directory = await folder(t);
    const first = await Spool.open({ directory, maxBytes: 1e9, segmentBytes: 1000 });
    await first.append(some(1, 6));
    const names = (await readdir(directory)).toSorted();
    await appendFile(join(directory, names.at(-1) ?? ''), '{"uid":"half');
    await using second = await Spool.open({ directory, maxBytes: 1e9 });
    assert.equal(second.isEmpty, false);
    await second.append(some(7, 8));
    assert.deepEqual(await drain(second), some(1, 8));
    await first[Symbol.asyncDispose]();
  });

  it('keeps what was taken until it is removed', async (t) => {
    const directory = await folder(t);
    const options = { directory, maxBytes: 1e9 };
    await using spool = await Spool.open(options);
    await spool.append(some(1, 3));
    const segment = await spool.take();
    assert.ok(spool.isEmpty);
    await using again = await Spool.open(options);
    assert.deepEqual(await drain(again), segment?.events);
  });

  it('takes no more than it may, also of what is being read', async (t) => {
    const line = Buffer.byteLength(`${JSON.stringify(anEvent(1))}\n`);
    await using spool = await Spool.open({ directory: await folder(t), maxBytes: line * 3 });
    assert.equal(await spool.append(some(1, 5)), 3);
    const segment = await spool.take();
    assert.equal(await spool.append(some(6, 7)), 0);
    await segment?.remove();
    assert.equal(await spool.append(some(6, 7)), 2);
    assert.deepEqual(await drain(spool), some(6, 7));
  });

  it('can be written to and read from at the same time', async (t) => {
    await using spool = await Spool.open({
      directory: await folder(t),
      maxBytes: 1e9,
      segmentBytes: 500,
    });
    const read: CollectedEvent[] = [];
    const steps = Array.from({ length: 50 }, async (_, number) => {
      await spool.append([anEvent(number + 1)]);
      const segment = await spool.take();
      if (segment === undefined) return;
      read.push(...segment.events);
      await segment.remove();
    });
    await Promise.all(steps);
    assert.deepEqual([...read, ...(await drain(spool))], some(1, 50));
  });
});
