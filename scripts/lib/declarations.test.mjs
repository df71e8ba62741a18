import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { exportsOf, findExportFaults } from './declarations.mjs';

/** @param {Record<string, string>} files */
function read(files) {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-declarations-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    return exportsOf(join(directory, 'index.d.ts'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('exportsOf', () => {
  it('follows re-exports under other names to the declaration and its comment', () => {
    const { exports } = read({
      'index.d.ts': "export { inner as outer, type Shape } from './a.js';\n",
      'a.d.ts': [
        '/** Returns one; see {@link Shape}. */',
        'export declare function inner(): number;',
        '/** A shape. */',
        'export interface Shape {',
        '    /** Its size. */',
        '    readonly size: number;',
        '}',
        '',
      ].join('\n'),
    });
    assert.deepEqual(
      exports.map(({ name, doc, declaration, isType }) => ({ name, doc, declaration, isType })),
      [
        {
          name: 'outer',
          doc: 'Returns one; see `Shape`.',
          declaration: 'function inner(): number;',
          isType: false,
        },
        {
          name: 'Shape',
          doc: 'A shape.',
          declaration: 'interface Shape {\n    /** Its size. */\n    readonly size: number;\n}',
          isType: true,
        },
      ],
    );
  });

  it('passes on everything of `export *`, joins overloads and hides private members', () => {
    const { exports } = read({
      'index.d.ts': "export * from './b.js';\n",
      'b.d.ts': [
        'export declare function f(a: string): void;',
        'export declare function f(a: number): void;',
        'export declare class C {',
        '    #private;',
        '    run(): void;',
        '}',
        '',
      ].join('\n'),
    });
    assert.deepEqual(
      exports.map(({ declaration }) => declaration),
      [
        'class C {\n    run(): void;\n}',
        'function f(a: string): void;\nfunction f(a: number): void;',
      ],
    );
  });

  it('lists a namespace export under its name', () => {
    const { exports } = read({
      'index.d.ts': "export * as tools from './c.js';\n",
      'c.d.ts': '/** Adds. */\nexport declare function add(): void;\n',
    });
    assert.deepEqual(
      exports.map(({ name, declaration }) => [name, declaration]),
      [['tools', 'namespace tools {\n  /** Adds. */\n  function add(): void;\n}']],
    );
  });

  it('reads the comment of the module', () => {
    const { doc } = read({
      'index.d.ts': "/**\n * Queues.\n *\n * @module\n */\nexport { a } from './d.js';\n",
      'd.d.ts': 'export declare const a: number;\n',
    });
    assert.equal(doc, 'Queues.');
  });
});

describe('findExportFaults', () => {
  const a = { name: 'a', doc: 'A.', declaration: '', isType: false, file: 'a.d.ts' };

  it('accepts one thing under several import paths', () => {
    assert.deepEqual(
      findExportFaults(
        new Map([
          ['x', [a]],
          ['x/y', [a]],
        ]),
      ),
      [],
    );
  });

  it('refuses an export without a comment, and one name for two things', () => {
    const other = { ...a, doc: '', file: 'other.d.ts' };
    assert.deepEqual(
      findExportFaults(
        new Map([
          ['x', [a]],
          ['x/y', [other]],
        ]),
      ),
      ['x/y: a has no doc comment', 'x/y: a is another thing than a of x'],
    );
  });
});
