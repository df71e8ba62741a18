import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts __complete`: called by the scripts of `client-ts completion`. */
export function completeCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: '__complete',
    hidden: true,
    summary: 'complete a word for the shell',
    usage: ['-- WORD…'],
    about: ['Called by the scripts that client-ts completion prints.'],
    examples: [{ about: 'words that start with po', line: 'client-ts __complete -- get po' }],
    flags: {},
    positionals: [{ name: 'WORD', about: 'the words after client-ts, the last one incomplete' }],
    run: async ({ positionals }, context) => {
      const { printSuggestions } = await import('../completion/print-suggestions.ts');
      await printSuggestions(commands(), positionals, context);
    },
  });
}
