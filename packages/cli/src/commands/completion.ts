import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts completion`: what a shell needs to complete the command. */
export const completion: Command = defineCommand({
  name: 'completion',
  summary: 'print a script that completes this command in bash, zsh or fish',
  usage: ['SHELL'],
  about: [
    'Prints a script for a shell to run. Commands and flags, kinds of objects as the server has them, contexts and namespaces are then completed with the Tab key.',
  ],
  examples: [
    {
      about: 'bash, now; put the line into ~/.bashrc for always',
      line: 'source <(client-ts completion bash)',
    },
    {
      about: 'zsh, likewise, in ~/.zshrc after compinit',
      line: 'source <(client-ts completion zsh)',
    },
    {
      about: 'fish, for always',
      line: 'client-ts completion fish > ~/.config/fish/completions/client-ts.fish',
    },
  ],
  flags: {},
  positionals: [{ name: 'SHELL', about: 'bash, zsh or fish', complete: ['bash', 'zsh', 'fish'] }],
  required: 1,
  most: 1,
  run: async ({ positionals: [shell = ''] }, context) => {
    const { printScript } = await import('../completion/print-script.ts');
    printScript(shell, context);
  },
});
