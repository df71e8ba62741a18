import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { dryRunFlag } from '../frame/file-flags.ts';

/** `client-ts cordon`: let no new pods be scheduled on nodes. */
export const cordon: Command = defineCommand({
  name: 'cordon',
  summary: 'let no new pods be scheduled on nodes',
  usage: ['NODE…'],
  about: ['Marks nodes as unschedulable. Pods that run stay.'],
  examples: [{ about: 'a node', line: 'client-ts cordon node-1' }],
  flags: { 'dry-run': dryRunFlag, ...connectionFlags },
  positionals: [{ name: 'NODE', about: 'names of nodes', complete: 'none' }],
  required: 1,
  run: async ({ flags, positionals: nodes }, context) => {
    const { cordonAll } = await import('../operations/nodes.ts');
    const dryRun = flags['dry-run'] === 'server';
    return await cordonAll({ connection: flags, nodes, unschedulable: true, dryRun }, context);
  },
});
