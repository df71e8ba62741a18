import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from 'client-ts';

/** Where the state of a server is kept, and whether writes are acknowledged too early. */
export type CrashStore = 'early' | 'file' | 'sqlite';

/** An embedded server in its own process: see `server-program.ts`. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #errors = '';

  constructor(directory: string, store: CrashStore) {
    const name = `./server-program${extname(import.meta.url)}`;
    const program = fileURLToPath(new URL(name, import.meta.url));
    this.#child = spawn(process.execPath, [program, directory, store], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = once(this.#child, 'exit');
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = `${this.#errors}${String(chunk)}`.slice(-20_000);
    });
  }

  /** Resolves to how to reach it when the server accepts requests. */
  async started(): Promise<Config> {
    let text = '';
    for await (const chunk of this.#child.stdout as NodeJS.ReadableStream) {
      text += String(chunk);
      if (text.endsWith('\n')) return JSON.parse(text) as Config;
    }
    throw new Error(`the server did not start: ${this.#errors}`);
  }

  /** Kills it in this turn of the event loop, without a chance to react. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async exited(): Promise<void> {
    await this.#exited;
  }
}
