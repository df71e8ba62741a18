import { Deferred, systemClock } from 'client-ts/internal';

import type { CommandContext, Output } from './context.ts';

/** For tests: a context that keeps what a command wrote. */
export interface TestContext extends CommandContext {
  /** What was given to `out`, call by call. */
  readonly output: readonly string[];
  /** What was given to `err`, call by call. */
  readonly errors: readonly string[];
  /** Everything that went to standard output, through `out` or written as it is. */
  text(): string;
  /** The same for standard error. */
  errorText(): string;
}

/** For tests: a stream that keeps what is written to it. */
export class TestOutput implements Output {
  readonly isTTY: boolean;
  readonly colors: boolean;
  columns = 80;
  rows = 24;
  text = '';
  readonly #onResize = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  constructor(options: { readonly isTTY?: boolean; readonly colors?: boolean } = {}) {
    this.isTTY = options.isTTY ?? false;
    this.colors = options.colors ?? this.isTTY;
  }

  write(text: string): void {
    this.text += text;
    for (const look of this.#waiting) look();
  }

  /** Resolves when the text so far matches. */
  async until(pattern: RegExp): Promise<void> {
    if (pattern.test(this.text)) return;
    const { promise, resolve } = new Deferred();
    const look = (): void => {
      if (!pattern.test(this.text)) return;
      this.#waiting.delete(look);
      resolve();
    };
    this.#waiting.add(look);
    await promise;
  }

  onResize(callback: () => void): Disposable {
    this.#onResize.add(callback);
    return { [Symbol.dispose]: () => void this.#onResize.delete(callback) };
  }

  resize(columns: number, rows: number): void {
    Object.assign(this, { columns, rows });
    for (const callback of this.#onResize) callback();
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }
}

/** For tests: a context without a terminal, an environment or a home. */
export function testContext(overrides: Partial<CommandContext> = {}): TestContext {
  const output: string[] = [];
  const errors: string[] = [];
  const stdout = new TestOutput();
  const stderr = new TestOutput();
  const context: CommandContext = {
    stdout,
    stderr,
    out: (line) => {
      output.push(line);
      context.stdout.write(`${line}\n`);
    },
    err: (line) => {
      errors.push(line);
      context.stderr.write(`${line}\n`);
    },
    readInput: () => Promise.resolve(''),
    env: {},
    homeDirectory: '/nowhere',
    workingDirectory: process.cwd(),
    clock: systemClock,
    onHangup: () => ({ [Symbol.dispose]: () => undefined }),
    signal: new AbortController().signal,
    ...overrides,
  };
  const textOf = (stream: Output): string => (stream instanceof TestOutput ? stream.text : '');
  return {
    ...context,
    output,
    errors,
    text: () => textOf(context.stdout),
    errorText: () => textOf(context.stderr),
  };
}
