import { type Command, defineCommand } from '../frame/command.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts rbac`: roles and what a program uses. */
export const rbac: Command = defineCommand({
  name: 'rbac',
  summary: 'compare a role with what a program used',
  usage: ['check RECORDED SHIPPED'],
  about: [
    'Compares the roles in a manifest with those that RbacRecorder of client-ts/rbac recorded, and prints what is missing and what was not used. Either file may be - for the standard input.',
    'Exit codes: 0 they agree, 1 they differ, 2 an error.',
  ],
  examples: [
    {
      about: 'the role of an operator',
      line: 'client-ts rbac check recorded.yaml deploy/operator.yaml',
    },
  ],
  flags: {},
  positionals: [
    { name: 'ACTION', about: 'what to do', complete: ['check'] },
    { name: 'RECORDED', about: 'a manifest with the recorded roles', complete: 'file' },
    { name: 'SHIPPED', about: 'a manifest with the roles that are deployed', complete: 'file' },
  ],
  run: async ({ positionals: [action, used, shipped, ...rest] }, context) => {
    if (action !== 'check') throw new UsageError('the subcommand must be check');
    if (used === undefined || shipped === undefined || rest.length > 0) {
      throw new UsageError('check needs two files: RECORDED SHIPPED');
    }
    const { checkRoles } = await import('../rbac/check-roles.ts');
    await checkRoles({ used, shipped }, context);
  },
});
