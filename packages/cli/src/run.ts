import { ClientError } from 'client-ts/lib';

import { type Command, type CommandContext, UsageError } from './command.ts';
import { generate } from './generate.ts';

const commands: readonly Command[] = [generate];

const help = `Usage: client-ts <command> [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join('\n')}

Options of every command:
  --help     what the command does and how, with examples
  --debug    show the stack of an error`;

/** Exit codes, as the shell sees them. */
const success = 0;
const failure = 1;
const wrongUsage = 2;
const interrupted = 130;

/** Runs the command line and gives the exit code: 0 done, 1 failed, 2 called wrongly, 130 interrupted. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    context.out(help);
    return success;
  }
  const command = commands.find((command) => command.name === name);
  if (command === undefined) {
    context.err(name === undefined ? help : `client-ts: there is no command ${name}`);
    if (name !== undefined) context.err('See: client-ts --help');
    return wrongUsage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    context.out(command.help);
    return success;
  }
  try {
    await command.run(
      rest.filter((argument) => argument !== '--debug'),
      context,
    );
    return success;
  } catch (error) {
    // Whoever pressed Ctrl-C knows why it stopped.
    if (context.signal.aborted) return interrupted;
    return report(error, command, context, rest.includes('--debug'));
  }
}

function report(
  error: unknown,
  { name }: Command,
  context: CommandContext,
  debug: boolean,
): number {
  const isWrongUsage = error instanceof UsageError || isParseArgsError(error);
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ClientError ? error.hint : undefined;
  const advice = hint === undefined ? '' : `. ${hint}`;
  context.err(`client-ts ${name}: ${message}${advice}`);
  if (isWrongUsage) context.err(`See: client-ts ${name} --help`);
  if (debug && error instanceof Error) context.err(stackOf(error));
  return isWrongUsage ? wrongUsage : failure;
}

/** `parseArgs` of Node marks its errors by their code only. */
function isParseArgsError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}

function stackOf(error: Error): string {
  const own = error.stack ?? String(error);
  return error.cause instanceof Error ? `${own}\nCaused by: ${stackOf(error.cause)}` : own;
}
