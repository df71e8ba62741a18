import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

const words: ReadonlyMap<string, 'nodes' | 'pods'> = new Map([
  ['node', 'nodes'],
  ['nodes', 'nodes'],
  ['no', 'nodes'],
  ['pod', 'pods'],
  ['pods', 'pods'],
  ['po', 'pods'],
]);

/** `client-ts top`: usage of nodes and pods. */
export const top: Command = defineCommand({
  name: 'top',
  summary: 'show the CPU and memory that nodes and pods use',
  usage: ['pods [NAME]', 'nodes [NAME]'],
  about: ['Needs metrics.k8s.io, which metrics-server provides.'],
  examples: [
    { about: 'nodes', line: 'client-ts top nodes' },
    { about: 'the largest pods', line: 'client-ts top pods -A --sort-by memory' },
  ],
  flags: {
    ...namespaceFlags,
    selector: selectorFlags.selector,
    containers: { type: 'boolean', about: 'pods: a line for each container' },
    'sort-by': {
      type: 'choice',
      value: 'WHAT',
      choices: ['cpu', 'memory'],
      about: 'largest first: cpu or memory',
    },
    sum: { type: 'boolean', about: 'pods: a line with the sum' },
    'no-headers': { type: 'boolean', about: 'omit the column headings' },
    ...connectionFlags,
  },
  positionals: [
    { name: 'WHAT', about: 'pods or nodes', complete: ['nodes', 'pods'] },
    { name: 'NAME', about: 'one of them', complete: 'none' },
  ],
  required: 1,
  most: 2,
  run: async ({ flags, positionals: [word = '', name] }, context) => {
    const what = words.get(word);
    if (what === undefined) throw new UsageError(`"${word}" must be pods or nodes`);
    const { top } = await import('../operations/top.ts');
    return await top(
      {
        connection: flags,
        what,
        name,
        namespace: flags.namespace,
        allNamespaces: flags['all-namespaces'],
        labelSelector: flags.selector,
        containers: flags.containers,
        headers: !flags['no-headers'],
        sortBy: flags['sort-by'],
        sum: flags.sum,
      },
      context,
    );
  },
});
