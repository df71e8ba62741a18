import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { dryRunFlag, fileFlags } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** `client-ts delete`: delete objects. */
export const deleteCommand: Command = defineCommand({
  name: 'delete',
  summary: 'delete objects by file, name or label',
  usage: ['-f FILE…', 'TYPE NAME…', 'TYPE/NAME…', 'TYPE -l SELECTOR'],
  about: [
    'Deletes objects, and waits until they are gone. Objects of files are deleted in the reverse order of apply.',
  ],
  examples: [
    { about: 'the objects of a file', line: 'client-ts delete -f web.yaml' },
    { about: 'by name', line: 'client-ts delete pod web-0 web-1' },
    { about: 'by label', line: 'client-ts delete pods -l app=web --wait=false' },
  ],
  flags: {
    ...fileFlags,
    namespace: namespaceFlags.namespace,
    'all-namespaces': namespaceFlags['all-namespaces'],
    ...selectorFlags,
    all: { type: 'boolean', about: 'all objects of the type in the namespace' },
    'dry-run': dryRunFlag,
    'ignore-not-found': { type: 'boolean', about: 'missing objects are not an error' },
    'grace-period': {
      type: 'integer',
      value: 'SECONDS',
      about: 'time to stop, instead of that of the pod',
    },
    now: { type: 'boolean', about: 'stop after a second; as --grace-period=1' },
    force: {
      type: 'boolean',
      about: 'do not wait for the pods to stop (dangerous); as --grace-period=0',
    },
    cascade: {
      type: 'choice',
      value: 'POLICY',
      choices: ['background', 'foreground', 'orphan'],
      default: 'background',
      about: 'what happens to dependents',
    },
    wait: { type: 'boolean', default: true, about: 'wait until the objects are gone' },
    timeout: {
      type: 'duration',
      default: 0,
      about: 'how long to wait for each object; 0 for no limit',
    },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['name'],
      about: 'name: print only TYPE/NAME',
      complete: ['name'],
    },
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource type; or TYPE/NAME', complete: 'kind' },
    { name: 'NAME', about: 'names of objects', complete: 'none' },
  ],
  run: async ({ flags, positionals }, context) => {
    const { parseSelection } = await import('../resources/select.ts');
    const { deleteAll } = await import('../manifests/delete.ts');
    return await deleteAll(
      {
        ...parseSelection(positionals, flags),
        connection: flags,
        namespace: flags.namespace,
        dryRun: flags['dry-run'] === 'server',
        ignoreNotFound: flags['ignore-not-found'],
        gracePeriodSeconds: gracePeriod(flags),
        propagationPolicy: policies[flags.cascade],
        wait: flags.wait,
        timeoutMs: flags.timeout === 0 ? undefined : flags.timeout,
        namesOnly: flags.output === 'name',
      },
      context,
    );
  },
});

/** kubectl's rules: without --force, an object has at least a second. */
function gracePeriod(flags: {
  readonly force: boolean;
  readonly now: boolean;
  readonly 'grace-period': number | undefined;
}): number | undefined {
  const { force, now, 'grace-period': given } = flags;
  if (now && (force || given !== undefined)) {
    throw new UsageError('--now cannot be combined with --force or --grace-period');
  }
  if (now) return 1;
  if (force && given !== undefined && given > 0) {
    throw new UsageError('--force cannot be combined with a --grace-period above 0');
  }
  if (force) return 0;
  return given === 0 ? 1 : given;
}
