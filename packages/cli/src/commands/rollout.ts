import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { dryRunFlag, fileFlags } from '../frame/file-flags.ts';
import { nearest } from '../frame/nearest.ts';
import { UsageError } from '../frame/usage-error.ts';

const actions = ['history', 'pause', 'restart', 'resume', 'status', 'undo'] as const;

/** `client-ts rollout`: rollouts of workloads. */
export const rollout: Command = defineCommand({
  name: 'rollout',
  summary: 'follow, restart, undo, pause and resume rollouts',
  usage: [
    'status|restart|undo|history|pause|resume TYPE/NAME…',
    'status|restart|undo|history|pause|resume TYPE -l SELECTOR',
    'status|restart|undo|history|pause|resume -f FILE…',
  ],
  about: ['Rollouts of deployments, daemon sets and stateful sets.'],
  examples: [
    { about: 'wait for the end', line: 'client-ts rollout status deployment/web --timeout 2m' },
    { about: 'replace all pods', line: 'client-ts rollout restart deployment/web' },
    { about: 'back to revision 3', line: 'client-ts rollout undo deployment/web --to-revision 3' },
  ],
  flags: {
    ...fileFlags,
    namespace: namespaceFlags.namespace,
    selector: selectorFlags.selector,
    watch: { type: 'boolean', short: 'w', default: true, about: 'status: follow to the end' },
    timeout: { type: 'duration', default: 0, about: 'status: how long to follow; 0 for no limit' },
    'to-revision': {
      type: 'integer',
      value: 'N',
      default: 0,
      about: 'undo: the revision; 0 for the one before',
    },
    revision: {
      type: 'integer',
      value: 'N',
      default: 0,
      about: 'history: print the template of this revision',
    },
    'dry-run': dryRunFlag,
    ...connectionFlags,
  },
  positionals: [
    { name: 'ACTION', about: 'what to do', complete: actions },
    { name: 'TYPE/NAME', about: 'deployments, daemon sets or stateful sets', complete: 'none' },
  ],
  required: 1,
  run: async ({ flags, positionals: [word = '', ...workloads] }, context) => {
    const action = actions.find((each) => each === word);
    if (action === undefined) {
      const meant = nearest(word, actions);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      throw new UsageError(`unknown action "${word}"${hint}`);
    }
    const { parseSelection } = await import('../resources/select.ts');
    const { rollout } = await import('../operations/rollout.ts');
    return await rollout(
      {
        connection: flags,
        namespace: flags.namespace,
        ...parseSelection(workloads, flags),
        action,
        watch: flags.watch,
        timeoutMs: flags.timeout,
        toRevision: flags['to-revision'],
        revision: flags.revision,
        dryRun: flags['dry-run'] === 'server',
      },
      context,
    );
  },
});
