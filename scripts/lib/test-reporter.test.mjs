import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { capture } from './run.mjs';

/**
 * Runs a test file of its own, as `npm test` runs them.
 * @param {string} body
 * @param {{ name?: string, limits?: Record<string, string> }} [options] the name of the tests to run, and
 *   variables with limits for what hangs; without them a busy machine has the usual time
 */
async function runTests(body, { name = '.', limits = {} } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'test-reporter-'));
  try {
    const file = join(directory, 'tried.test.mjs');
    const imports = "import { test } from 'node:test';\nimport { createServer } from 'node:net';\n";
    await writeFile(file, imports + body);
    const reporter = new URL('test-reporter.mjs', import.meta.url).href;
    const script = `
      import { testArguments } from '${reporter}';
      import { handOver } from '${new URL('run.mjs', import.meta.url).href}';
      const args = testArguments(['${file}'], { name: '${name}', concurrency: 1 });
      process.exitCode = await handOver(process.execPath, args, process.env);`;
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, ...limits };
    return await capture(process.execPath, ['--input-type=module', '-e', script], { env });
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('the test run', () => {
  it('ends a file that leaves a server listening, and names it', async () => {
    const body = "test('a', () => void createServer().listen(0));";
    const { code, output } = await runTests(body, { limits: { CLIENT_TS_TEST_LIMIT_MS: '1500' } });
    assert.match(output, /tried\.test\.mjs/);
    assert.notEqual(code, 0);
  });

  it('fails a test that never settles', async () => {
    const body = `
      test('waits', ({ signal }) => new Promise(() => createServer().listen({ port: 0, signal })));`;
    // Starting the process of the file may take any time.
    const limits = { CLIENT_TS_TEST_LIMIT_MS: '1500', CLIENT_TS_TEST_FILE_LIMIT_MS: '120000' };
    const { code, output } = await runTests(body, { limits });
    assert.match(output, /^failed: waits .*\n.*timed out after 1500ms/m);
    assert.notEqual(code, 0);
  });

  it('ends a file that computes without end, and names it', async () => {
    const body = "test('spins', () => { for (;;); });";
    const { code, output } = await runTests(body, { limits: { CLIENT_TS_TEST_LIMIT_MS: '1500' } });
    assert.match(output, /tried\.test\.mjs/);
    assert.notEqual(code, 0);
  });

  it('names the failed tests once more at the end', async () => {
    const body = `
      test('a', () => { throw new Error('broken'); });
      test('b', () => 1);
      test('c', () => { throw new Error('broken too'); });`;
    const { code, output } = await runTests(body);
    const end = /^failed:\n  a \(.*:4\)\n  c \(.*:6\)\n1 passed, 2 failed in .* s\n$/m;
    assert.match(output, end);
    assert.notEqual(code, 0);
  });

  it('fails if no test was run', async () => {
    for (const body of ['', "test('a', () => 1);"]) {
      const { code, output } = await runTests(body, { name: 'no such test' });
      assert.match(output, /^failed: no test was run\n0 passed, 0 failed in/m);
      assert.notEqual(code, 0);
    }
  });

  it('counts a test that needs something, with its reason', async () => {
    const body = "test('a', () => 1);\ntest('b', { skip: 'needs SERVER_URL' }, () => 1);";
    const { code, output } = await runTests(body);
    assert.match(output, /^skipped: b \(.*\): needs SERVER_URL$/m);
    assert.match(output, /^1 passed, 0 failed, 1 skipped in/m);
    assert.equal(code, 0);
  });

  it('fails a test that is skipped without such a reason', async () => {
    for (const [key, value] of [
      ['skip', true],
      ['skip', "'flaky'"],
      ['todo', true],
    ]) {
      const { code, output } = await runTests(`test('b', { ${key}: ${value} }, () => 1);`);
      assert.match(output, /^0 passed, 1 failed, 1 skipped in/m);
      assert.notEqual(code, 0);
    }
  });
});
