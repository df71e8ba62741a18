import { connectionFlags, type ConnectionValues } from '../frame/connection-flags.ts';
import type { Command } from '../frame/command.ts';
import type { CommandContext } from '../frame/context.ts';
import { parseCall } from '../frame/parse.ts';
import { isPrintable, printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { complete } from './complete.ts';
import { lookupIn } from './lookup.ts';

/** Prints what the last word may become, in the form that the scripts of the shells read. */
export async function printSuggestions(
  commands: readonly Command[],
  words: readonly string[],
  context: CommandContext,
): Promise<void> {
  const lookup = lookupIn(context, connectionIn(commands, words));
  const { words: found, files, isWhole } = await complete(commands, words, lookup);
  for (const [word, about] of found) {
    // A shell shows words as they are; nothing that has to be escaped is worth completing.
    if (isPrintable(word)) context.out(about === '' ? word : `${word}\t${printable(about)}`);
  }
  context.out(files === 'none' ? (isWhole ? ':' : ':nospace') : `:${files}`);
}

/** The server that is meant so far; a line that is not finished may say anything. */
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
  // What the last words say may not be finished: then it is left out.
  for (let length = args.length; length > 0; length -= 1) {
    try {
      return parseCall(description, args.slice(0, length)).flags as ConnectionValues;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  return parseCall(description, []).flags as ConnectionValues;
}
