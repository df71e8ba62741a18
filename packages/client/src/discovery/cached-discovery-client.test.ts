import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  CachedDiscoveryClient,
  defaultCacheDirectory,
  discoveryCacheDirectory,
  type DiskCacheOptions,
} from './cached-discovery-client.ts';
import { DiscoveryClient } from './discovery-client.ts';
import { MemCacheClient } from './mem-cache-client.ts';
import { testDirectory } from './test-directory.ts';
import { TestDiscoveryServer } from './test-discovery-server.ts';
import { resource } from './test-resources.ts';

const served = { v1: [resource('pods')], 'apps/v1': [resource('deployments')] };
const widgets = { 'example.com/v1': [resource('widgets')] };

/** As a process of its own would have it: the disk is all they share. */
function cacheOf(
  server: TestDiscoveryServer,
  directory: string,
  options: DiskCacheOptions = {},
): CachedDiscoveryClient {
  const memory = new MemCacheClient(new DiscoveryClient(server.rest));
  return new CachedDiscoveryClient(memory, directory, options);
}

async function files(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

const everything = ['apps/v1/serverresources.json', 'servergroups.json', 'v1/serverresources.json'];

describe('CachedDiscoveryClient', () => {
  it('keeps documents as kubectl does, with its modes', async () => {
    await using directory = await testDirectory();
    const path = join(directory.path, 'deep', 'down');
    const server = new TestDiscoveryServer(served);
    await cacheOf(server, path).serverResources();
    assert.deepEqual(await files(path), everything);
    const groups = await readFile(join(path, 'servergroups.json'), 'utf8');
    assert.ok(groups.startsWith('{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"",'));
    assert.ok(groups.endsWith('}\n'));
    const list = await readFile(join(path, 'apps/v1/serverresources.json'), 'utf8');
    assert.ok(
      list.startsWith('{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1",'),
    );
    for (const name of everything) {
      assert.equal((await stat(join(path, name))).mode & 0o777, 0o660, name);
    }
    const { mode } = await stat(join(path, 'apps'));
    assert.equal(mode & 0o700, 0o700);
    assert.equal(mode & 0o027, 0, 'only the group may read, whatever the umask');
  });

  it('answers from the files, in another process too', async () => {
    await using directory = await testDirectory();
    const server = new TestDiscoveryServer(served);
    const live = await cacheOf(server, directory.path).serverResources();
    server.asked();
    const other = cacheOf(server, directory.path);
    assert.deepEqual(await other.serverResources(), live);
    assert.deepEqual(await other.serverGroups(), live.groups);
    assert.deepEqual(await other.resourcesForGroupVersion('apps/v1'), live.resources[1]);
    assert.equal((await other.preferredNamespacedResources()).resources.length, 2);
    assert.deepEqual(server.asked(), []);
  });

  it('requests each part separately', async () => {
    await using directory = await testDirectory();
    const server = new TestDiscoveryServer(served);
    const cache = cacheOf(server, directory.path);
    await cache.resourcesForGroupVersion('apps/v1');
    assert.deepEqual(await files(directory.path), ['apps/v1/serverresources.json']);
    await cache.serverGroups();
    assert.equal((await files(directory.path)).length, 2);
    await cacheOf(server, directory.path).serverResources();
    assert.deepEqual(await files(directory.path), everything, 'what is missing is filled in');
  });

  it('uses files for ten minutes, or for ttlMs', async () => {
    await using directory = await testDirectory();
    const server = new TestDiscoveryServer(served);
    const clock = new VirtualClock();
    await cacheOf(server, directory.path, { clock }).serverResources();
    const written = new Date(clock.now());
    for (const name of everything) await utimes(join(directory.path, name), written, written);
    server.asked();
    await clock.advance(10 * 60_000);
    await cacheOf(server, directory.path, { clock }).serverResources();
    assert.deepEqual(server.asked(), []);
    await clock.advance(1);
    await cacheOf(server, directory.path, { clock, ttlMs: 6 * 3600_000 }).serverResources();
    assert.deepEqual(server.asked(), []);
    await cacheOf(server, directory.path, { clock }).serverGroups();
    assert.deepEqual(server.asked().sort(), ['/api', '/apis']);
  });

  const damages: readonly (readonly [string, (path: string) => Promise<void>])[] = [
    ['is empty', (path) => truncate(path)],
    ['is cut off', (path) => truncate(path, 40)],
    ['is no JSON', (path) => writeFile(path, 'no JSON')],
    ['is JSON of something else', (path) => writeFile(path, '{"kind":"Status"}')],
    ['is a list', (path) => writeFile(path, '[]')],
    ['is null', (path) => writeFile(path, 'null')],
    [
      'is that of another group-version',
      (path) =>
        writeFile(
          path,
          '{"kind":"APIResourceList","groupVersion":"x/v1","resources":[{"name":"x","kind":"X"}]}',
        ),
    ],
    [
      'has nothing in it',
      (path) =>
        writeFile(
          path,
          '{"kind":"APIGroupList","groups":[],"groupVersion":"apps/v1","resources":[]}',
        ),
    ],
  ];
  for (const [what, damage] of damages) {
    it(`sends a request instead of reading a file that ${what}, and replaces the file`, async () => {
      await using directory = await testDirectory();
      const server = new TestDiscoveryServer(served);
      const live = await cacheOf(server, directory.path).serverResources();
      for (const name of ['servergroups.json', 'apps/v1/serverresources.json']) {
        const path = join(directory.path, name);
        const good = await readFile(path, 'utf8');
        await damage(path);
        assert.deepEqual(await cacheOf(server, directory.path).serverResources(), live, name);
        assert.equal(await readFile(path, 'utf8'), good, name);
      }
    });
  }

  it('ignores a directory in place of a file', async () => {
    await using directory = await testDirectory();
    await mkdir(join(directory.path, 'servergroups.json'));
    const server = new TestDiscoveryServer(served);
    const errors: unknown[] = [];
    const cache = cacheOf(server, directory.path, { onError: (error) => errors.push(error) });
    assert.equal((await cache.serverResources()).resources.length, 2);
    assert.equal(errors.length, 1);
    assert.deepEqual(
      (await readdir(directory.path)).sort(),
      ['apps', 'servergroups.json', 'v1'],
      'no draft is left behind',
    );
  });

  it('works without a writable directory, and calls onError', async () => {
    await using directory = await testDirectory();
    const path = join(directory.path, 'file');
    await writeFile(path, 'not a directory');
    await chmod(path, 0o400);
    const errors: unknown[] = [];
    const server = new TestDiscoveryServer(served);
    const cache = cacheOf(server, path, { onError: (error) => errors.push(error) });
    assert.equal((await cache.serverResources()).resources.length, 2);
    assert.equal(errors.length, 3);
    assert.equal((await cacheOf(server, path).serverGroups()).length, 2);
  });

  it('ignores all files but its own after it was invalidated', async () => {
    await using directory = await testDirectory();
    const server = new TestDiscoveryServer(served);
    await cacheOf(server, directory.path).serverResources();
    const cache = new CachedDiscoveryClient(new DiscoveryClient(server.rest), directory.path);
    server.served = { ...served, ...widgets };
    server.asked();
    assert.equal((await cache.serverGroups()).length, 2);
    assert.deepEqual(server.asked(), []);
    cache.invalidate();
    assert.equal((await cache.serverResources()).resources.length, 3);
    assert.equal(server.asked().length, 2);
    assert.equal((await cache.serverResources()).resources.length, 3);
    assert.deepEqual(server.asked(), [], 'its own files count');
    cache.invalidate();
    await cache.resourcesForGroupVersion('v1');
    assert.deepEqual(server.asked(), ['/api/v1'], 'until the next time');
  });

  it('does not write what it asked for before it was invalidated', async () => {
    await using directory = await testDirectory();
    const gate = new Deferred<object>();
    const server = new TestDiscoveryServer(served, { instead: { '/apis': () => gate.promise } });
    const cache = cacheOf(server, directory.path);
    const early = cache.serverResources();
    while (server.transport.requests.length < 2) await nextTurn();
    cache.invalidate();
    gate.resolve({ body: { kind: 'APIGroupList', groups: [] } });
    await early;
    assert.deepEqual(await files(directory.path), []);
  });

  it('keeps no list of groups from which some are missing', async () => {
    await using directory = await testDirectory();
    const server = new TestDiscoveryServer(served, { stale: ['apps/v1'] });
    const found = await cacheOf(server, directory.path).serverResources();
    assert.deepEqual([...found.failures.keys()], ['apps/v1']);
    assert.deepEqual(await files(directory.path), ['v1/serverresources.json']);
    const other = await cacheOf(server, directory.path).serverResources();
    assert.deepEqual(
      [...other.failures.keys()],
      ['apps/v1'],
      'another process sees the failure too',
    );
  });

  it('reports a group-version whose file is missing and that cannot be asked for', async () => {
    await using directory = await testDirectory();
    const server = new TestDiscoveryServer({ ...served, ...widgets });
    await cacheOf(server, directory.path).serverResources();
    await truncate(join(directory.path, 'example.com/v1/serverresources.json'));
    server.served = served;
    const found = await cacheOf(server, directory.path).serverResources();
    assert.deepEqual([...found.failures.keys()], ['example.com/v1']);
    assert.equal(found.resources.length, 2);
  });

  it('writes nowhere but in its directory', async () => {
    await using directory = await testDirectory();
    const inside = join(directory.path, 'inside');
    const served = {
      '../v1': [resource('pods')],
      'apps/..': [resource('pods')],
      '..': [resource('pods')],
    };
    const server = new TestDiscoveryServer(served);
    const found = await cacheOf(server, inside).serverResources();
    assert.equal(found.resources.length, 3);
    assert.deepEqual(await files(directory.path), ['inside/servergroups.json']);
  });

  it('is made from a config, over connections that it closes', async () => {
    await using directory = await testDirectory();
    const { transport } = new TestDiscoveryServer(served);
    const config = { server: 'https://192.0.2.1:6443', transport };
    const cache = CachedDiscoveryClient.forConfig(config, { cacheDirectory: directory.path });
    await cache.serverResources();
    const root = join(directory.path, 'discovery', '192.0.2.1_6443');
    assert.deepEqual(await files(root), everything);
    await cache[Symbol.asyncDispose]();
    cache.invalidate();
    await assert.rejects(cache.serverGroups(), { code: 'TRANSPORT_CLOSED' });
  });
});

describe('the cache directory', () => {
  it('is that of kubectl', () => {
    assert.equal(defaultCacheDirectory({}), join(homedir(), '.kube', 'cache'));
    assert.equal(defaultCacheDirectory({ KUBECACHEDIR: '/var/kube' }), '/var/kube');
    assert.equal(defaultCacheDirectory({ KUBECACHEDIR: '' }), join(homedir(), '.kube', 'cache'));
  });

  const servers: readonly (readonly [string, string])[] = [
    ['https://127.0.0.1:6443', '127.0.0.1_6443'],
    ['http://localhost:8080', 'localhost_8080'],
    ['https://[::1]:6443', '___1__6443'],
    ['https://rancher.example.com/k8s/clusters/c-m-1', 'rancher.example.com/k8s/clusters/c_m_1'],
    ['kubernetes.default.svc', 'kubernetes.default.svc'],
    ['https://host/a/../../../..', 'host/a/__/__/__/__'],
    ['https://../..', '__/__'],
    ['https://host/./b', 'host/_/b'],
    ['..', '__'],
  ];
  for (const [server, name] of servers) {
    it(`has the name ${name} for ${server}`, () => {
      assert.equal(discoveryCacheDirectory(server, 'cache'), join('cache', 'discovery', name));
    });
  }
});
