import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { root } from '../lib/paths.mjs';
import * as deadExports from './exports.mjs';
import * as format from './format.mjs';
import * as generated from './generated.mjs';
import * as lint from './lint.mjs';
import { checkDirectory } from './packages.mjs';
import * as types from './types.mjs';

/** A check that cannot fail proves nothing: each tool is shown a small workspace with a fault. */
describe('the checks that run tools', () => {
  /** @type {string} */
  let workspace;
  /** @param {string} path @param {string} text */
  const write = (path, text) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };

  before(() => {
    workspace = mkdtempSync(join(tmpdir(), 'client-ts-checks-'));
    for (const name of ['.oxfmtrc.json', '.oxlintrc.json', 'tsconfig.base.json']) {
      cpSync(join(root, name), join(workspace, name));
    }
    symlinkSync(join(root, 'node_modules'), join(workspace, 'node_modules'), 'junction');
    cpSync(join(root, 'scripts/tsconfig.json'), join(workspace, 'scripts/tsconfig.json'));
    write('.gitignore', 'node_modules\n');
    const manifest = { name: 'w', private: true, type: 'module' };
    write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
    write('packages/x/tsconfig.json', '{ "extends": "../../tsconfig.base.json" }\n');
    write('packages/x/src/index.ts', 'export const x = 1;\n');
    write('scripts/a.mjs', 'export const a = 1;\n');
  });
  after(() => rmSync(workspace, { recursive: true, force: true }));

  it('format', async () => {
    assert.deepEqual(await format.run(workspace), []);
    write('packages/x/src/ugly.ts', 'export const y = "double"\n');
    assert.match((await format.run(workspace)).join(), /ugly\.ts/);
    rmSync(join(workspace, 'packages/x/src/ugly.ts'));
  });

  it('lint, with the rules that need types and those about time and chance', async () => {
    assert.deepEqual(await lint.run(workspace), []);
    const faults = {
      'no-floating-promises': 'export function f(): void {\n  Promise.resolve(1);\n}\n',
      'no-misused-promises': 'export const g = [1].filter(async () => true);\n',
      'await-thenable': 'export async function h(): Promise<void> {\n  await (1 as number);\n}\n',
      'switch-exhaustiveness-check':
        "export function s(k: 'a' | 'b'): void {\n  switch (k) {\n    case 'a':\n  }\n}\n",
      'no-explicit-any': 'export function a(x: any): void {\n  void x;\n}\n',
      'no-restricted-properties': 'export const now = Date.now();\n',
      'no-restricted-globals': 'setTimeout(() => undefined, 1);\n',
      'no-process-env': 'export const e = process.env;\n',
    };
    for (const [rule, text] of Object.entries(faults)) write(`packages/x/src/${rule}.ts`, text);
    const report = (await lint.run(workspace)).join();
    for (const rule of Object.keys(faults)) {
      assert.ok(report.includes(`(${rule}):`), `${rule} is not reported`);
      rmSync(join(workspace, `packages/x/src/${rule}.ts`));
    }
  });

  it('types', async () => {
    write(
      'examples/tsconfig.json',
      '{ "compilerOptions": { "noEmit": true, "strict": true, "types": [] } }\n',
    );
    write('examples/good.ts', 'export const good: number = 1;\n');
    assert.deepEqual(await types.run(workspace), []);
    write('examples/bad.ts', 'export const bad: number = "text";\n');
    assert.match((await types.run(workspace)).join(), /bad\.ts.*not assignable to type 'number'/);
    rmSync(join(workspace, 'examples/bad.ts'));
    write('scripts/b.mjs', '/** @type {number} */\nexport const b = "text";\n');
    assert.match((await types.run(workspace)).join(), /b\.mjs.*not assignable to type 'number'/);
    rmSync(join(workspace, 'scripts/b.mjs'));
    rmSync(join(workspace, 'examples'), { recursive: true });
  });

  it('exports', async () => {
    write(
      'knip.json',
      '{ "entry": ["packages/x/src/index.ts!"], "project": ["packages/x/src/*.ts!"] }\n',
    );
    assert.deepEqual(await deadExports.run(workspace), []);
    write('packages/x/src/index.ts', "import { y } from './y.ts';\nexport const x = y;\n");
    write('packages/x/src/y.ts', 'export const y = 1;\nexport const dead = 2;\n');
    assert.match((await deadExports.run(workspace)).join(), /dead/);
  });

  it('generated', async () => {
    write('packages/codegen/dist/main.js', 'console.error("stale: a.ts"); process.exitCode = 1;\n');
    assert.match((await generated.run(workspace)).join(), /stale: a\.ts/);
  });

  it('packages', async () => {
    const manifest = {
      name: 'p',
      version: '1.0.0',
      type: 'module',
      exports: { '.': './dist/index.js', './gone': './dist/gone.js' },
      files: ['dist'],
    };
    write('packages/p/package.json', JSON.stringify(manifest));
    write('packages/p/dist/index.js', 'export const a = 1;\n');
    write(
      'packages/p/dist/index.d.ts',
      "import type { B } from './b.ts';\nexport declare const a: B;\n",
    );
    write('packages/p/dist/index.test.js', '\n');
    write('packages/p/dist/mapped.js', 'export const b = 1;\n');
    write('packages/p/dist/mapped.js.map', '{ "version": 3, "sources": ["../src/mapped.ts"] }\n');
    write('packages/p/dist/big.js', `// ${'x'.repeat(200 * 1024)}\n`);
    const findings = (await checkDirectory(join(workspace, 'packages/p'))).join('\n');
    assert.match(findings, /dist\/index\.test\.js does not belong/);
    assert.match(findings, /over its budget/);
    assert.match(findings, /LICENSE is missing/);
    assert.match(findings, /package\.json has no repository/);
    assert.match(findings, /dist\/index\.d\.ts\.map is missing/);
    assert.match(findings, /index\.d\.ts refers to dist\/b\.d\.ts, which is not in the package/);
    assert.match(
      findings,
      /dist\/mapped\.js\.map names src\/mapped\.ts, which is not in the package/,
    );
    assert.match(findings, /gone\.js but the file does not exist/);
    assert.match(findings, /NoResolution.*\.\/gone/);
  });
});
