// Processes whose processor time is known: that of the process alone, with every core it used.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts the command with the input of the shell, and prints its id, then the times of its children. */
const SCRIPT =
  'exec 4<&0; "$@" <&4 3>&- 4<&- & echo $! >&3; wait $! 2>&-; code=$?; times >&3; exit $code';

/**
 * Starts a command under a shell that measures it. Returns the child, a function that ends the command, and a promise of its exit
 * code and processor time in milliseconds.
 * @param {readonly string[]} command
 * @param {{ env: NodeJS.ProcessEnv, stdin: number | 'ignore', stdout: 'ignore' | 'pipe' }} options
 */
export function startTimed(command, { env, stdin, stdout }) {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', ...command], {
    env,
    stdio: [stdin, stdout, 'inherit', 'pipe'],
  });
  let text = '';
  child.stdio[3]?.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, cpuMs: childrenMs(text) }));
  const stop = () => process.kill(Number(text.split('\n')[0]));
  return { child, ended, stop };
}

/** Reads the second line of `times`: user and system time of the children, as `0m1.23s 0m0.45s`. */
function childrenMs(text) {
  const times = text.split('\n')[2] ?? '';
  let ms = 0;
  for (const [, minutes, seconds] of times.matchAll(/(\d+)m([\d.]+)s/g)) {
    ms += (Number(minutes) * 60 + Number(seconds)) * 1000;
  }
  return ms;
}
