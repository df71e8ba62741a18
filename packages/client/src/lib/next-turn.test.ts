import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from './next-turn.ts';

test('resolves after promise chains of any depth have settled', async () => {
  let settled = false;
  const deep = async (): Promise<void> => {
    for (let depth = 0; depth < 1000; depth += 1) await Promise.resolve();
    settled = true;
  };
  const work = deep();
  assert.equal(settled, false);
  await nextTurn();
  assert.ok(settled);
  await work;
});

test('resolves also while a test mocks the timers', async (t) => {
  t.mock.timers.enable({ apis: ['setImmediate'] });
  let isMocked = true;
  setImmediate(() => {
    isMocked = false;
  });
  await nextTurn();
  assert.ok(isMocked);
});
