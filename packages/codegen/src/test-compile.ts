import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs the repository's TypeScript compiler and returns the lines of its output. */
export function runCompiler(...args: readonly string[]): string[] {
  const compiler = join(root, 'node_modules/typescript/lib/tsc.js');
  const { stdout, error } = spawnSync(process.execPath, [compiler, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return stdout.split('\n').filter((line) => line !== '');
}

/**
 * Type-checks files with the repository's settings, in a temporary directory from which the packages
 * of the workspace can be imported. Returns the errors, with the given paths.
 */
export function typeErrors(files: Readonly<Record<string, string>>): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-types-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'dir');
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { composite: false, declarationMap: false, noEmit: true, types: [] },
      include: ['**/*.ts'],
    };
    const all = {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify(config),
      ...files,
    };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    return runCompiler('--project', directory, '--pretty', 'false').map((line) =>
      line.replace(/^.*client-ts-types-[^/\\]+[/\\]/, ''),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}
