import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts api-versions`: the group-versions of the server. */
export const apiVersions: Command = defineCommand({
  name: 'api-versions',
  summary: 'print the API versions of the server, as group/version',
  usage: [''],
  about: ['Prints every version of every group, sorted.'],
  examples: [
    { about: 'all versions', line: 'client-ts api-versions' },
    { about: 'from the cache', line: 'client-ts api-versions --cached' },
  ],
  flags: {
    cached: {
      type: 'boolean',
      about: 'use cached discovery instead of querying the server',
    },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    const { printApiVersions } = await import('../discovery/api-versions.ts');
    await printApiVersions({ connection: flags, cached: flags.cached }, context);
  },
});
