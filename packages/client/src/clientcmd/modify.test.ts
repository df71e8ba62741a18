import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
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
    assert.equal(config.clusters.get('c')?.value.server, 'https://x');
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
      config.removeUser('nobody');
    });
    const text = await readFile(file, 'utf8');
    assert.match(text, /# keep me/);
    assert.match(text, /x-unknown: 1 } # and me/);
    assert.match(text, /server: three/);
    assert.doesNotMatch(text, /two/);
  });

  it('keeps out while somebody else holds the lock, and removes its own', async () => {
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
