import { constants, homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import { isatty } from 'node:tty';

import { systemClock } from 'client-ts/internal';

import { type CommandContext, type Input, Interruption, type Output } from './context.ts';

type Environment = CommandContext['env'];

/** The context of this process. The first signal aborts `signal`; the second exits. */
export function processContext(): CommandContext {
  const interrupt = new AbortController();
  const onHangup = new Set<() => void>();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const exitCode = 128 + constants.signals[name];
    process.on(name, () => {
      // With a terminal, SIGHUP means that it is gone; without one, a request to reopen files.
      if (name === 'SIGHUP' && onHangup.size > 0 && !isatty(1) && !isatty(2)) {
        for (const callback of onHangup) callback();
        return;
      }
      if (interrupt.signal.aborted) process.exit(exitCode);
      interrupt.abort(new Interruption(`ended by ${name}`, exitCode));
    });
  }
  // `client-ts get pods | head`: a closed pipe is not an error.
  const onGone = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    interrupt.abort(new Interruption('the reader of the output is gone', 0));
  };
  const stdout = outputOf(process.stdout, process.env, onGone);
  const stderr = outputOf(process.stderr, process.env, onGone);
  return {
    out: (line) => stdout.write(`${line}\n`),
    err: (line) => stderr.write(`${line}\n`),
    stdout,
    stderr,
    stdin: standardInput(),
    readInput: () => text(process.stdin),
    env: process.env,
    homeDirectory: homedir(),
    workingDirectory: process.cwd(),
    clock: systemClock,
    onHangup: (callback) => {
      onHangup.add(callback);
      return { [Symbol.dispose]: () => void onHangup.delete(callback) };
    },
    signal: interrupt.signal,
  };
}

function standardInput(): Input {
  const isTTY = isatty(0);
  return {
    isTTY,
    get bytes() {
      return process.stdin;
    },
    raw: () => {
      if (isTTY) {
        process.stdin.setRawMode(true);
        // Node leaves the translation of line ends on, which misplaces the cursor of full-screen
        // programs. Ending the raw mode restores everything.
        if (process.platform !== 'win32') {
          const { spawnSync } = process.getBuiltinModule('node:child_process');
          spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
        }
      }
      return {
        [Symbol.dispose]: () => {
          if (isTTY) process.stdin.setRawMode(false);
          // It would keep the process alive.
          process.stdin.pause();
          process.stdin.unref();
        },
      };
    },
  };
}

function outputOf(
  stream: NodeJS.WriteStream & { readonly fd: number },
  env: Environment,
  onGone: (error: NodeJS.ErrnoException) => void,
): Output {
  let isGone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isGone = true;
    onGone(error);
  });
  const isTTY = isatty(stream.fd);
  return {
    write: (text) => {
      if (!isGone) stream.write(text);
    },
    isTTY,
    colors: isTTY && welcomesColors(env),
    get columns() {
      return (isTTY && stream.columns) || 80;
    },
    get rows() {
      return (isTTY && stream.rows) || 24;
    },
    onResize: (callback) => {
      stream.on('resize', callback);
      return { [Symbol.dispose]: () => void stream.off('resize', callback) };
    },
    drained: () => drained(stream),
  };
}

/** https://no-color.org: any non-empty value disables colours. */
function welcomesColors(env: Environment): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writableNeedDrain || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      for (const name of ['drain', 'error', 'close']) stream.off(name, done);
      resolve();
    };
    for (const name of ['drain', 'error', 'close']) stream.on(name, done);
  });
}
