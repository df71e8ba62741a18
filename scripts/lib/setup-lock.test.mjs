import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createInterface } from 'node:readline';

import { withSetupLock } from './setup-lock.mjs';

const script = new URL('./setup-lock.mjs', import.meta.url).href;

/** @param {import('node:test').TestContext} t */
function clone(t) {
  const root = mkdtempSync(join(tmpdir(), 'client-ts-lock-'));
  t.after(() => rmSync(root, { recursive: true }));
  return root;
}

/**
 * A process that takes the lock, says so, and holds it until its input ends; with a child that
 * inherits the lock if told to, whose pid it says.
 * @param {import('node:test').TestContext} t
 * @param {string} root
 */
function holder(t, root, { withChild = false } = {}) {
  const code = `
    import { spawn } from 'node:child_process';
    const { withSetupLock } = await import(${JSON.stringify(script)});
    await withSetupLock(${JSON.stringify(root)}, async (lock) => {
      const child = ${withChild} && spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] });
      console.log('held', child ? child.pid : 0);
      for await (const _ of process.stdin);
      console.log('released');
    }, () => console.log('waiting'));
    process.exit();`;
  const args = ['--input-type=module', '--eval', code];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, next: async () => String((await lines.next()).value) };
}

describe('withSetupLock', () => {
  it('lets one process in at a time', async (t) => {
    const root = clone(t);
    const first = holder(t, root);
    assert.equal(await first.next(), 'held 0');
    const second = holder(t, root);
    assert.equal(await second.next(), 'waiting');
    first.child.stdin.end();
    assert.equal(await first.next(), 'released');
    assert.equal(await second.next(), 'held 0');
    assert.equal(await withSetupLock(clone(t), async () => 'other clone'), 'other clone');
  });

  it('is free when its holder is killed', async (t) => {
    const root = clone(t);
    const first = holder(t, root);
    await first.next();
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    assert.equal(await withSetupLock(root, async () => 'mine'), 'mine');
  });

  it('is held by what a killed holder has started until that ends', async (t) => {
    const root = clone(t);
    const first = holder(t, root, { withChild: true });
    const pid = Number((await first.next()).split(' ')[1]);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = holder(t, root);
    assert.equal(await second.next(), 'waiting');
    process.kill(pid, 'SIGKILL');
    assert.equal(await second.next(), 'held 0');
  });

  it('is released when the work fails', async (t) => {
    const root = clone(t);
    const failing = withSetupLock(root, () => Promise.reject(new Error('no network')));
    await assert.rejects(failing, /no network/);
    assert.equal(await withSetupLock(root, async () => 'mine'), 'mine');
  });
});
