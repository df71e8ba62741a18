import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';

const RUN = new URL('run.mjs', import.meta.url).href;

/** A program that runs until a signal ends it, run in place of a script as npm does it: by a shell. */
const PROGRAM = `
  process.on('SIGTERM', () => { console.log('stopped'); process.exit(); });
  console.log('ready');
  setInterval(() => {}, 60_000);
`;
const SCRIPT = `
  import { handOver } from ${JSON.stringify(RUN)};
  process.exitCode = await handOver(process.execPath, ['-e', process.env.PROGRAM], process.env);
`;

describe('handOver', () => {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    it(`stops the program when ${signal} ends the shell of npm`, async () => {
      const env = { ...process.env, PROGRAM, SCRIPT, npm_lifecycle_event: 'start' };
      // The second command keeps the shell from putting node in its own place.
      const command = `"${process.execPath}" --input-type=module -e "$SCRIPT"; true`;
      const shell = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      for await (const text of shell.stdout.setEncoding('utf8')) {
        if (output === '' && text.startsWith('ready')) shell.kill(signal);
        output += text;
      }
      // The pipe ends when the last process that writes to it is gone.
      assert.equal(output, 'ready\nstopped\n');
      if (shell.exitCode === null && shell.signalCode === null) await once(shell, 'exit');
      assert.equal(shell.signalCode, signal);
    });
  }
});
