/**
 * Runs the tests of all packages from `dist`, and those of `scripts/`. If npm was started on another
 * Node, runs the tests of the packages that support that version on it too: so every contributor
 * with an older Node tests the oldest supported version.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';
import { capture, handOver } from './lib/run.mjs';
import { testArguments } from './lib/test-reporter.mjs';

const USAGE = `npm test [-- path…] [--name PATTERN]

Runs the tests of all packages from dist, and those of scripts/, examples/ and bench/; then those that
support it on the Node that npm was started with.

  path             only test files with this in their path: heap, packages/client/src/cache/heap.test.ts
  --name PATTERN   only tests whose name matches
  --help           print this help

A hanging test fails after four minutes; CLIENT_TS_TEST_LIMIT_MS sets another limit.`;

const { values, positionals } = parseArgs({
  options: { name: { type: 'string' }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}

const enter = new Set(['node_modules', '.git']);
const isTest = (/** @type {string} */ path) => /(?:\/dist\/.*\.test\.js|\.test\.mjs)$/.test(path);
const wanted = positionals.map((path) => path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
const files = ['packages', 'scripts', 'examples', 'bench', 'environments']
  .flatMap((directory) => listFiles(root, directory, isTest, enter))
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)));

// Every test file is a process, and most of them load the same modules: they are compiled once.
const compileCache = mkdtempSync(join(tmpdir(), 'tests-compiled-'));
process.once('exit', () => rmSync(compileCache, { recursive: true, force: true }));

if (files.length === 0) {
  console.error(`No test file matches: ${positionals.join(' ')}`);
  process.exitCode = 1;
} else {
  process.exitCode = (await run(process.execPath, files)) || (await runOnFloor());
}

/** @param {string} node @param {readonly string[]} paths @returns {Promise<number>} */
async function run(node, paths) {
  // One more than there are cores: many tests wait, for sockets and for other processes.
  const args = testArguments(
    paths.map((path) => join(root, path)),
    { name: values.name, concurrency: availableParallelism() + 1 },
  );
  console.log(`Node ${await versionOf(node)}: ${paths.length} test files`);
  return handOver(node, args, { ...process.env, NODE_COMPILE_CACHE: compileCache });
}

/** @returns {Promise<number>} */
async function runOnFloor() {
  const node = process.env['CLIENT_TS_STARTED_ON'];
  if (node === undefined) return 0;
  const version = await versionOf(node);
  if (version === process.versions.node) return 0;
  const paths = files.filter((path) => compareVersions(version, floorOf(path)) >= 0);
  return paths.length === 0 ? 0 : run(node, paths);
}

/** @param {string} node */
async function versionOf(node) {
  const { output } = await capture(node, ['--version']);
  return output.trim().replace(/^v/, '');
}

/**
 * The first Node that the package of a test file supports.
 * @param {string} path
 * @returns {string}
 */
function floorOf(path) {
  const [top, name] = path.split('/');
  if (top !== 'packages') return '999';
  const manifest = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), 'utf8'));
  return manifest.engines.node.replace('>=', '');
}

/** Below, at or above zero, as for sorting. @param {string} left @param {string} right */
function compareVersions(left, right) {
  return left.localeCompare(right, 'en', { numeric: true });
}
