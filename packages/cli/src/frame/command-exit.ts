import { ClientError, defineErrors } from 'client-ts/internal';

/** Options of {@link CommandExit}. */
export interface CommandExitOptions {
  /** Printed on standard error, unless it is empty or there is a cause. */
  readonly message?: string | undefined;
  /** Reported as any other error. */
  readonly cause?: unknown;
}

/** Ends the command with an exit code of its own, or that of a command that it ran. */
export class CommandExit extends ClientError {
  readonly exitCode: number;

  constructor(exitCode: number, { message, cause }: CommandExitOptions = {}) {
    const text = message ?? `command terminated with exit code ${exitCode}`;
    super('CLI_COMMAND_EXIT', text, { cause });
    this.exitCode = exitCode;
  }

  static {
    defineErrors(this, 'CommandExit', 'CLI', {
      CLI_COMMAND_EXIT: { retry: 'never', hint: 'The command in the container failed.' },
    });
  }
}
