import { readImports } from '../lib/imports.mjs';
import { MODULES } from '../lib/modules.mjs';

/** @typedef {import('../lib/imports.mjs').Import} Import */

export const about = 'modules and packages import only downward, and no files in a circle';

/** Modules that only users import, never other modules of their package. */
const ON_TOP = new Set(['client/testing', 'apiserver/testing']);

/** Which packages a package may use. @type {Readonly<Record<string, readonly string[]>>} */
const PACKAGES = {
  client: [],
  apiserver: ['client-ts'],
  codegen: ['client-ts'],
  collector: ['client-ts', '@client-ts/apiserver'],
  inspector: ['client-ts', '@client-ts/apiserver'],
  simulator: ['client-ts', '@client-ts/apiserver'],
  cli: [
    'client-ts',
    '@client-ts/apiserver',
    '@client-ts/codegen',
    '@client-ts/collector',
    '@client-ts/inspector',
    '@client-ts/simulator',
  ],
  conformance: ['client-ts', '@client-ts/apiserver', '@client-ts/codegen', '@client-ts/simulator'],
};

/** @param {string} root */
export async function run(root) {
  const imports = readImports(root);
  return [...findLayerFaults(imports), ...findCycles(imports)];
}

/**
 * Tests may import from everywhere: they use the tools of `testing/` and look down from above.
 * @param {ReadonlyMap<string, readonly Import[]>} imports
 * @returns {string[]}
 */
export function findLayerFaults(imports) {
  const faults = [];
  for (const [path, found] of imports) {
    if (isTest(path)) continue;
    for (const { line, to } of found) {
      const fault = to.startsWith('packages/') ? moduleFault(path, to) : packageFault(path, to);
      if (fault !== undefined) faults.push(`${path}:${line}: ${fault}`);
    }
  }
  return faults;
}

/** @param {string} from @param {string} to @returns {string | undefined} */
function moduleFault(from, to) {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source.package !== target.package) {
    return `reaches into ${target.package} by path; import it by its name`;
  }
  const listed = MODULES[source.package];
  if (listed === undefined || source.module === target.module) return undefined;
  const order = Object.keys(listed);
  for (const { module } of [source, target]) {
    if (!order.includes(module)) return `${module} is not in the list of scripts/lib/modules.mjs`;
  }
  if (ON_TOP.has(`${target.package}/${target.module}`))
    return `nothing may import ${target.module}`;
  return order.indexOf(target.module) > order.indexOf(source.module)
    ? `${source.module} may not import ${target.module}, which is above it`
    : undefined;
}

/** @param {string} from @param {string} specifier @returns {string | undefined} */
function packageFault(from, specifier) {
  const name = /^(?:@client-ts\/[^/]+|client-ts)(?=\/|$)/.exec(specifier)?.[0];
  if (name === undefined) return undefined;
  const { package: source } = placeOf(from);
  return PACKAGES[source]?.includes(name) === true ? undefined : `${source} may not import ${name}`;
}

/** @param {string} path */
function placeOf(path) {
  const [, name = '', , module = ''] = path.split('/');
  return { package: name, module: module.replace(/\.ts$/, '') };
}

/** Tests, and `test-*.ts`: what only tests use. @param {string} path */
function isTest(path) {
  return /\.test(?:-d)?\.ts$|\/test-[^/]+\.ts$/.test(path);
}

/**
 * Circles of files, each named once. Types count: two files that need each other's types are one.
 * @param {ReadonlyMap<string, readonly Import[]>} imports
 * @returns {string[]}
 */
export function findCycles(imports) {
  /** @type {string[]} */
  const faults = [];
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /** @type {string[]} */
  const trail = [];
  /** @param {string} path */
  const visit = (path) => {
    state.set(path, 'open');
    trail.push(path);
    for (const { to } of imports.get(path) ?? []) {
      if (!imports.has(to) || state.get(to) === 'done') continue;
      if (state.get(to) === 'open') {
        faults.push(`circle: ${[...trail.slice(trail.indexOf(to)), to].join(' → ')}`);
      } else visit(to);
    }
    trail.pop();
    state.set(path, 'done');
  };
  for (const path of imports.keys()) if (!state.has(path)) visit(path);
  return faults;
}
