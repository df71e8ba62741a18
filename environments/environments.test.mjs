/**
 * Tries the packed packages in every environment that they support: Node 20 to 26, Bun and Deno,
 * TypeScript 5.4 to 7 and what editors show, bundles by esbuild, tests under Vitest and Jest. The
 * environments come from the npm registry; the first run installs them into
 * `environments/node_modules` (about 1 GB).
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { root, toolNode } from '../scripts/lib/paths.mjs';
import { capture } from '../scripts/lib/run.mjs';
import { installOnce, npm } from './install.mjs';
import { quickInfo } from './typescript/quick-info.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const modules = join(here, 'node_modules');
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'client-ts-environments-'));

/** What a program is started with: the packages to try, a server to try them on. */
let server;

before(async () => {
  await installOnce(here, 'runtimes, compilers and test runners (about 1 GB, once)');
  await installPackages();
  const { ApiServer } = await import('@client-ts/apiserver');
  server = await ApiServer.start();
  writeFileSync(join(scratch, 'kubeconfig'), server.kubeconfig);
});

after(async () => {
  await server?.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('runtimes', () => {
  for (const version of ['20', '22', '24']) {
    it(`Node ${version}`, (t) =>
      runOn(t, join(modules, `node-${version}-${platform()}`, 'bin/node')));
  }
  it('Node 26', (t) => runOn(t, toolNode()));
  it('Bun', (t) =>
    runOn(t, join(modules, '@oven', `bun-${platform({ arm64: 'aarch64' })}`, 'bin/bun')));
  it('Deno', (t) =>
    runOn(
      t,
      join(
        modules,
        '@deno',
        `${platform()}${process.platform === 'linux' ? '-glibc' : ''}`,
        'deno',
      ),
      ['run', '--allow-all', '--node-modules-dir=manual'],
    ));
});

describe('bundles by esbuild', () => {
  for (const format of ['esm', 'cjs']) {
    it(`${format}, on the oldest Node, without node_modules`, async () => {
      const bundle = join(scratch, `bundle-${format}.${format === 'esm' ? 'mjs' : 'cjs'}`);
      const { build } = await import(join(modules, 'esbuild', 'lib', 'main.js'));
      const program = readFileSync(join(here, 'programs', 'smoke.mjs'), 'utf8');
      await build({
        stdin: {
          // CommonJS has no await at the top level.
          contents: format === 'esm' ? program : inFunction(program),
          resolveDir: here,
          sourcefile: 'smoke.mjs',
        },
        bundle: true,
        platform: 'node',
        target: 'node20',
        format,
        outfile: bundle,
        logLevel: 'error',
      });
      const node = join(modules, `node-20-${platform()}`, 'bin/node');
      await smoke(existsSync(node) ? node : process.execPath, [bundle], `bundle-${format}`);
    });
  }
});

describe('compilers', { concurrency: 2 }, () => {
  const versions = Object.keys(manifest.dependencies).filter((name) =>
    name.startsWith('typescript-'),
  );
  for (const name of versions) {
    it(`${name.replace('-', ' ')} accepts the declarations, without skipLibCheck`, async () => {
      const project = join(here, 'typescript', 'tsconfig.json');
      const { code, output } = await capture(toolNode(), [
        join(modules, name, 'bin', 'tsc'),
        '-p',
        project,
      ]);
      assert.equal(code, 0, output);
    });
  }
});

describe('editors', () => {
  // TypeScript 7 has no language service in JavaScript.
  for (const version of ['5.9', '6.0']) {
    it(`TypeScript ${version} shows objects of a cache as Cached<Pod>`, async () => {
      const { default: ts } = await import(
        join(modules, `typescript-${version}`, 'lib', 'typescript.js')
      );
      const show = quickInfo(ts, join(here, 'typescript'), 'hover.ts');
      const names = ['added', 'before', 'after', 'cachedPod', 'listedPods', 'podListWatch'];
      assert.deepEqual(names.map(show), [
        '(parameter) added: Cached<Pod>',
        '(parameter) before: Cached<Pod>',
        '(parameter) after: Cached<Pod>',
        'const cachedPod: Cached<Pod>',
        'const listedPods: readonly Cached<Pod>[]',
        'const podListWatch: ListWatch<Pod, never>',
      ]);
      assert.match(show('get'), /\.get\(name: string\): Cached<Pod>$/);
    });
  }
});

describe('test runners', () => {
  it('Vitest', async () => {
    const args = [join(modules, 'vitest', 'vitest.mjs'), 'run', '--root', join(here, 'vitest')];
    const { code, output } = await capture(toolNode(), args, { cwd: here });
    assert.equal(code, 0, output);
    assert.match(output, /2 passed/);
  });

  it('Jest, with its flag for ES modules', async () => {
    const flags = ['--experimental-vm-modules', join(modules, 'jest', 'bin', 'jest.js')];
    const args = [...flags, '--rootDir', join(here, 'jest'), '--testMatch', '**/*.spec.mjs'];
    const { code, output } = await capture(toolNode(), args, { cwd: here });
    assert.equal(code, 0, output);
    assert.match(output, /2 passed/);
  });
});

/** Runs the program, and fails if it does not end by itself within a minute. */
async function smoke(file, args, name) {
  const { code, output } = await capture(file, args, {
    cwd: here,
    timeoutMs: 60_000,
    env: {
      ...process.env,
      KUBECONFIG: join(scratch, 'kubeconfig'),
      SMOKE_NAMESPACE: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    },
  });
  assert.equal(code, 0, output);
  assert.match(output, /smoke ok/);
}

async function runOn(t, file, args = []) {
  if (!existsSync(file)) {
    t.skip(`needs ${t.name} for ${process.platform} on ${process.arch}`);
    return;
  }
  await smoke(file, [...args, join(here, 'programs', 'smoke.mjs')], t.name);
}

function platform(architectures = {}) {
  return `${process.platform}-${architectures[process.arch] ?? process.arch}`;
}

function inFunction(text) {
  const lines = text.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const rest = lines.filter((line) => !line.startsWith('import '));
  return `${imports.join('\n')}\nvoid (async () => {\n${rest.join('\n')}\n})();`;
}

/** Installs what `npm publish` would upload, as a user gets it. */
async function installPackages() {
  for (const name of ['client', 'apiserver', 'simulator']) {
    await npm(join(root, 'packages', name), ['pack', '--pack-destination', scratch]);
  }
  const tarballs = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
  assert.equal(tarballs.length, 3);
  await npm(here, ['install', '--no-save', ...tarballs.map((name) => join(scratch, name))]);
}
