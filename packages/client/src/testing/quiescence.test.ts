import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { quiescence } from './quiescence.ts';

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
