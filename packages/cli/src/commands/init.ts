import { type Command, defineCommand } from '../frame/command.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts init`: a new controller project. */
export const init: Command = defineCommand({
  name: 'init',
  summary: 'create a project for a controller, with CRD, tests, RBAC and Dockerfile',
  usage: [
    'NAME [--group GROUP] [--version VERSION] [--kind KIND]',
    'NAME --crd FILE [--kind KIND]',
  ],
  about: [
    'Creates the directory NAME with a controller on a Manager, tests on the embedded API server, RBAC rules, a Deployment and a Dockerfile. The custom resource is declared in TypeScript, or its types are generated from a CRD. Nothing is overwritten.',
    'npm install && npm test in the new directory passes without a cluster. Until the packages are on npm, it needs --packages: a directory with those that npm pack --workspaces makes in a clone.',
  ],
  examples: [
    {
      about: 'a new resource, sites.example.com',
      line: 'client-ts init site-operator --group example.com',
    },
    {
      about: 'a controller for an existing definition',
      line: 'client-ts init widget-operator --crd widgets.yaml',
    },
  ],
  flags: {
    group: {
      type: 'string',
      value: 'GROUP',
      about: 'API group of the resource, a domain (default: example.com)',
    },
    version: { type: 'string', value: 'VERSION', about: 'version of the resource (default: v1)' },
    kind: {
      type: 'string',
      value: 'KIND',
      about: 'kind of the resource (default: from NAME); with --crd: which of several',
    },
    crd: {
      type: 'string',
      value: 'FILE',
      about: 'YAML or JSON file with the CustomResourceDefinition; - for standard input',
      complete: 'file',
    },
    packages: {
      type: 'string',
      value: 'DIR',
      about: 'directory with packed client-ts packages (npm pack), instead of the registry',
      complete: 'directory',
    },
  },
  positionals: [{ name: 'NAME', about: 'name of the project and its directory' }],
  required: 1,
  most: 1,
  run: async ({ flags, positionals, given }, context) => {
    const misplaced = ['group', 'version'].find((name) => given.has(name));
    if (flags.crd !== undefined && misplaced !== undefined) {
      throw new UsageError(`--${misplaced} cannot be used with --crd, which has it`);
    }
    const { initProject } = await import('../init/init.ts');
    await initProject(positionals[0] ?? '', flags, context);
  },
});
