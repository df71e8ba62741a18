import { ClientError, defineErrors } from 'client-ts/internal';

/** Ends the command with the exit code of a command that it ran. */
export class CommandExit extends ClientError {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('CLI_COMMAND_EXIT', `command terminated with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }

  static {
    defineErrors(this, 'CommandExit', 'CLI', {
      CLI_COMMAND_EXIT: { retry: 'never', hint: 'The command in the container failed.' },
    });
  }
}
