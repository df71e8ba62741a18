import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, selectorFlags } from '../frame/connection-flags.ts';
import { dryRunFlag } from '../frame/file-flags.ts';

/** `client-ts drain`: evict the pods of a node. */
export const drain: Command = defineCommand({
  name: 'drain',
  summary: 'evict the pods of nodes, for maintenance',
  usage: ['NODE…', '-l SELECTOR'],
  about: [
    'Cordons nodes and evicts their pods, with respect for disruption budgets. Pods that would be lost or come back are a refusal, unless the flags allow it.',
  ],
  examples: [{ about: 'a node', line: 'client-ts drain node-1 --ignore-daemonsets --timeout 10m' }],
  flags: {
    'ignore-daemonsets': { type: 'boolean', about: 'leave pods of DaemonSets where they are' },
    'delete-emptydir-data': {
      type: 'boolean',
      about: 'evict pods with emptyDir volumes, whose data is lost',
    },
    force: { type: 'boolean', about: 'evict pods that no controller replaces' },
    selector: selectorFlags.selector,
    'pod-selector': { type: 'string', value: 'SELECTOR', about: 'only pods with these labels' },
    'grace-period': {
      type: 'integer',
      value: 'SECONDS',
      about: 'time to stop, instead of that of the pod',
    },
    'dry-run': dryRunFlag,
    timeout: { type: 'duration', default: 0, about: 'how long to try; 0 for no limit' },
    ...connectionFlags,
  },
  positionals: [{ name: 'NODE', about: 'names of nodes', complete: 'none' }],
  run: async ({ flags, positionals: nodes }, context) => {
    const { drainAll } = await import('../operations/nodes.ts');
    return await drainAll(
      {
        connection: flags,
        nodes,
        labelSelector: flags.selector,
        ignoreDaemonSets: flags['ignore-daemonsets'],
        deleteEmptyDirData: flags['delete-emptydir-data'],
        force: flags.force,
        dryRun: flags['dry-run'] === 'server',
        podSelector: flags['pod-selector'],
        gracePeriodSeconds: flags['grace-period'],
        timeoutMs: flags.timeout === 0 ? undefined : flags.timeout,
      },
      context,
    );
  },
});
