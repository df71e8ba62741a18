/** Runs the guides in docs/ as the programs that they are, and checks what they print. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { programsOf } from '../scripts/checks/snippets.mjs';

const run = promisify(execFile);
const guides = new URL('../docs/guides/', import.meta.url);
/** Where packages are found as users find them; nobody else looks at it. */
const place = new URL('./dist/guides/', import.meta.url);

/** For a program that hangs: what it has printed by then says where. */
const timeout = 120_000;

/** @param {string} name the program of a guide, ready to run */
async function programOf(name) {
  const text = await readFile(new URL(name, guides), 'utf8');
  const [program = ''] = programsOf(text);
  await mkdir(place, { recursive: true });
  const file = new URL(`${name}.ts`, place);
  await writeFile(file, program);
  return { text, file: fileURLToPath(file) };
}

describe('guides', () => {
  for (const name of ['first-steps.md', 'write-a-controller.md', '../informers.md']) {
    it(`${name} prints what it says`, async () => {
      const { text, file } = await programOf(name);
      const printed = Array.from(text.matchAll(/^```text\n([\s\S]*?)^```$/gm), ([, part]) => part);
      const { stdout } = await run(process.execPath, [file], { timeout });
      assert.equal(stdout, printed.join(''));
    });
  }

  for (const name of ['test-without-a-cluster.md']) {
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
