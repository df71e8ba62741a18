import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { dryRunFlag } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts scale`: set the number of replicas. */
export const scale: Command = defineCommand({
  name: 'scale',
  summary: 'set the number of replicas',
  usage: ['--replicas N TYPE/NAME…', '--replicas N TYPE NAME…'],
  about: ['Scales any scalable object, built-in or custom.'],
  examples: [
    { about: 'to three', line: 'client-ts scale --replicas 3 deployment/web' },
    {
      about: 'only if there are two',
      line: 'client-ts scale --current-replicas 2 --replicas 3 deployment/web',
    },
  ],
  flags: {
    replicas: { type: 'integer', value: 'N', about: 'the number of replicas' },
    'current-replicas': {
      type: 'integer',
      value: 'N',
      about: 'scale only if there are so many now',
    },
    namespace: namespaceFlags.namespace,
    'dry-run': dryRunFlag,
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource type; or TYPE/NAME', complete: 'kind' },
    { name: 'NAME', about: 'names of objects', complete: 'none' },
  ],
  required: 1,
  run: async ({ flags, positionals }, context) => {
    const { replicas } = flags;
    if (replicas === undefined) throw new UsageError('--replicas is required');
    const { scaleAll } = await import('../operations/scale.ts');
    return await scaleAll(
      {
        connection: flags,
        namespace: flags.namespace,
        objects: positionals,
        replicas,
        currentReplicas: flags['current-replicas'],
        dryRun: flags['dry-run'] === 'server',
      },
      context,
    );
  },
});
