import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { importsOf } from '../lib/imports.mjs';
import { npmCommand } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

export const about =
  'packed packages: exports and types resolve (publint, attw), contents, source maps, size';

/** What a package may weigh when it is installed, in KiB. */
const BUDGET_KIB = /** @type {Readonly<Record<string, number>>} */ ({
  'client-ts': 7700,
  '@client-ts/apiserver': 8500,
  '@client-ts/codegen': 600,
  '@client-ts/cli': 1800,
  '@client-ts/collector': 550,
  '@client-ts/inspector': 1500,
  '@client-ts/simulator': 900,
});

/** Files that belong to the workshop, not to the product. */
const WORKSHOP = /\.test(?:-d)?\.|(?:^|\/)test-|\.tsbuildinfo$|tsconfig/;

/** Compiled files that readers follow to their source. */
const NEEDS_MAP = /^dist\/(?!api\/)/;

/** What users and npm look for in every package. */
const EXPECTED_FILES = ['LICENSE', 'README.md', 'package.json'];
const EXPECTED_FIELDS = ['description', 'engines', 'keywords', 'license', 'repository', 'version'];

/**
 * These packages are ESM and say so, and Node ≥ 20.19 can `require` ESM: problems that only concern
 * CommonJS callers or resolution without `exports` are not ours.
 */
const RESOLUTIONS = new Set(['node16-esm', 'bundler']);

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {Uint8Array<ArrayBuffer>} tarball
 * @property {readonly { path: string, size: number }[]} files
 */

/** @param {string} root */
export async function run(root) {
  const packages = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((directory) => readManifest(directory).private !== true);
  const findings = [];
  for (const directory of packages) findings.push(...(await checkDirectory(directory)));
  return findings;
}

/**
 * @param {string} directory
 * @returns {Promise<string[]>}
 */
export async function checkDirectory(directory) {
  const packed = await pack(directory);
  const findings = [
    ...contentFindings(packed),
    ...manifestFindings(directory),
    ...mapFindings(directory, packed),
    ...declarationFindings(directory, packed),
    ...(await publintFindings(packed)),
  ];
  if (readManifest(directory).exports?.['.'] !== undefined) {
    findings.push(...(await typeFindings(packed)));
  }
  return findings.map((finding) => `${packed.name}: ${finding}`);
}

/** Packs as npm would for publishing. @param {string} directory @returns {Promise<Packed>} */
async function pack(directory) {
  const target = mkdtempSync(join(tmpdir(), 'client-ts-pack-'));
  try {
    const npm = npmCommand();
    const flags = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', target];
    const { code, output } = await capture(npm.file, [...npm.args, ...flags], { cwd: directory });
    if (code !== 0) throw new Error(`npm pack failed in ${directory}:\n${output}`);
    const [report] = JSON.parse(output.slice(output.indexOf('[')));
    const tarball = new Uint8Array(readFileSync(join(target, report.filename)));
    return { name: report.name, tarball, files: report.files };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** @param {Packed} packed */
function contentFindings({ name, files }) {
  const findings = files
    .filter(({ path }) => WORKSHOP.test(path))
    .map(({ path }) => `${path} does not belong into the package`);
  const paths = new Set(files.map(({ path }) => path));
  for (const path of EXPECTED_FILES) if (!paths.has(path)) findings.push(`${path} is missing`);
  const kib = Math.round(files.reduce((sum, { size }) => sum + size, 0) / 1024);
  const budget = BUDGET_KIB[name] ?? 100;
  if (kib > budget) findings.push(`${kib} KiB unpacked, over its budget of ${budget} KiB`);
  return findings;
}

/** @param {string} directory */
function manifestFindings(directory) {
  const manifest = /** @type {Record<string, unknown>} */ (readManifest(directory));
  return EXPECTED_FIELDS.filter((name) => manifest[name] === undefined).map(
    (name) => `package.json has no ${name}`,
  );
}

/**
 * Every compiled file has a map, and the source that the map names is in the package: that is how
 * "go to definition" and stack traces reach the TypeScript. Generated declarations of the API need none: they say
 * the same as their sources.
 * @param {string} directory
 * @param {Packed} packed
 */
function mapFindings(directory, { files }) {
  const paths = new Set(files.map(({ path }) => path));
  return files
    .filter(({ path }) => /^(?:bundle|dist)\/.*\.(?:js|d\.ts)$/.test(path))
    .flatMap(({ path }) => {
      const map = `${path}.map`;
      // A file of a bundle that only exports from others has none.
      if (!paths.has(map)) return NEEDS_MAP.test(path) ? [`${map} is missing`] : [];
      /** @type {{ sources: string[] }} */
      const { sources } = JSON.parse(readFileSync(join(directory, map), 'utf8'));
      return sources
        .map((source) => posix.join(posix.dirname(map), source))
        .filter((source) => !paths.has(source))
        .map((source) => `${map} names ${source}, which is not in the package`);
    });
}

/**
 * What a declaration refers to is in the package. If it were not, a user's program would not compile, or with `skipLibCheck`
 * silently take it for `any`.
 * @param {string} directory
 * @param {Packed} packed
 */
function declarationFindings(directory, { files }) {
  const paths = new Set(files.map(({ path }) => path));
  const { imports = {} } = readManifest(directory);
  return files
    .filter(({ path }) => /^dist\/.*\.d\.ts$/.test(path))
    .flatMap(({ path }) =>
      importsOf(path, readFileSync(join(directory, path), 'utf8'))
        .map(({ to }) => (to.startsWith('#') ? posix.normalize(imports[to]?.types ?? to) : to))
        .map((to) => to.replace(/(?<!\.d)\.[jt]s$/, '.d.ts'))
        .filter((to) => /^(?:dist\/|vendor\/|#)/.test(to) && !paths.has(to))
        .map((to) => `${path} refers to ${to}, which is not in the package`),
    );
}

/** @param {Packed} packed */
async function publintFindings({ tarball }) {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  return messages
    .filter(({ type }) => type !== 'suggestion')
    .map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** @param {Packed} packed */
async function typeFindings({ tarball }) {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) return ['has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem) || RESOLUTIONS.has(problem.resolutionKind))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
}

/**
 * @typedef {{ private?: boolean, exports?: Record<string, unknown>, imports?: Record<string, { types?: string }> }} Manifest
 * @param {string} directory
 * @returns {Manifest}
 */
function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}
