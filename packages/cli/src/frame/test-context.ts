import { Deferred, systemClock } from 'client-ts/internal';

import type { CommandContext, Input, Output } from './context.ts';

/** For tests: a context that records output. */
export interface TestContext extends CommandContext {
  /** The arguments of `out`. */
  readonly output: readonly string[];
  /** The arguments of `err`. */
  readonly errors: readonly string[];
  /** The text of standard output. */
  text(): string;
  /** The text of standard error. */
  errorText(): string;
}

/** For tests: a stream that records its text. */
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

  write(text: Uint8Array | string): void {
    this.text += typeof text === 'string' ? text : Buffer.from(text).toString();
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

/** For tests: standard input with this text. */
export function testInput(text: string): Input {
  return {
    bytes: (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    })(),
    isTTY: false,
    raw: () => ({ [Symbol.dispose]: () => undefined }),
  };
}

/** For tests: a context without a terminal, environment or home directory. */
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
    stdin: testInput(''),
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
