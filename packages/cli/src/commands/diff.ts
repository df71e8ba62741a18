import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { fileFlags, serverSideFlag } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts diff`: what an apply would change. */
export const diff: Command = defineCommand({
  name: 'diff',
  summary: 'show what an apply would change',
  usage: ['-f FILE…'],
  about: [
    'Asks the server for the outcome of an apply (a dry run) and prints the difference as diff -u does. The values of Secrets are masked.',
    'Exit codes: 0 no difference, 1 a difference, 2 an error.',
  ],
  examples: [{ about: 'a file', line: 'client-ts diff -f web.yaml' }],
  flags: {
    ...fileFlags,
    namespace: namespaceFlags.namespace,
    'field-manager': {
      type: 'string',
      value: 'NAME',
      default: 'client-ts',
      about: 'owner of the applied fields',
    },
    'server-side': serverSideFlag,
    'force-conflicts': { type: 'boolean', about: 'take over fields of other managers' },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    if (flags.filename.length === 0) throw new UsageError('-f is required');
    if (!flags['server-side']) throw new UsageError('there is only server-side apply');
    const { diff } = await import('../manifests/diff.ts');
    return await diff(
      {
        connection: flags,
        namespace: flags.namespace,
        files: flags.filename,
        recursive: flags.recursive,
        fieldManager: flags['field-manager'],
        force: flags['force-conflicts'],
      },
      context,
    );
  },
});
