import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts pods-per-node`: how full the nodes are. */
export const podsPerNode: Command = defineCommand({
  name: 'pods-per-node',
  summary: 'show how many pods each node has, live',
  usage: [''],
  about: [
    'Counts the running and pending pods of each node; those that have succeeded or failed are left out, those that wait for a node come last. The counts are read from an index in memory that one watch keeps up to date: however often they are printed, the server is not asked.',
  ],
  examples: [
    { about: 'every second, in place', line: 'client-ts pods-per-node' },
    { about: 'once', line: 'client-ts pods-per-node --watch=false' },
    {
      about: 'a line of JSON for every change',
      line: 'client-ts pods-per-node --on-change -o json',
    },
    { about: 'some pods only', line: 'client-ts pods-per-node -n shop -l app=web --sort-by name' },
  ],
  flags: {
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      about: 'only the pods of this namespace, instead of all',
      complete: 'namespace',
    },
    selector: {
      type: 'string',
      short: 'l',
      value: 'SELECTOR',
      about: 'only pods with such labels: app=web,tier!=cache',
    },
    watch: { type: 'boolean', default: true, about: 'go on until Ctrl-C; with =false print once' },
    interval: { type: 'duration', default: 1000, about: 'how often to print' },
    'on-change': {
      type: 'boolean',
      about: 'print only when something has changed, and not more often than --interval',
    },
    'sort-by': {
      type: 'choice',
      value: 'WHAT',
      choices: ['pods', 'name'],
      default: 'pods',
      about: 'what comes first: the fullest, or by name',
      complete: ['pods', 'name'],
    },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['json'],
      about: 'one line of JSON each time, instead of bars',
      complete: ['json'],
    },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    const { podsPerNode } = await import('../pods-per-node/pods-per-node.ts');
    await podsPerNode(
      {
        connection: flags,
        namespace: flags.namespace,
        labelSelector: flags.selector,
        sortBy: flags['sort-by'],
        output: flags.output,
        watch: flags.watch,
        intervalMs: flags.interval,
        onChange: flags['on-change'],
      },
      context,
    );
  },
});
