import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about = 'the TypeScript in README.md and docs/ compiles';

/** Where the programs of the documents lie while they are compiled: they import as users do. */
const PLACE = join('node_modules', '.cache', 'client-ts-snippets');

const COMPILER_OPTIONS = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: {
    allowImportingTsExtensions: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
    rewriteRelativeImportExtensions: false,
    sourceMap: false,
    types: ['node'],
  },
  include: ['**/*.ts'],
};

/** @param {string} root */
export async function run(root) {
  const place = join(root, PLACE);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(COMPILER_OPTIONS));
  for (const path of documents(root)) {
    for (const [index, program] of programsOf(readFileSync(join(root, path), 'utf8')).entries()) {
      const file = join(place, `${path}${index === 0 ? '' : `.${index}`}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, program);
    }
  }
  return runTool(root, toolScript('typescript/bin/tsc'), ['-p', join(PLACE, 'tsconfig.json')]);
}

/** Decisions are not among them: they show what was turned down as well. @param {string} root */
function documents(root) {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const isGuide = (/** @type {string} */ name) => name.endsWith('.md') && !name.startsWith('adr');
  return ['README.md', ...names.filter(isGuide).map((name) => join('docs', name))];
}

/**
 * The programs of a document. Its blocks are one program, read from top to bottom; a block that is
 * marked `ts alone` is one of its own. Lines stay where they are in the document, so that what the
 * compiler says about a line is about that line.
 * @param {string} text
 * @returns {string[]}
 */
export function programsOf(text) {
  const lines = text.split('\n');
  /** @type {string[][]} */
  const programs = [[]];
  let program = /** @type {string[] | undefined} */ (undefined);
  for (const [index, line] of lines.entries()) {
    if (program === undefined) {
      const mark = /^```ts( alone)?$/.exec(line);
      if (mark === null) continue;
      if (mark[1] !== undefined) programs.push([]);
      program = programs[mark[1] === undefined ? 0 : programs.length - 1];
    } else if (line === '```') program = undefined;
    else program[index] = line;
  }
  return programs
    .filter((program) => program.length > 0)
    .map((program) => `${Array.from(program, (line) => line ?? '').join('\n')}\nexport {};\n`);
}
