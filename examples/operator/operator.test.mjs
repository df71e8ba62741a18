/** Runs the operator as a user would, alone and as two processes, and a short chaos. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @param {string} script @param {readonly string[]} args @returns {Promise<string[]>} lines */
async function linesOf(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout, stderr } = await run(process.execPath, [path, ...args]);
  assert.equal(stderr, '');
  return stdout.trimEnd().split('\n');
}

describe('the operator', () => {
  it('makes, scales, replaces and removes pods, and tells it', async () => {
    const lines = await linesOf('main.ts');
    const chapters = lines.filter((line) => /^(?:-|  )/.test(line));
    assert.deepEqual(chapters, [
      '- web is made, with 3 pods',
      '  3 of 3 pods are ready',
      '- web is scaled to 2',
      '  2 of 2 pods are ready',
      '- web gets a new image',
      '  2 of 2 pods are ready',
      '- web is deleted',
      '  0 pods are left',
    ]);
    const told = lines.filter((line) => !chapters.includes(line));
    assert.deepEqual(told.toSorted(), [
      'SuccessfulCreate default/web: created pod web-0',
      'SuccessfulCreate default/web: created pod web-0',
      'SuccessfulCreate default/web: created pod web-1',
      'SuccessfulCreate default/web: created pod web-1',
      'SuccessfulCreate default/web: created pod web-2',
      'SuccessfulDelete default/web: deleted pod web-0: its WebSet is deleted',
      'SuccessfulDelete default/web: deleted pod web-0: its template has changed',
      'SuccessfulDelete default/web: deleted pod web-1: its WebSet is deleted',
      'SuccessfulDelete default/web: deleted pod web-1: its template has changed',
      'SuccessfulDelete default/web: deleted pod web-2: no longer wanted',
      'operator-0 leads',
    ]);
  });

  it('goes on in another process when the one that leads is killed', async () => {
    assert.deepEqual(await linesOf('fail-over.ts'), [
      'web has web-0 web-1 web-2',
      'one of them leads, and is killed',
      'web has web-0 web-1 web-2 web-3',
      'the other one leads',
      'it is asked to stop, and ends with code 0',
    ]);
  });

  it('chaos says what it can be told', async () => {
    const [first, ...lines] = await linesOf('chaos/main.ts', '--help');
    assert.equal(first, 'npm run chaos [-- options]');
    assert.match(lines.join('\n'), /--minutes N .*\n.*--seed N .*\n.*--kubeconfig FILE /);
  });

  it('keeps everything right while processes are killed, paused and started again', async () => {
    const lines = await linesOf('chaos/main.ts', '--minutes', '0.15', '--seed', '3');
    assert.match(
      lines[0] ?? '',
      /^chaos on https:\/\/127\.0\.0\.1:\d+, seed 3, for 0\.15 minutes$/,
    );
    assert.equal(lines.at(-1), 'all is right', lines.join('\n'));
  });
});
