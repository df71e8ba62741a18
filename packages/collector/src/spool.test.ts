import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CollectedEvent } from './collected-event.ts';
import { Spool } from './spool.ts';
import { spoolLine } from './spool.ts';
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

describe('Spool', () => {
  it('returns events in order, and leaves nothing on disk', async (t) => {
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

  it('reads the segments of another process, without an incomplete last line', async (t) => {
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

  it('keeps a taken segment until it is removed', async (t) => {
    const directory = await folder(t);
    const options = { directory, maxBytes: 1e9 };
    await using spool = await Spool.open(options);
    await spool.append(some(1, 3));
    const segment = await spool.take();
    assert.ok(spool.isEmpty);
    await using again = await Spool.open(options);
    assert.deepEqual(await drain(again), segment?.events);
  });

  it('respects its limit, including segments being read', async (t) => {
    const line = Buffer.byteLength(spoolLine(anEvent(1)));
    await using spool = await Spool.open({ directory: await folder(t), maxBytes: line * 3 });
    assert.equal(await spool.append(some(1, 5)), 3);
    const segment = await spool.take();
    assert.equal(await spool.append(some(6, 7)), 0);
    await segment?.remove();
    assert.equal(await spool.append(some(6, 7)), 2);
    assert.deepEqual(await drain(spool), some(6, 7));
  });

  it('is written and read at the same time', async (t) => {
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

  it('sets a damaged segment aside, and returns its readable part', async (t) => {
    const directory = await folder(t);
    const options = { directory, maxBytes: 1e9 };
    await using writer = await Spool.open(options);
    await writer.append(some(1, 5));
    const [name = ''] = await readdir(directory);
    const path = join(directory, name);
    const lines = (await readFile(path, 'utf8')).split('\n');
    // Valid JSON with a wrong checksum; and text that is not JSON.
    lines[1] = lines[1]?.replace('uid-2', 'uid-9') ?? '';
    lines[3] = '\0\0\0';
    await writeFile(path, lines.join('\n'));
    await using spool = await Spool.open(options);
    const segment = await spool.take();
    assert.deepEqual(segment?.events, [anEvent(1), anEvent(3), anEvent(5)]);
    assert.equal(segment.damage?.error.code, 'COLLECTOR_SPOOL_DAMAGED');
    assert.match(segment.damage.error.message, /^2 lines of the segment/);
    assert.deepEqual(await readdir(directory), [name], 'until its events are delivered');
    await segment.remove();
    assert.equal(spool.bytes, 0);
    assert.deepEqual(await readdir(directory), ['damaged']);
    assert.equal(await readFile(join(directory, 'damaged', name), 'utf8'), lines.join('\n'));
    assert.equal(await spool.take(), undefined);
  });

  it('sets an unreadable segment aside', async (t) => {
    const directory = await folder(t);
    await mkdir(join(directory, '000000000007.ndjson'));
    await using spool = await Spool.open({ directory, maxBytes: 1e9 });
    await spool.append(some(1, 2));
    const segment = await spool.take();
    assert.deepEqual(segment?.events, []);
    assert.match(String(segment.damage?.error.cause), /EISDIR/);
    await segment.remove();
    assert.deepEqual(await drain(spool), some(1, 2));
  });

  it('reads segments of versions without checksums', async (t) => {
    const directory = await folder(t);
    const { createdAt: _, receivedAt: __, ...old } = anEvent(1);
    await writeFile(join(directory, '000000000001.ndjson'), `${JSON.stringify(old)}\n`);
    await using spool = await Spool.open({ directory, maxBytes: 1e9 });
    const [event] = await drain(spool);
    assert.equal(event?.uid, 'uid-1');
    assert.ok(Date.parse(event.receivedAt) > 0);
  });

  it('appends all or nothing when the disk is full', async (t) => {
    const directory = await folder(t);
    const module = (name: string): string => new URL(name, import.meta.url).href;
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    const code = `
      const { Spool } = await import('${module(`./spool${extension}`)}');
      const { anEvent } = await import('${module(`./test-events${extension}`)}');
      const spool = await Spool.open({ directory: process.argv[1], maxBytes: 1e9 });
      let kept = 0;
      try {
        for (;;) kept += await spool.append([anEvent(kept + 1), anEvent(kept + 2), anEvent(kept + 3)]);
      } catch (error) {
        const again = await spool.append([anEvent(kept + 1)]);
        console.log(JSON.stringify({ kept, again, code: error.code }));
      }`;
    // Files may have 8 KiB; the signal that comes with the error would kill the process.
    const script = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1" "$2"`;
    const args = ['-c', script, process.execPath, code, directory];
    const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8' });
    assert.ok(stdout !== '', stderr);
    const result = JSON.parse(stdout) as { kept: number; again: number; code: string };
    assert.equal(result.code, 'EFBIG');
    assert.equal(result.again, 1, 'in the next segment');
    await using spool = await Spool.open({ directory, maxBytes: 1e9 });
    const events: CollectedEvent[] = [];
    for (let next = await spool.take(); next !== undefined; next = await spool.take()) {
      assert.equal(next.damage, undefined);
      events.push(...next.events);
    }
    assert.deepEqual(events, some(1, result.kept + 1));
  });

  it('is readable only by its owner', async (t) => {
    const directory = join(await folder(t), 'spool');
    await mkdir(directory, { mode: 0o755 });
    await using spool = await Spool.open({ directory, maxBytes: 1e9 });
    await spool.append(some(1, 1));
    const [name = ''] = await readdir(directory);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600);
  });
});
