import assert from 'node:assert/strict';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigError } from './config-error.ts';
import { modifyConfig } from './modify.ts';
import { parseKubeConfig } from './parse.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
});
after(() => rm(folder, { recursive: true, force: true }));

describe('modifyConfig', () => {
  it('creates a file that only its owner can read', async () => {
    const file = join(folder, 'new', 'config');
    await modifyConfig(file, (config) => {
      config.setCluster('c', { server: 'https://x' });
      config.setUser('u', { token: 't' });
      config.setContext('x', { cluster: 'c', user: 'u' });
      config.setCurrentContext('x');
    });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const config = await parseKubeConfig(await readFile(file, 'utf8'), file);
    assert.equal(config.clusters.get('c')?.server, 'https://x');
    assert.equal(config.currentContext, 'x');
  });

  it('leaves alone what it does not change, comments included', async () => {
    const file = join(folder, 'config');
    await writeFile(
      file,
      '# keep me\nclusters:\n- name: a\n  cluster: { server: one, x-unknown: 1 } # and me\n- name: b\n  cluster: { server: two }\n',
    );
    await modifyConfig(file, (config) => {
      config.setCluster('b', { server: 'three' });
      config.removeUser('unknown');
    });
    const text = await readFile(file, 'utf8');
    assert.match(text, /# keep me/);
    assert.match(text, /x-unknown: 1 } # and me/);
    assert.match(text, /server: three/);
    assert.doesNotMatch(text, /two/);
  });

  it('changes and renames a context and keeps its other fields', async () => {
    const file = join(folder, 'contexts');
    await writeFile(
      file,
      'contexts:\n- name: a\n  context: { cluster: c, extensions: [{ name: x, extension: 1 }] }\n',
    );
    await modifyConfig(file, (config) => {
      config.updateContext('a', { namespace: 'shop' });
      config.renameContext('a', 'b');
      config.updateContext('new', {});
    });
    assert.equal(
      await readFile(file, 'utf8'),
      'contexts:\n  - name: b\n    context: { cluster: c, extensions: [ { name: x, extension: 1 } ], namespace: shop }\n  - name: new\n    context: {}\n',
    );
  });

  it('writes through symbolic links, also to a file that is not there yet', async () => {
    for (const name of ['real', 'not-yet']) {
      const [target, link] = [join(folder, 'elsewhere', name), join(folder, `link-${name}`)];
      await mkdir(join(folder, 'elsewhere'), { recursive: true });
      if (name === 'real') await writeFile(target, 'current-context: a\n');
      await symlink(join('elsewhere', name), link);
      await modifyConfig(link, (config) => config.setCurrentContext('b'));
      assert.ok((await lstat(link)).isSymbolicLink());
      assert.match(await readFile(target, 'utf8'), /current-context: "?b"?/);
    }
    assert.deepEqual((await readdir(join(folder, 'elsewhere'))).sort(), ['not-yet', 'real']);
  });

  it('keeps the mode of the file', async () => {
    const file = join(folder, 'shared');
    await writeFile(file, 'current-context: a\n');
    await chmod(file, 0o640);
    await modifyConfig(file, (config) => config.setCurrentContext('b'));
    assert.equal((await stat(file)).mode & 0o777, 0o640);
  });

  it('changes the one of equal keys that counts, and leaves a second document alone', async () => {
    const file = join(folder, 'twice');
    await writeFile(
      file,
      'current-context: a\ncurrent-context: b\nusers:\n- name: u\n  user: { token: v, token: w }\n---\nother: [\n',
    );
    await modifyConfig(file, (config) => config.setCurrentContext('c'));
    const text = await readFile(file, 'utf8');
    assert.match(text, /\n---\nother: \[\n$/);
    const config = await parseKubeConfig(text, file);
    assert.equal(config.currentContext, 'c');
    assert.equal(config.users.get('u')?.token, 'w');
  });

  it('does not replace a list that it cannot change', async () => {
    const file = join(folder, 'aliased');
    const text = 'x: &x []\nusers: *x\n';
    await writeFile(file, text);
    await assert.rejects(
      modifyConfig(file, (config) => config.setUser('u', {})),
      { code: 'CONFIG_INVALID' },
    );
    assert.equal(await readFile(file, 'utf8'), text);
  });

  it('waits while another program holds the lock, and removes its own', async () => {
    const file = join(folder, 'locked');
    await writeFile(`${file}.lock`, '');
    const error = await modifyConfig(file, () => undefined).then(
      () => assert.fail('it went through'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ConfigError);
    assert.equal(error.code, 'CONFIG_UNWRITABLE');
    assert.match(error.hint ?? '', /locked\.lock/);
    await rm(`${file}.lock`);
    await assert.rejects(
      modifyConfig(file, () => {
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    await assert.rejects(stat(`${file}.lock`), { code: 'ENOENT' });
    await assert.rejects(stat(file), { code: 'ENOENT' });
  });

  it('does not touch a file that it cannot read', async () => {
    const file = join(folder, 'broken');
    await writeFile(file, 'a: [');
    await assert.rejects(
      modifyConfig(file, (config) => config.setCurrentContext('x')),
      ConfigError,
    );
    assert.equal(await readFile(file, 'utf8'), 'a: [');
  });
});
