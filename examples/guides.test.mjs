/** Runs README.md and the guides in docs/ as the programs that they are, and checks what they print. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { programsOf } from '../scripts/checks/snippets.mjs';

const run = promisify(execFile);
const root = new URL('../', import.meta.url);
/** Where packages are found as users find them; nobody else looks at it. */
const place = new URL('./dist/guides/', import.meta.url);

/** For a program that hangs: what it has printed by then says where. */
const timeout = 120_000;

/** @param {string} path the program of a document, ready to run */
async function programOf(path) {
  const text = await readFile(new URL(path, root), 'utf8');
  const [program = ''] = programsOf(text);
  await mkdir(place, { recursive: true });
  const file = new URL(`${basename(path)}.ts`, place);
  await writeFile(file, program);
  return { text, file: fileURLToPath(file) };
}

describe('documents', () => {
  for (const name of [
    'README.md',
    'docs/guides/first-steps.md',
    'docs/guides/write-a-controller.md',
    'docs/informers.md',
  ]) {
    it(`${name} prints what it says`, async () => {
      const { text, file } = await programOf(name);
      const printed = Array.from(text.matchAll(/^```text\n([\s\S]*?)^```$/gm), ([, part]) => part);
      const { stdout } = await run(process.execPath, [file], { timeout });
      // Errors name the server, whose port is another in each run.
      assert.equal(stdout.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:6443'), printed.join(''));
    });
  }

  for (const name of ['docs/guides/test-without-a-cluster.md']) {
    it(`${name} passes as a test`, async () => {
      const { file } = await programOf(name);
      // The runner of these tests would take what the child prints for its own language.
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
      const { stdout } = await run(process.execPath, ['--test-reporter=tap', file], {
        env,
        timeout,
      });
      assert.match(stdout, /^# pass [1-9]/m);
      assert.match(stdout, /^# fail 0$/m);
    });
  }
});
