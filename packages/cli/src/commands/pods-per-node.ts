import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts pods-per-node`: the number of pods on each node. */
export const podsPerNode: Command = defineCommand({
  name: 'pods-per-node',
  summary: 'show the number of pods on each node, live',
  usage: [''],
  about: [
    'Counts the running and pending pods of each node, without completed ones; unscheduled pods come last. The counts come from an index in memory that a watch keeps current.',
  ],
  examples: [
    { about: 'every second, in place', line: 'client-ts pods-per-node' },
    { about: 'once', line: 'client-ts pods-per-node --watch=false' },
    {
      about: 'a line of JSON for every change',
      line: 'client-ts pods-per-node --on-change -o json',
    },
    { about: 'selected pods', line: 'client-ts pods-per-node -n shop -l app=web --sort-by name' },
  ],
  flags: {
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      about: 'only pods of this namespace (default: all)',
      complete: 'namespace',
    },
    selector: {
      type: 'string',
      short: 'l',
      value: 'SELECTOR',
      about: 'label selector: app=web,tier!=cache',
    },
    watch: { type: 'boolean', default: true, about: 'print until Ctrl-C; with =false print once' },
    interval: { type: 'duration', default: 1000, about: 'time between two prints' },
    'on-change': {
      type: 'boolean',
      about: 'print only changes, at most once per --interval',
    },
    'sort-by': {
      type: 'choice',
      value: 'WHAT',
      choices: ['pods', 'name'],
      default: 'pods',
      about: 'sort by count or by name',
      complete: ['pods', 'name'],
    },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['json'],
      about: 'print JSON lines instead of bars',
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
