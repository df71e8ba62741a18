import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts api-versions`: the group-versions of the server. */
export const apiVersions: Command = defineCommand({
  name: 'api-versions',
  summary: 'print the API versions that the server serves, as group/version',
  usage: [''],
  about: ['Prints every version of every group, in order.'],
  examples: [
    { about: 'everything', line: 'client-ts api-versions' },
    { about: 'from what is known from before', line: 'client-ts api-versions --cached' },
  ],
  flags: {
    cached: {
      type: 'boolean',
      about: 'take what is known from before instead of asking the server',
    },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    const { printApiVersions } = await import('../discovery/api-versions.ts');
    await printApiVersions({ connection: flags, cached: flags.cached }, context);
  },
});
