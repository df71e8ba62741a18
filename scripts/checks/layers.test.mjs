import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { importsOf } from '../lib/imports.mjs';
import { findCycles, findLayerFaults } from './layers.mjs';

/** @param {Record<string, string>} files text by path */
function read(files) {
  return new Map(Object.entries(files).map(([path, text]) => [path, importsOf(path, text)]));
}

describe('importsOf', () => {
  it('sees imports, re-exports, type imports and import types, and where they stand', () => {
    const text = [
      "import { a } from './a.ts';",
      'import {',
      '  type B,',
      "} from '../b/b.ts';",
      "import './side-effect.ts';",
      "export * from './c.ts';",
      "type D = import('./d.ts').D;",
      "import type { E } from 'client-ts/internal';",
    ].join('\n');
    assert.deepEqual(importsOf('packages/x/src/room/file.ts', text), [
      { line: 1, to: 'packages/x/src/room/a.ts' },
      { line: 2, to: 'packages/x/src/b/b.ts' },
      { line: 5, to: 'packages/x/src/room/side-effect.ts' },
      { line: 6, to: 'packages/x/src/room/c.ts' },
      { line: 8, to: 'client-ts/internal' },
      { line: 7, to: 'packages/x/src/room/d.ts' },
    ]);
  });

  it('takes examples in comments for what they are', () => {
    const text =
      "/**\n * import { a } from './a.ts';\n */\n// import('./b.ts')\nexport const c = 1;\n";
    assert.deepEqual(importsOf('packages/x/src/file.ts', text), []);
  });
});

describe('findLayerFaults', () => {
  it('accepts imports from lower rooms, the own room and lower packages', () => {
    const imports = read({
      'packages/client/src/rest/a.ts': "import '../lib/b.ts';\nimport './c.ts';",
      'packages/apiserver/src/transport/a.ts': "import '../http.ts';\nimport 'client-ts/internal';",
      'packages/cli/src/main.ts': "import '@client-ts/apiserver';\nimport 'node:fs';",
    });
    assert.deepEqual(findLayerFaults(imports), []);
  });

  it('refuses an import from a higher room', () => {
    const imports = read({ 'packages/client/src/lib/a.ts': "import '../meta/b.ts';" });
    assert.deepEqual(findLayerFaults(imports), [
      'packages/client/src/lib/a.ts:1: lib may not import meta, which is above it',
    ]);
  });

  it('refuses any import of testing, except from tests', () => {
    const text = "import '../testing/b.ts';";
    const imports = read({
      'packages/client/src/cache/a.ts': text,
      'packages/client/src/cache/a.test.ts': text,
      'packages/client/src/cache/test-source.ts': text,
    });
    assert.deepEqual(findLayerFaults(imports), [
      'packages/client/src/cache/a.ts:1: nothing may import testing',
    ]);
  });

  it('refuses a module that is not listed, a higher package, and a package by its path', () => {
    const imports = read({
      'packages/client/src/attic/a.ts': "import '../lib/b.ts';",
      'packages/client/src/lib/b.ts': "import '@client-ts/apiserver';",
      'packages/cli/src/main.ts': "import '../../client/src/index.ts';",
    });
    const faults = findLayerFaults(imports);
    assert.equal(faults.length, 3);
    assert.match(faults[0] ?? '', /attic is not in the list/);
    assert.match(faults[1] ?? '', /client may not import @client-ts\/apiserver/);
    assert.match(faults[2] ?? '', /reaches into client by path/);
  });
});

describe('findCycles', () => {
  it('names a circle once, type imports included', () => {
    const imports = read({
      'packages/x/src/a.ts': "import './b.ts';",
      'packages/x/src/b.ts': "import type { C } from './c.ts';",
      'packages/x/src/c.ts': "import './a.ts';",
      'packages/x/src/d.ts': "import './a.ts';",
    });
    assert.deepEqual(findCycles(imports), [
      'circle: packages/x/src/a.ts → packages/x/src/b.ts → packages/x/src/c.ts → packages/x/src/a.ts',
    ]);
  });

  it('accepts a diamond', () => {
    const imports = read({
      'packages/x/src/a.ts': "import './b.ts';\nimport './c.ts';",
      'packages/x/src/b.ts': "import './d.ts';",
      'packages/x/src/c.ts': "import './d.ts';",
      'packages/x/src/d.ts': '',
    });
    assert.deepEqual(findCycles(imports), []);
  });
});
