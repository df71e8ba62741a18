import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';
import { CachedDiscoveryClient, discoveryCacheDirectory } from 'client-ts/discovery';
import type { Middleware } from 'client-ts/transport';
import { Directory } from './test-transports.ts';

const run = promisify(execFile);
const WRITER = `./test-cache-writer${extname(fileURLToPath(import.meta.url))}`;
const PROCESSES = 4;
const ROUNDS = 5;

/** Returns the files of the cache, without temporary ones. */
async function cacheFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a discovery cache with several writing processes', () => {
  it('is consistent at every moment, and has no leftovers', async () => {
    await using server = await ApiServer.start();
    await using files = await Directory.create();
    const kubeconfig = await files.write('config', server.kubeconfig);
    const cacheDirectory = join(files.path, 'cache');
    const directory = discoveryCacheDirectory(server.url, cacheDirectory);
    const writer = fileURLToPath(new URL(WRITER, import.meta.url));
    const args = [writer, kubeconfig, cacheDirectory, String(ROUNDS)];
    const writers = Array.from({ length: PROCESSES }, () => run(process.execPath, args));
    const written = new AbortController();
    const done = Promise.all(writers).finally(() => written.abort());

    let read = 0;
    while (!written.signal.aborted) {
      for (const path of await cacheFiles(directory).catch(() => [])) {
        const text = await readFile(path, 'utf8');
        assert.ok(text.endsWith('}\n'), `${path} is cut off`);
        JSON.parse(text);
        read += 1;
      }
    }
    await done;
    assert.ok(read > 0, 'files were read while others wrote them');

    const all = await readdir(directory, { recursive: true, withFileTypes: true });
    const drafts = all.filter((entry) => entry.isFile() && !entry.name.endsWith('.json'));
    assert.deepEqual(drafts, []);
    const refuse: Middleware = () => assert.fail('everything is in the cache');
    const config = { ...server.config, middleware: [refuse] };
    await using cache = CachedDiscoveryClient.forConfig(config, { cacheDirectory });
    const { resources, failures } = await cache.serverResources();
    assert.equal(failures.size, 0);
    assert.equal(resources.length + 1, (await cacheFiles(directory)).length);
  });
});
