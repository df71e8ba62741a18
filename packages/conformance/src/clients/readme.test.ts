import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const README = new URL('../../../../README.md', import.meta.url);

describe('the program in the README', () => {
  it('runs as it stands, and prints what it says', async (t) => {
    const text = await readFile(README, 'utf8');
    const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
    assert.notEqual(program, '');
    // Beside this file, so that the packages are found; type annotations are no JavaScript.
    const file = fileURLToPath(new URL(`./readme-${process.pid}.mjs`, import.meta.url));
    t.after(() => rm(file, { force: true }));
    await writeFile(file, downlevel(program));
    const { stdout } = await run(process.execPath, [file]);
    assert.deepEqual(stdout.trim().split('\n'), [
      'it is there already',
      "[ 'hello' ]",
      "MODIFIED { greeting: 'hello' }",
    ]);
  });
});

/** Node 20 knows neither types nor `await using`; the rest of the program is left as it is. */
function downlevel(program: string): string {
  const disposed: string[] = [];
  const plain = program
    .replaceAll(/\((\w+): unknown\)/g, '($1)')
    .replaceAll(/await using (\w+) =/g, (_, name: string) => {
      disposed.unshift(name);
      return `const ${name} =`;
    });
  return `${plain}\n${disposed.map((name) => `await ${name}[Symbol.asyncDispose]();`).join('\n')}\n`;
}
