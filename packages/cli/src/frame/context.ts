import { ClientError, type Clock, defineErrors } from 'client-ts/internal';

/** Standard input. */
export interface Input {
  /** The bytes; reading them starts when they are first asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** True for a terminal. */
  readonly isTTY: boolean;
  /** Passes every key on as it is pressed, Ctrl-C included, until disposed. */
  raw(): Disposable;
}

/** Standard output or standard error. */
export interface Output {
  /** Writes text, or bytes as they are, without adding a line end. */
  write(text: Uint8Array | string): void;
  /** True for a terminal. */
  readonly isTTY: boolean;
  /** True if colours are enabled: on a terminal, without `NO_COLOR`. */
  readonly colors: boolean;
  /** The width of the terminal; 80 without one. */
  readonly columns: number;
  /** The height of the terminal; 24 without one. */
  readonly rows: number;
  /** Calls back on resize, until disposed. */
  onResize(callback: () => void): Disposable;
  /** Resolves when the output has drained, so that a slow reader does not fill the memory. */
  drained(): Promise<void>;
}

/** The part of the process that commands use, replaced in tests. */
export interface CommandContext {
  /** Prints a result: one or several lines. */
  out(line: string): void;
  /** Prints progress or an error. */
  err(line: string): void;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly workingDirectory: string;
  readonly clock: Clock;
  /**
   * Calls back on SIGHUP, until disposed. Without a terminal the signal then does not end the
   * command.
   */
  onHangup(callback: () => void): Disposable;
  /** Aborts on SIGINT, SIGTERM and SIGHUP, and when the reader of the output is gone. */
  readonly signal: AbortSignal;
}

/** The reason of {@link CommandContext.signal}, with the exit code. */
export class Interruption extends ClientError {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super('CLI_INTERRUPTED', message);
    this.exitCode = exitCode;
  }

  static {
    defineErrors(this, 'Interruption', 'CLI', { CLI_INTERRUPTED: { retry: 'later' } });
  }
}

/** The environment for `clientcmd`, which takes the home directory from it. */
export function environmentOf({
  env,
  homeDirectory,
}: CommandContext): Readonly<Record<string, string | undefined>> {
  return { ...env, HOME: homeDirectory };
}
