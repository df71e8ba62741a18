import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, type ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable, printableJson } from '../frame/printable.ts';
import { versionOfCommand } from '../frame/version.ts';

/** `client-ts version`: of the command and of the server. */
export const version: Command = defineCommand({
  name: 'version',
  summary: 'print the version of this command and of the server',
  usage: [''],
  about: ['Prints the versions of the command, of Node, and of the API server that it would use.'],
  examples: [
    { about: 'both', line: 'client-ts version' },
    { about: 'without asking a server', line: 'client-ts version --client' },
    { about: 'for programs', line: 'client-ts version -o json' },
  ],
  flags: {
    client: { type: 'boolean', about: 'only the command; no server is asked' },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['json', 'yaml'],
      about: 'print everything that is known, in this format',
      complete: ['json', 'yaml'],
    },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    const clientVersion = { version: await versionOfCommand(), node: process.versions.node };
    const serverVersion = flags.client ? undefined : await askServer(flags, context);
    if (flags.output === undefined) {
      context.out(`Client Version: ${clientVersion.version}`);
      context.out(`Node Version: ${clientVersion.node}`);
      if (serverVersion !== undefined) {
        context.out(printable(`Server Version: ${serverVersion.gitVersion}`));
      }
      return;
    }
    const all = { clientVersion, ...(serverVersion !== undefined && { serverVersion }) };
    if (flags.output === 'json') {
      context.out(printableJson(JSON.stringify(all, undefined, 2)));
      return;
    }
    const { formatYaml } = await import('../print/yaml.ts');
    context.out(formatYaml(all).trimEnd());
  },
});

async function askServer(
  flags: ConnectionValues,
  context: CommandContext,
): Promise<{ readonly gitVersion: string }> {
  const { askVersion } = await import('../discovery/ask-version.ts');
  return await askVersion(flags, context);
}
