import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { dryRunFlag, fileFlags } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts scale`: set the number of replicas. */
export const scale: Command = defineCommand({
  name: 'scale',
  summary: 'set the number of replicas',
  usage: [
    '--replicas N TYPE/NAME…',
    '--replicas N TYPE NAME…',
    '--replicas N TYPE -l SELECTOR',
    '--replicas N -f FILE…',
  ],
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
    ...fileFlags,
    namespace: namespaceFlags.namespace,
    selector: selectorFlags.selector,
    all: { type: 'boolean', about: 'all objects of the type in the namespace' },
    'dry-run': dryRunFlag,
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource type; or TYPE/NAME', complete: 'kind' },
    { name: 'NAME', about: 'names of objects', complete: 'none' },
  ],
  run: async ({ flags, positionals }, context) => {
    const { replicas } = flags;
    if (replicas === undefined) throw new UsageError('--replicas is required');
    const { parseSelection } = await import('../resources/select.ts');
    const { scaleAll } = await import('../operations/scale.ts');
    return await scaleAll(
      {
        ...parseSelection(positionals, flags),
        connection: flags,
        namespace: flags.namespace,
        replicas,
        currentReplicas: flags['current-replicas'],
        dryRun: flags['dry-run'] === 'server',
      },
      context,
    );
  },
});
