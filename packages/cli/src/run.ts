import { commands as allCommands } from './command-table.ts';
import { CliError } from './frame/cli-error.ts';
import { CommandExit } from './frame/command-exit.ts';
import type { Command } from './frame/command.ts';
import { type CommandContext, Interruption } from './frame/context.ts';
import { helpOf, helpOfAll } from './frame/help.ts';
import { nearest } from './frame/nearest.ts';
import { parseCall } from './frame/parse.ts';
import { reportError } from './frame/report.ts';
import { UsageError } from './frame/usage-error.ts';
import { versionOfCommand } from './frame/version.ts';

/** Exit codes. */
const success = 0;
const failure = 1;
const wrongUsage = 2;
const interrupted = 130;

const versionWords = new Set(['--version', '-v']);
const helpWords = new Set(['--help', '-h', 'help']);

/** Runs a command line. Returns the exit code: 0 success, 1 failure, 2 usage error, 130 interrupted. */
export async function run(
  args: readonly string[],
  context: CommandContext,
  commands: readonly Command[] = allCommands,
): Promise<number> {
  const [first, ...others] = args;
  if (first === undefined) {
    context.err(helpOfAll(commands));
    return wrongUsage;
  }
  const isHelp = helpWords.has(first);
  if (isHelp && others.length === 0) {
    context.out(helpOfAll(commands));
    return success;
  }
  if (versionWords.has(first)) {
    context.out(`client-ts ${await versionOfCommand()}`);
    return success;
  }
  const name = isHelp ? (others[0] ?? '') : first;
  const command = commands.find((command) => command.name === name);
  if (command === undefined) return unknownCommand(name, commands, context);
  if (isHelp || asksForHelp(others)) {
    context.out(helpOf(command));
    return success;
  }
  return runCommand(command, others, context);
}

function unknownCommand(
  name: string,
  commands: readonly Command[],
  context: CommandContext,
): number {
  const names = commands.flatMap((each) => (each.hidden === true ? [] : [each.name]));
  const meant = nearest(name, names);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  const error = new UsageError(`unknown command "${name}"${hint}`);
  reportError(error, context, { program: 'client-ts', debug: false });
  return wrongUsage;
}

async function runCommand(
  command: Command,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    checkNode(command);
    await command.run(parseCall(command, args), context);
    return success;
  } catch (error) {
    const { aborted, reason } = context.signal;
    // After Ctrl-C there is nothing to explain.
    if (aborted) return reason instanceof Interruption ? reason.exitCode : interrupted;
    const program = `client-ts ${command.name}`;
    const report = (reported: unknown): void =>
      reportError(reported, context, { program, debug: flagsOf(args).includes('--debug') });
    if (error instanceof CommandExit) {
      if (error.cause !== undefined) report(error.cause);
      else if (error.message !== '') context.err(error.message);
      return error.exitCode;
    }
    report(error);
    return error instanceof UsageError ? wrongUsage : failure;
  }
}

/** Help is printed whatever else is wrong with the call. */
function asksForHelp(args: readonly string[]): boolean {
  return flagsOf(args).some((argument) => argument === '--help' || argument === '-h');
}

function flagsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function checkNode({ node }: Command): void {
  const here = process.versions.node;
  if (node === undefined || here.localeCompare(node, 'en', { numeric: true }) >= 0) return;
  throw new CliError(
    'CLI_NODE_TOO_OLD',
    `this command needs Node ${node} or newer; this is Node ${here}`,
  );
}
