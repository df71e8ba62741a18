import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { dryRunFlag } from '../frame/file-flags.ts';

/** `client-ts uncordon`: let new pods be scheduled on nodes again. */
export const uncordon: Command = defineCommand({
  name: 'uncordon',
  summary: 'let new pods be scheduled on nodes again',
  usage: ['NODE…'],
  about: ['Marks nodes as schedulable.'],
  examples: [{ about: 'a node', line: 'client-ts uncordon node-1' }],
  flags: { 'dry-run': dryRunFlag, ...connectionFlags },
  positionals: [{ name: 'NODE', about: 'names of nodes', complete: 'none' }],
  required: 1,
  run: async ({ flags, positionals: nodes }, context) => {
    const { cordonAll } = await import('../operations/nodes.ts');
    const dryRun = flags['dry-run'] === 'server';
    return await cordonAll({ connection: flags, nodes, unschedulable: false, dryRun }, context);
  },
});
