import { connectionFlags, type ConnectionValues } from '../frame/connection-flags.ts';
import type { Command } from '../frame/command.ts';
import type { CommandContext } from '../frame/context.ts';
import { parseCall } from '../frame/parse.ts';
import { isPrintable, printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { complete } from './complete.ts';
import { lookupIn } from './lookup.ts';

/** Prints the completions of the last word in the format of the shell scripts. */
export async function printSuggestions(
  commands: readonly Command[],
  words: readonly string[],
  context: CommandContext,
): Promise<void> {
  const lookup = lookupIn(context, connectionIn(commands, words));
  const { words: found, files, isWhole } = await complete(commands, words, lookup);
  for (const [word, about] of found) {
    // Candidates are printed unescaped; those that need escaping are left out.
    if (isPrintable(word)) context.out(about === '' ? word : `${word}\t${printable(about)}`);
  }
  context.out(files === 'none' ? (isWhole ? ':' : ':nospace') : `:${files}`);
}

/** The server of the flags so far; the line may be incomplete. */
function connectionIn(commands: readonly Command[], words: readonly string[]): ConnectionValues {
  const [name, ...args] = words.slice(0, -1);
  const command = commands.find((each) => each.name === name);
  const description = {
    name: '',
    summary: '',
    usage: [],
    about: [],
    examples: [],
    flags: { ...command?.flags, ...connectionFlags },
    positionals: [{ name: '', about: '' }],
  };
  // The last words may be incomplete: they are left out then.
  for (let length = args.length; length > 0; length -= 1) {
    try {
      return parseCall(description, args.slice(0, length)).flags as ConnectionValues;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  return parseCall(description, []).flags as ConnectionValues;
}
