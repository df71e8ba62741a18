import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { discover, discoveryDirectory, requestUrl } from './discovery.ts';
import { inspect } from './inspect.ts';
import { TestBrowser } from './test-browser.ts';

async function runtime(): Promise<{ readonly env: { XDG_RUNTIME_DIR: string } } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'inspector-'));
  return {
    env: { XDG_RUNTIME_DIR: path },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

describe('discovery of inspectors', () => {
  it('finds a program by a file that only its user can read, and asks it for a token', async () => {
    await using folder = await runtime();
    const { env } = folder;
    await using page = await inspect({ env, program: 'mine' });
    const directory = discoveryDirectory(env);
    const [name = ''] = await readdir(directory);
    assert.match(name, new RegExp(`^inspector-${process.pid}-\\d+\\.json$`));
    assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    const [found] = await discover(env);
    assert.ok(found !== undefined);
    assert.deepEqual([found.pid, found.program, found.origin], [process.pid, 'mine', page.origin]);
    const url = await requestUrl(found);
    const browser = new TestBrowser(page.origin);
    assert.equal((await browser.open(url)).status, 303);
    assert.equal((await browser.get('/api/session')).status, 200);
    await assert.rejects(requestUrl({ ...found, secret: 'guess' }), {
      code: 'INSPECTOR_NOT_FOUND',
    });
    await page.close();
    assert.deepEqual(await readdir(directory), []);
    await assert.rejects(requestUrl(found), { code: 'INSPECTOR_NOT_FOUND' });
  });

  it('ignores files of processes that are gone, that others can write, or that name other machines', async () => {
    await using folder = await runtime();
    const { env } = folder;
    await using _page = await inspect({ env });
    const directory = discoveryDirectory(env);
    const good = (await discover(env))[0];
    const write = async (port: number, change: object, mode = 0o600): Promise<void> => {
      const file = join(directory, `inspector-1-${port}.json`);
      await writeFile(file, JSON.stringify({ ...good, ...change }), { mode });
      await chmod(file, mode);
    };
    const { pid: gone } = spawnSync(process.execPath, ['--version']);
    await write(1, { pid: gone });
    await write(2, {}, 0o644);
    await write(3, { origin: 'http://evil.example:80' });
    await write(4, { secret: 7 });
    await writeFile(join(directory, 'inspector-1-5.json'), 'nonsense', { mode: 0o600 });
    assert.deepEqual(await discover(env), [good]);
  });

  it('is optional', async () => {
    await using folder = await runtime();
    const { env } = folder;
    await using _page = await inspect({ env, discovery: false });
    assert.deepEqual(await discover(env), []);
  });
});
