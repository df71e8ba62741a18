/** What a command may touch of the process it runs in, so that tests can stand in for it. */
export interface CommandContext {
  /** Results: one line each. */
  out(line: string): void;
  /** Progress and errors: one line each. */
  err(line: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** One word after `client-ts`. */
export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The whole text of `--help`. */
  readonly help: string;
  /** Does the work; throws `UsageError` for a wrong call, anything else for a failure. */
  run(args: readonly string[], context: CommandContext): Promise<void>;
}

/** The command was called in a way that it does not know: exit code 2, and a pointer to `--help`. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
