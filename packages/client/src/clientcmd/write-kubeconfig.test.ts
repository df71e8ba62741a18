import assert from 'node:assert/strict';
import {
  chmod,
  lstat,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { writeKubeconfig } from './write-kubeconfig.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

describe('writeKubeconfig', () => {
  it('creates file and folder for their owner only', async () => {
    const file = join(folder, 'new', 'config');
    await writeKubeconfig(file, 'text');
    assert.equal(await readFile(file, 'utf8'), 'text');
    assert.equal(await modeOf(file), 0o600);
    assert.equal(await modeOf(join(folder, 'new')), 0o700);
    assert.deepEqual(await readdir(join(folder, 'new')), ['config']);
  });

  it('takes the rights of others away from a file that was there', async () => {
    const file = join(folder, 'config');
    await writeFile(file, 'old');
    await chmod(file, 0o666);
    const reader = await readOnly(file);
    await writeKubeconfig(file, 'text');
    assert.equal(await modeOf(file), 0o600);
    assert.equal(await reader(), 'old', 'a file that others have open never holds the credentials');
  });

  it('replaces a symbolic link unless the user named it', async () => {
    const [target, link] = [join(folder, 'target'), join(folder, 'link')];
    await writeFile(target, 'old');
    await chmod(target, 0o644);
    await symlink('target', link);
    await writeKubeconfig(link, 'one', { followLinks: true });
    assert.ok((await lstat(link)).isSymbolicLink());
    assert.equal(await readFile(target, 'utf8'), 'one');
    assert.equal(await modeOf(target), 0o600);
    await writeKubeconfig(link, 'two');
    assert.ok(!(await lstat(link)).isSymbolicLink());
    assert.equal(await readFile(link, 'utf8'), 'two');
    assert.equal(await readFile(target, 'utf8'), 'one');
  });

  it('names the file that it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(writeKubeconfig(join(folder, 'file', 'config'), ''), {
      code: 'CONFIG_UNWRITABLE',
      message: /cannot write .*config/,
    });
  });
});

/** Opens a file as another user could, to read it later. */
async function readOnly(file: string): Promise<() => Promise<string>> {
  const { open } = await import('node:fs/promises');
  const handle = await open(file);
  return async () => {
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  };
}
