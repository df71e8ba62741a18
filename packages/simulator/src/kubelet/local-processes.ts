import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { constants, tmpdir } from 'node:os';
import type { Duplex } from 'node:stream';

import { getKey, messageOf, onAbort, systemEnvironment } from 'client-ts/internal';

import { connectionRefused } from './container.ts';
import { print, type Program, type ProgramContext } from './program.ts';

/** How containers run as processes of this machine. */
export interface LocalProcessOptions {
  /** The working directory of containers that do not set one. Default: that for temporary files. */
  readonly cwd?: string | undefined;
  /**
   * Environment variables beside those of the container. Default: only the `PATH` of this process, so that
   * its credentials stay with it.
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Exit codes of shells: no such program, one that cannot be started, one ended by a signal. */
const NO_SUCH_PROGRAM = 127;
const NOT_STARTED = 126;
const BY_SIGNAL = 128;

/**
 * Runs commands as processes of this machine. Each has a process group of its own: when it ends or is
 * stopped, and when this program ends, what is left of its group is killed.
 */
export class LocalProcesses implements AsyncDisposable {
  readonly #options: LocalProcessOptions;
  readonly #running = new Set<ChildProcess>();
  readonly #onExit = (): void => {
    for (const child of this.#running) killGroup(child);
  };

  constructor(options: LocalProcessOptions) {
    this.#options = options;
    process.on('exit', this.#onExit);
  }

  /** Runs the command line of its context. */
  readonly program: Program = async (context) => {
    const { args, stdin, stdout, stderr, signal, onInterrupt } = context;
    const [command = '', ...rest] = args;
    const child = spawn(command, rest, {
      cwd: context.workingDirectory === '/' ? this.#cwd : context.workingDirectory,
      env: this.#environment(context),
      // A process group of its own, which can be killed as a whole.
      detached: true,
      stdio: 'pipe',
    });
    const ended = endOf(child);
    this.#running.add(child);
    child.once('exit', () => killGroup(child));
    child.once('close', () => this.#running.delete(child));
    using _stop = onAbort(signal, () => killGroup(child));
    onInterrupt(() => killGroup(child, 'SIGINT'));
    // A process may end without reading its input.
    child.stdin.on('error', () => undefined);
    stdin.pipe(child.stdin);
    child.stdout.pipe(stdout, { end: false });
    child.stderr.pipe(stderr, { end: false });
    const { code, problem } = await ended;
    if (problem !== undefined) await print(stderr, `${problem}\n`);
    return code;
  };

  /** Returns the program of a command, unless one of these has its name. */
  programBeside(programs: Readonly<Record<string, Program>>, name: string): Program | undefined {
    return getKey(programs, name) === undefined ? this.program : undefined;
  }

  /** Connects to a port of this machine. Rejects with a {@link KubeletError} if nothing listens there. */
  async connect(port: number): Promise<Duplex> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    try {
      await once(socket, 'connect');
    } catch {
      throw connectionRefused(port);
    }
    return socket.on('error', () => undefined);
  }

  /** Kills all processes, and resolves when they are gone. */
  async close(): Promise<void> {
    process.off('exit', this.#onExit);
    const closing = Array.from(this.#running, async (child) => {
      const closed = once(child, 'close');
      killGroup(child);
      await closed;
    });
    await Promise.all(closing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #cwd(): string {
    return this.#options.cwd ?? tmpdir();
  }

  #environment({ env }: ProgramContext): Record<string, string> {
    const own = systemEnvironment()['PATH'];
    return { ...env, ...(own !== undefined && { PATH: own }), ...this.#options.env };
  }
}

interface End {
  readonly code: number;
  /** Why it could not be started. */
  readonly problem?: string;
}

/** Resolves when a process has ended and its output is complete. */
function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const isMissing = Reflect.get(error, 'code') === 'ENOENT';
      const code = isMissing ? NO_SUCH_PROGRAM : NOT_STARTED;
      resolve({ code, problem: messageOf(error) });
    });
    child.once('close', (code, signal) => {
      resolve({ code: code ?? BY_SIGNAL + (signal === null ? 0 : constants.signals[signal]) });
    });
  });
}

/** Signals a process and its children. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}
