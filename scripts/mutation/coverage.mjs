import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { capture } from '../lib/run.mjs';

/** @typedef {import('./mutants.mjs').Mutant} Mutant */

/**
 * @typedef {object} Block a piece of a source file, and how often it ran
 * @property {number} startOffset
 * @property {number} endOffset
 * @property {number} count
 */

/**
 * What one test file runs, by source file. Node strips types by blanking them out, so the offsets
 * are those of the source.
 * @typedef {object} TestRun
 * @property {string} test
 * @property {number} durationMs
 * @property {ReadonlyMap<string, readonly (readonly Block[])[]>} functions
 */

/**
 * Runs a test file once and records which blocks of which files it runs.
 * @param {string} node
 * @param {string} test
 * @returns {Promise<TestRun>}
 */
export async function measure(node, test) {
  const directory = await mkdtemp(join(tmpdir(), 'mutate-'));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: directory };
    const started = performance.now();
    const { code, output } = await capture(node, [test], { env });
    if (code !== 0) throw new Error(`${test} fails without any change:\n${output.slice(-2000)}`);
    const durationMs = performance.now() - started;
    /** @type {Map<string, (readonly Block[])[]>} */
    const functions = new Map();
    for (const name of await readdir(directory)) {
      const { result } = JSON.parse(await readFile(join(directory, name), 'utf8'));
      for (const script of result) {
        if (!script.url.startsWith('file:')) continue;
        const path = fileURLToPath(script.url);
        const blocks = functions.get(path) ?? [];
        blocks.push(
          ...script.functions.map((/** @type {{ ranges: Block[] }} */ { ranges }) => ranges),
        );
        functions.set(path, blocks);
      }
    }
    return { test, durationMs, functions };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/**
 * True if a test runs the place of a mutant: the innermost block around it has a count.
 * @param {TestRun} run
 * @param {string} path absolute
 * @param {Mutant} mutant
 */
export function covers({ functions }, path, { runsAt: { start, end } }) {
  let size = Infinity;
  let count = 0;
  for (const block of functions.get(path)?.flat() ?? []) {
    if (block.startOffset > start || block.endOffset < end) continue;
    const blockSize = block.endOffset - block.startOffset;
    if (blockSize > size) continue;
    // A script that was loaded twice has its blocks twice.
    count = blockSize === size ? Math.max(count, block.count) : block.count;
    size = blockSize;
  }
  return count > 0;
}
