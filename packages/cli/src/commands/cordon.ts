import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, selectorFlags } from '../frame/connection-flags.ts';
import { dryRunFlag } from '../frame/file-flags.ts';

/** `client-ts cordon`: let no new pods be scheduled on nodes. */
export const cordon: Command = schedulingCommand({
  name: 'cordon',
  summary: 'let no new pods be scheduled on nodes',
  about: 'Marks nodes as unschedulable. Pods that run stay.',
  unschedulable: true,
});

/** `client-ts uncordon`: let new pods be scheduled on nodes again. */
export const uncordon: Command = schedulingCommand({
  name: 'uncordon',
  summary: 'let new pods be scheduled on nodes again',
  about: 'Marks nodes as schedulable.',
  unschedulable: false,
});

function schedulingCommand({
  name,
  summary,
  about,
  unschedulable,
}: {
  readonly name: string;
  readonly summary: string;
  readonly about: string;
  readonly unschedulable: boolean;
}): Command {
  return defineCommand({
    name,
    summary,
    usage: ['NODE…', '-l SELECTOR'],
    about: [about],
    examples: [{ about: 'a node', line: `client-ts ${name} node-1` }],
    flags: { selector: selectorFlags.selector, 'dry-run': dryRunFlag, ...connectionFlags },
    positionals: [{ name: 'NODE', about: 'names of nodes', complete: 'none' }],
    run: async ({ flags, positionals: nodes }, context) => {
      const { cordonAll } = await import('../operations/nodes.ts');
      const dryRun = flags['dry-run'] === 'server';
      const selection = { nodes, labelSelector: flags.selector };
      return await cordonAll({ connection: flags, ...selection, unschedulable, dryRun }, context);
    },
  });
}
