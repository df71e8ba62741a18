import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { systemClock } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import { CollectorError } from './collector-error.ts';
import { DirectoryLock, type LockHolder } from './directory-lock.ts';
import { folder } from './test-events.ts';

async function ownHolder(directory: string): Promise<LockHolder> {
  await using _lock = await DirectoryLock.take({ directory, clock: systemClock });
  const [name = ''] = await readdir(directory);
  return JSON.parse(await readFile(join(directory, name), 'utf8')) as LockHolder;
}

/** Writes the lock file of another process. */
async function leave(directory: string, change: Partial<LockHolder>): Promise<string> {
  const path = join(directory, 'lock-000001.json');
  const holder = { ...(await ownHolder(directory)), id: 'other', ...change };
  await writeFile(path, JSON.stringify(holder));
  return path;
}

function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('DirectoryLock', () => {
  it('refuses a second holder, naming the first', async (t) => {
    const directory = await folder(t);
    {
      await using _first = await DirectoryLock.take({ directory, clock: systemClock });
      await assert.rejects(DirectoryLock.take({ directory, clock: systemClock }), (error) => {
        assert.ok(error instanceof CollectorError);
        assert.equal(error.code, 'COLLECTOR_LOCKED');
        const who = `process ${process.pid} on "${hostname()}" since 2`;
        assert.ok(error.message.includes(who), error.message);
        return true;
      });
    }
    await using _again = await DirectoryLock.take({ directory, clock: systemClock });
  });

  it('takes over from a dead process', async (t) => {
    const directory = await folder(t);
    await leave(directory, { pid: deadPid() });
    await using _lock = await DirectoryLock.take({ directory, clock: systemClock });
    assert.deepEqual(await readdir(directory), ['lock-000002.json']);
  });

  it('takes over when another process has the pid of the holder', async (t) => {
    const directory = await folder(t);
    const { startedAt } = await ownHolder(directory);
    if (startedAt !== undefined) await leave(directory, { pid: process.ppid, startedAt: '1' });
    // Without start times, a process recognises only itself.
    else await leave(directory, { pid: process.pid });
    await using _lock = await DirectoryLock.take({ directory, clock: systemClock });
    assert.deepEqual(await readdir(directory), ['lock-000002.json']);
  });

  it('is not taken from a live process', async (t) => {
    const directory = await folder(t);
    await leave(directory, { pid: process.ppid, startedAt: undefined });
    await assert.rejects(DirectoryLock.take({ directory, clock: systemClock }), {
      code: 'COLLECTOR_LOCKED',
    });
  });

  it('takes over from another host after 30 s without a sign of life', async (t) => {
    const directory = await folder(t);
    await leave(directory, { host: 'elsewhere' });
    const clock = new VirtualClock();
    const over = new AbortController();
    const taking = DirectoryLock.take({ directory, clock }).finally(() => over.abort());
    while (!over.signal.aborted) await clock.advance(1000);
    await using _lock = await taking;
    assert.ok(clock.monotonic() >= 30_000);
  });

  it('stays with another host that touches the file', async (t) => {
    const directory = await folder(t);
    const path = await leave(directory, { host: 'elsewhere' });
    const clock = new VirtualClock();
    const over = new AbortController();
    const taking = DirectoryLock.take({ directory, clock }).finally(() => over.abort());
    const refused = assert.rejects(taking, /on "elsewhere"/);
    for (let second = 1; !over.signal.aborted; second += 1) {
      await utimes(path, second, second);
      await clock.advance(1000);
    }
    await refused;
  });

  it('goes to one of many processes that find a dead holder', async (t) => {
    const directory = await folder(t);
    await leave(directory, { pid: deadPid() });
    const takes = Array.from({ length: 20 }, () =>
      DirectoryLock.take({ directory, clock: systemClock }),
    );
    const results = await Promise.allSettled(takes);
    const locks = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    assert.equal(locks.length, 1);
    for (const lock of locks) await lock.close();
    assert.deepEqual(await readdir(directory), []);
  });

  it('touches its file while held, and aborts `lost` when the file is gone', async (t) => {
    const directory = await folder(t);
    const clock = new VirtualClock();
    await using lock = await DirectoryLock.take({ directory, clock });
    const [name = ''] = await readdir(directory);
    const path = join(directory, name);
    const before = (await stat(path)).mtimeMs;
    while ((await stat(path)).mtimeMs === before) await clock.advance(1000);
    await rm(path);
    while (!lock.lost.aborted) await clock.advance(1000);
    assert.equal((lock.lost.reason as CollectorError).code, 'COLLECTOR_LOCK_LOST');
  });
});
