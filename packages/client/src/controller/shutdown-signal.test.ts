import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const module = fileURLToPath(new URL(`shutdown-signal.${extension}`, import.meta.url));

/** Runs a program that gets the signal as `signal`; returns its exit code and output. */
async function run(program: string): Promise<{ readonly code: number; readonly output: string }> {
  const source = `import { shutdownSignal } from ${JSON.stringify(module)};
    const signal = shutdownSignal();
    const alive = setInterval(() => undefined, 1000);
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

describe('shutdownSignal', () => {
  it('aborts on the first signal', async () => {
    const result = await run(`
      signal.addEventListener('abort', () => {
        console.log(signal.reason.message);
        clearInterval(alive);
        process.exit();
      });
      process.kill(process.pid, 'SIGTERM');`);
    assert.deepEqual(result, { code: 0, output: 'the process received SIGTERM\n' });
  });

  it('exits on the second', async () => {
    const result = await run(`
      signal.addEventListener('abort', () => process.kill(process.pid, 'SIGTERM'));
      process.kill(process.pid, 'SIGINT');`);
    assert.deepEqual(result, { code: 143, output: '' });
  });
});
