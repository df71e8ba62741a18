/** Runs the operator alone, as two processes, and under chaos for a short time. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @param {string} script @param {readonly string[]} args @returns {Promise<string[]>} lines */
async function linesOf(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout, stderr } = await run(process.execPath, [path, ...args]).catch((error) => error);
  // A script that fails has said why on one of them.
  assert.equal(stderr, '', stdout);
  return stdout.trimEnd().split('\n');
}

describe('the operator', () => {
  it('creates, scales, replaces and deletes pods, and records events', async () => {
    const lines = await linesOf('main.ts');
    const steps = lines.filter((line) => /^(?:-|  )/.test(line));
    assert.deepEqual(steps, [
      '- create web with 3 pods',
      '  3 of 3 pods are ready',
      '- scale web to 2',
      '  2 of 2 pods are ready',
      '- update the image of web',
      '  2 of 2 pods are ready',
      '- delete web',
      '  0 pods are left',
    ]);
    const events = lines.filter((line) => !steps.includes(line));
    assert.deepEqual(events.toSorted(), [
      'SuccessfulCreate default/web: created pod web-0',
      'SuccessfulCreate default/web: created pod web-0',
      'SuccessfulCreate default/web: created pod web-1',
      'SuccessfulCreate default/web: created pod web-1',
      'SuccessfulCreate default/web: created pod web-2',
      'SuccessfulDelete default/web: deleted pod web-0: its WebSet is deleted',
      'SuccessfulDelete default/web: deleted pod web-0: its template has changed',
      'SuccessfulDelete default/web: deleted pod web-1: its WebSet is deleted',
      'SuccessfulDelete default/web: deleted pod web-1: its template has changed',
      'SuccessfulDelete default/web: deleted pod web-2: scaled down',
    ]);
  });

  it('serves the inspector with --inspect, until it is interrupted', async () => {
    const path = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(process.execPath, [path, '--inspect'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) {
      const { url } = /^inspector: (?<url>.*)$/.exec(line)?.groups ?? {};
      if (url !== undefined) {
        assert.equal((await fetch(url, { redirect: 'manual' })).status, 303);
      }
      // The demo repeats.
      if (line === '- create web-1 with 3 pods') child.kill('SIGINT');
    }
    assert.deepEqual(await exited, [0, null]);
  });

  it('continues in another process when the leader is killed', async () => {
    assert.deepEqual(await linesOf('fail-over.ts'), [
      'web has web-0 web-1 web-2',
      'killing the leader',
      'web has web-0 web-1 web-2 web-3',
      'the other operator leads',
      'it stops on SIGTERM with exit code 0',
    ]);
  });

  it('chaos prints its usage', async () => {
    const [first, ...lines] = await linesOf('chaos/main.ts', '--help');
    assert.equal(first, 'npm run chaos [-- options]');
    assert.match(lines.join('\n'), /--minutes N .*\n.*--seed N .*\n.*--kubeconfig FILE /);
  });

  it('stays correct while processes are killed, paused and restarted', async () => {
    const lines = await linesOf('chaos/main.ts', '--minutes', '0.15', '--seed', '3');
    assert.match(
      lines[0] ?? '',
      /^chaos on https:\/\/127\.0\.0\.1:\d+, seed 3, for 0\.15 minutes$/,
    );
    assert.equal(lines.at(-1), 'no violations', lines.join('\n'));
  });
});
