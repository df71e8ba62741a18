import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts __complete`: what the scripts of `client-ts completion` ask. Completes all commands. */
export function completeCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: '__complete',
    hidden: true,
    summary: 'say what a word may become, for the shell',
    usage: ['-- WORD…'],
    about: ['Called by the scripts that client-ts completion prints.'],
    examples: [{ about: 'words that begin with po', line: 'client-ts __complete -- get po' }],
    flags: {},
    positionals: [{ name: 'WORD', about: 'the words after client-ts, the last one unfinished' }],
    run: async ({ positionals }, context) => {
      const { printSuggestions } = await import('../completion/print-suggestions.ts');
      await printSuggestions(commands(), positionals, context);
    },
  });
}
