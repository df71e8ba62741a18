import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Options of a {@link CollectorProcess}. */
export interface CollectorProcessOptions {
  readonly directory: string;
  readonly args: readonly string[];
  /** The maximum file size in KiB, which simulates a full disk. Default: unlimited. */
  readonly fileLimit?: number | undefined;
}

/** A collector in its own process: see `collector-program.ts`. */
export class CollectorProcess {
  readonly #child: ChildProcess;
  /** Resolves with the exit code, or the name of the signal. */
  readonly exited: Promise<number | string>;
  #errors = '';
  #isCollecting = false;

  constructor({ directory, args, fileLimit }: CollectorProcessOptions) {
    const here = import.meta.url;
    const extension = here.endsWith('.ts') ? '.ts' : '.js';
    const program = fileURLToPath(new URL(`./collector-program${extension}`, here));
    // A write beyond the limit also raises a signal, which would kill the process.
    const limit = fileLimit === undefined ? '' : `trap '' XFSZ; ulimit -f ${fileLimit}; `;
    const script = `${limit}exec "$0" "$@"`;
    const command = [process.execPath, program, ...args];
    this.#child = spawn('bash', ['-c', script, ...command], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.exited = once(this.#child, 'exit').then(([code, signal]) => code ?? String(signal));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = `${this.#errors}${String(chunk)}`.slice(-20_000);
      if (this.#errors.includes('Collecting')) this.#isCollecting = true;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The end of its standard error. */
  get errors(): string {
    return this.#errors;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it collects (true) or has exited (false). */
  async started(): Promise<boolean> {
    const data = async (): Promise<void> => {
      while (!this.#isCollecting) await once(this.#child.stderr as NodeJS.ReadableStream, 'data');
    };
    await Promise.race([data(), this.exited]);
    return this.#isCollecting;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string> {
    if (this.isRunning) this.#child.kill(signal);
    return await this.exited;
  }
}
