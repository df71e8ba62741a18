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
    selector: selectorFlags.selector,
    all: { type: 'boolean', about: 'all objects of the type in the namespace' },
    'dry-run': dryRunFlag,
    'ignore-not-found': { type: 'boolean', about: 'missing objects are not an error' },
    'grace-period': {
      type: 'integer',
      value: 'SECONDS',
      about: 'time to stop, instead of that of the pod',
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
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource type; or TYPE/NAME', complete: 'kind' },
    { name: 'NAME', about: 'names of objects', complete: 'none' },
  ],
  run: async ({ flags, positionals }, context) => {
    const { filename: files, selector: labelSelector, all } = flags;
    if ((files.length === 0) === (positionals.length === 0)) {
      throw new UsageError('name files with -f, or a type and names');
    }
    const { parseTargets } = await import('../resources/targets.ts');
    const { deleteAll } = await import('../manifests/delete.ts');
    const targets = files.length > 0 ? [] : parseTargets(positionals);
    if ((labelSelector !== undefined || all) && targets.some(({ names }) => names !== undefined)) {
      throw new UsageError('names cannot be combined with -l or --all');
    }
    return await deleteAll(
      {
        connection: flags,
        namespace: flags.namespace,
        files,
        recursive: flags.recursive,
        targets,
        labelSelector,
        all,
        dryRun: flags['dry-run'] === 'server',
        ignoreNotFound: flags['ignore-not-found'],
        gracePeriodSeconds: flags['grace-period'],
        propagationPolicy: policies[flags.cascade],
        wait: flags.wait,
        timeoutMs: flags.timeout === 0 ? undefined : flags.timeout,
      },
      context,
    );
  },
});
