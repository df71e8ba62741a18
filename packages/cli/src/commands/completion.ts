import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts completion`: shell completion scripts. */
export const completion: Command = defineCommand({
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  usage: ['SHELL'],
  about: [
    'Prints a shell script that completes commands, flags, resource types, contexts and namespaces.',
  ],
  examples: [
    {
      about: 'bash: for this session, or permanently in ~/.bashrc',
      line: 'source <(client-ts completion bash)',
    },
    {
      about: 'zsh: likewise, in ~/.zshrc after compinit',
      line: 'source <(client-ts completion zsh)',
    },
    {
      about: 'fish: permanently',
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
