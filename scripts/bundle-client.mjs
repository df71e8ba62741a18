/**
 * Bundles `client-ts` into `packages/client/bundle`: the modules that the compiler wrote, joined into one
 * file per set of entry points that use them. Node spends most of the time of an import on finding and
 * opening files; see docs/adr/0031-bundled-library.md. Every module is in exactly one file, so that classes
 * and registries exist once, whatever a program imports.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'rolldown';

import { clientBundle, recordInputs } from './lib/bundles.mjs';
import { importsOf } from './lib/imports.mjs';
import { root } from './lib/paths.mjs';

const directory = join(root, 'packages/client');
const manifestPath = join(directory, 'package.json');
const dist = join(directory, 'dist');
const target = join(directory, 'bundle');

/** What almost every program imports is one file each; the first group that wants a module gets it. */
const GROUPS = ['lib', 'meta', 'kubernetes', 'informers'];

const { output } = await build({
  input: Object.fromEntries(
    entries().map((path) => [path.slice(0, -'.js'.length), join(dist, path)]),
  ),
  platform: 'node',
  // Dependencies and the vendored YAML are loaded when they are first used.
  external: [/^node:/, /^[a-z@#]/],
  treeshake: false,
  // No comment with the file of each module: the source maps have them.
  experimental: { attachDebugInfo: 'none' },
  plugins: [{ name: 'source-maps', load: withMap }],
  output: {
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    sourcemap: true,
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: { groups: GROUPS.map(groupOf) },
  },
});
removeOthers(new Set(output.map(({ fileName }) => fileName)));
const published = publishedDeclarations();
writeFileSync(join(dist, '.npmignore'), unpublishedPaths(published));
recordInputs(clientBundle, [
  manifestPath,
  dist,
  ...output.flatMap((file) =>
    file.type === 'chunk' ? file.moduleIds.filter((id) => !id.startsWith('\0')) : [],
  ),
  ...published,
]);

/** The modules that `exports` of the package names. */
function entries() {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  return Object.values(
    /** @type {Record<string, string | { default: string }>} */ (manifest.exports),
  )
    .flatMap((entry) => (typeof entry === 'string' ? [] : entry.default))
    .flatMap((path) => (path.includes('*') ? modulesIn(path.split('*')[0] ?? '') : path))
    .map((path) => path.replace('./bundle/', ''));
}

/**
 * The modules of a folder of the bundle, at any depth.
 * @param {string} folder
 */
function modulesIn(folder) {
  const paths = readdirSync(join(dist, folder.replace('./bundle/', '')), {
    recursive: true,
    encoding: 'utf8',
  });
  return paths
    .filter((path) => path.endsWith('.js') && !path.endsWith('.test.js'))
    .map((path) => `${folder}${path.replaceAll('\\', '/')}`);
}

/**
 * A chunk with everything that importing a module of the package loads.
 * @param {string} name
 */
function groupOf(name) {
  const loaded = closureOf(join(dist, name, 'index.js'));
  return { name, test: (/** @type {string} */ id) => loaded.has(id) };
}

/**
 * The module and what it imports statically, all the way down.
 * @param {string} path
 * @param {Set<string>} found
 */
function closureOf(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export|\}) .*?['"](\.[^'"]+)['"];$/gm,
  );
  for (const [, specifier = ''] of imports) closureOf(join(path, '..', specifier), found);
  return found;
}

/**
 * Reads a compiled module with its map, so that the maps of the bundle lead to the TypeScript.
 * @param {string} path
 */
function withMap(path) {
  const map = `${path}.map`;
  if (!existsSync(map)) return null;
  return { code: readFileSync(path, 'utf8'), map: readFileSync(map, 'utf8') };
}

/** The declarations that entry points refer to, directly or through others. */
function publishedDeclarations() {
  /** @type {Set<string>} */
  const found = new Set();
  const left = entries().map((path) => join(dist, path.replace(/\.js$/, '.d.ts')));
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (found.has(file) || !existsSync(file)) continue;
    found.add(file);
    const imports = importsOf(file, readFileSync(file, 'utf8'));
    left.push(...imports.map(({ to }) => to.replace(/(?<!\.d)\.ts$/, '.d.ts')));
  }
  return found;
}

/**
 * What npm leaves out of the package: all other declarations, and the maps of generated ones, which are as readable as
 * their sources.
 * @param {ReadonlySet<string>} published
 */
function unpublishedPaths(published) {
  const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const others = paths.filter((path) => path.endsWith('.d.ts') && !published.has(join(dist, path)));
  const ignored = others.flatMap((path) => [path, `${path}.map`]);
  return [
    '/api/**/*.d.ts.map',
    ...ignored.map((path) => `/${path.replaceAll('\\', '/')}`),
    '',
  ].join('\n');
}

/**
 * Removes files of an earlier bundle.
 * @param {ReadonlySet<string>} written
 */
function removeOthers(written) {
  for (const path of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    const name = path.replaceAll('\\', '/');
    if (/\.js(?:\.map)?$/.test(name) && !written.has(name)) rmSync(join(target, path));
  }
}
