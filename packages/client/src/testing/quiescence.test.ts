import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { quiescence } from './quiescence.ts';

const noPipes = process.platform === 'win32' ? 'needs mkfifo' : false;

describe('quiescence', () => {
  it('waits for chains of immediates of any length', async () => {
    let turns = 0;
    const chain = async (): Promise<void> => {
      while (turns < 300) {
        await nextTurn();
        turns += 1;
      }
    };
    const running = chain();
    await quiescence();
    assert.equal(turns, 300);
    await running;
  });

  it('waits for promise callbacks that follow the last turn', async () => {
    let depth = 0;
    void nextTurn().then(async () => {
      while (depth < 1000) depth += await Promise.resolve(1);
    });
    await quiescence();
    assert.equal(depth, 1000);
  });

  it('waits for modules being loaded', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quiescence-'));
    try {
      const path = join(directory, 'module.mjs');
      await writeFile(path, 'export const answer = 42;');
      const seen: unknown[] = [];
      void import(path).then(({ answer }: { answer: number }) => seen.push(answer));
      await quiescence();
      assert.deepEqual(seen, [42]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('waits for a file however slow the disk is', { skip: noPipes }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quiescence-'));
    try {
      const path = join(directory, 'pipe');
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
      await using pipe = await open(path, 'r+');
      // Reading from a named pipe takes until something is written to it.
      let count: number | undefined;
      const reading = pipe.read(Buffer.alloc(1)).then(({ bytesRead }) => (count = bytesRead));
      spawn('sh', ['-c', 'sleep 1; printf a > "$0"', path]);
      await quiescence();
      assert.equal(count, 1);
      await reading;
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('does not wait for timers', async () => {
    const timer = setTimeout(() => assert.fail('the timer fired'), 3_600_000);
    await quiescence();
    clearTimeout(timer);
  });

  it('rejects when the process never becomes idle', async () => {
    const over = new AbortController();
    const spin = async (): Promise<void> => {
      while (!over.signal.aborted) await nextTurn();
    };
    const spinning = spin();
    await assert.rejects(quiescence(), /still busy after/);
    over.abort();
    await spinning;
  });
});
