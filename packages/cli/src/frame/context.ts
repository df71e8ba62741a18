import type { Clock } from 'client-ts/internal';

/** One of the two streams that a command writes to. */
export interface Output {
  /** Writes text as it is: no line end is added. */
  write(text: string): void;
  /** True if a person looks at it right now. */
  readonly isTTY: boolean;
  /** True if escape sequences for colours are welcome: on a terminal, and without `NO_COLOR`. */
  readonly colors: boolean;
  /** The width of the terminal now; 80 where there is none. */
  readonly columns: number;
  /** The height of the terminal now; 24 where there is none. */
  readonly rows: number;
  /** Calls back when the size changes, until disposed. */
  onResize(callback: () => void): Disposable;
  /** Resolves when what was written is taken, so that a slow reader does not fill the memory. */
  drained(): Promise<void>;
}

/** What a command may touch of the process it runs in, so that tests can stand in for it. */
export interface CommandContext {
  /** Results: one line, or several with line ends between them. */
  out(line: string): void;
  /** Progress and errors: one line each. */
  err(line: string): void;
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of standard input. */
  readInput(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly workingDirectory: string;
  readonly clock: Clock;
  /** Calls back on SIGHUP, until disposed. Without a terminal the signal then does not end the command. */
  onHangup(callback: () => void): Disposable;
  /** Aborted by Ctrl-C, by a request to end, and when the output has no reader. */
  readonly signal: AbortSignal;
}

/** Why {@link CommandContext.signal} aborts, and what the shell is told then. */
export class Interruption extends Error {
  override readonly name: string = 'Interruption';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The environment of a context as `clientcmd` wants it: it looks for the home folder in there. */
export function environmentOf({
  env,
  homeDirectory,
}: CommandContext): Readonly<Record<string, string | undefined>> {
  return { ...env, HOME: homeDirectory };
}
