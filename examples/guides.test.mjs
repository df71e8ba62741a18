/** Runs the programs in README.md and docs/guides and checks their output. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { programsOf } from '../scripts/checks/snippets.mjs';

const run = promisify(execFile);
const root = new URL('../', import.meta.url);
/** A directory in which packages resolve as for users; ignored by all other tools. */
const place = new URL('./dist/guides/', import.meta.url);

/** The timeout of a program that hangs; its output shows where. */
const timeout = 120_000;

/** The Node that npm was started on: the oldest that a newcomer may have. */
const startedOn = process.env['CLIENT_TS_STARTED_ON'] ?? process.execPath;

/**
 * Writes the program of a document as a file. Types are stripped here, because older Nodes cannot;
 * `await using` needs the newer Node.
 * @param {string} path
 */
async function programOf(path) {
  const text = await readFile(new URL(path, root), 'utf8');
  const [program = ''] = programsOf(text);
  await mkdir(place, { recursive: true });
  const file = new URL(`${basename(path)}.mjs`, place);
  await writeFile(file, stripTypeScriptTypes(program));
  const node = program.includes('await using') ? process.execPath : startedOn;
  return { text, file: fileURLToPath(file), node };
}

describe('documents', () => {
  for (const name of [
    'README.md',
    'docs/guides/first-steps.md',
    'docs/guides/apply-a-yaml-file.md',
    'docs/guides/rollouts-and-nodes.md',
    'docs/guides/run-several-replicas.md',
    'docs/guides/custom-resources.md',
    'docs/guides/find-the-bug-by-seed.md',
    'docs/guides/wait-for-conditions.md',
    'docs/guides/write-a-controller.md',
    'docs/guides/write-a-webhook.md',
    'docs/informers.md',
  ]) {
    it(`${name} prints the documented output`, async () => {
      const { text, file, node } = await programOf(name);
      const printed = Array.from(text.matchAll(/^```text\n([\s\S]*?)^```$/gm), ([, part]) => part);
      const { stdout } = await run(node, [file], { timeout });
      // Errors name the server, whose port is another in each run, and commands the program.
      const output = stdout
        .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:6443')
        .replaceAll(relative(process.cwd(), file), 'program.mjs');
      assert.equal(withoutStart(output), withoutStart(printed.join('')));
    });
  }

  for (const name of [
    'docs/guides/test-a-controller.md',
    'docs/guides/test-without-a-cluster.md',
  ]) {
    it(`${name} passes as a test`, async () => {
      const { file } = await programOf(name);
      // Otherwise the test runner would parse the output of the child as its own protocol.
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

/** Counts resourceVersions from the first one, which depends on the objects of a new cluster. */
function withoutStart(text) {
  const first = Number(/ @(\d+)/.exec(text)?.[1] ?? 0);
  return text.replaceAll(/ @(\d+)/g, (_, version) => ` @${Number(version) - first}`);
}
