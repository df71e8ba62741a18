import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { programsOf } from './snippets.mjs';

/** @param {...string} lines */
const text = (...lines) => lines.join('\n');

describe('programsOf', () => {
  it('makes one program of the blocks of a document, with each line where it stood', () => {
    const document = text('# Title', '```ts', 'const a = 1;', '```', 'and', '```ts', 'a;', '```');
    assert.deepEqual(programsOf(document), ['\n\nconst a = 1;\n\n\n\na;\nexport {};\n']);
  });

  it('keeps a block apart that stands alone', () => {
    const document = text('```ts', 'a;', '```', '```ts alone', 'b;', '```', '```ts', 'c;', '```');
    assert.deepEqual(programsOf(document), [
      '\na;\n\n\n\n\n\nc;\nexport {};\n',
      '\n\n\n\nb;\nexport {};\n',
    ]);
  });

  it('leaves other languages alone', () => {
    assert.deepEqual(programsOf(text('```js', 'a;', '```', '```sh', 'ls', '```')), []);
  });
});
