import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, type ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable, printableJson } from '../frame/printable.ts';
import { versionOfCommand } from '../frame/version.ts';

/** `client-ts version`: client and server version. */
export const version: Command = defineCommand({
  name: 'version',
  summary: 'print the client and server version',
  usage: [''],
  about: ['Prints the versions of the command, of Node, and of the API server.'],
  examples: [
    { about: 'client and server', line: 'client-ts version' },
    { about: 'without a server', line: 'client-ts version --client' },
    { about: 'as JSON', line: 'client-ts version -o json' },
  ],
  flags: {
    client: { type: 'boolean', about: 'print only the client version' },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['json', 'yaml'],
      about: 'output format, with all details',
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
