import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { dryRunFlag, fileFlags, serverSideFlag } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts apply`: apply files. */
export const apply: Command = defineCommand({
  name: 'apply',
  summary: 'apply the objects of YAML and JSON files',
  usage: ['-f FILE…'],
  about: [
    'Applies objects on the server (server-side apply): custom resource definitions first, until the server serves them, then namespaces, then the rest. Prints created, configured or unchanged for each; an object that fails does not stop the others.',
  ],
  examples: [
    { about: 'a file', line: 'client-ts apply -f web.yaml' },
    { about: 'a folder, as a test', line: 'client-ts apply -f deploy/ -R --dry-run=server' },
    {
      about: 'delete what is no longer in the file',
      line: 'client-ts apply -f web.yaml --prune -l app=web --prune-allowlist deployments.apps,services',
    },
  ],
  flags: {
    ...fileFlags,
    namespace: namespaceFlags.namespace,
    'dry-run': dryRunFlag,
    'field-manager': {
      type: 'string',
      value: 'NAME',
      default: 'client-ts',
      about: 'owner of the applied fields',
    },
    'server-side': serverSideFlag,
    'force-conflicts': { type: 'boolean', about: 'take over fields of other managers' },
    prune: {
      type: 'boolean',
      about: 'delete objects that were applied before; needs -l and --prune-allowlist',
    },
    selector: {
      type: 'string',
      value: 'SELECTOR',
      short: 'l',
      about: 'with --prune: label selector',
    },
    'prune-allowlist': {
      type: 'list',
      commas: true,
      value: 'TYPES',
      about: 'with --prune: resource types to look at',
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
  run: async ({ flags }, context) => {
    if (flags.filename.length === 0) throw new UsageError('-f is required');
    if (!flags['server-side']) throw new UsageError('there is only server-side apply');
    const allow = flags['prune-allowlist'];
    if (flags.prune && (flags.selector === undefined || allow.length === 0)) {
      throw new UsageError('--prune needs a selector (-l) and --prune-allowlist');
    }
    const { apply } = await import('../manifests/apply.ts');
    return await apply(
      {
        connection: flags,
        namespace: flags.namespace,
        files: flags.filename,
        recursive: flags.recursive,
        dryRun: flags['dry-run'] === 'server',
        fieldManager: flags['field-manager'],
        force: flags['force-conflicts'],
        namesOnly: flags.output === 'name',
        prune: flags.prune ? { labelSelector: flags.selector ?? '', allow } : undefined,
      },
      context,
    );
  },
});
