import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts generate`: types for custom resources. */
export const generate: Command = defineCommand({
  name: 'generate',
  summary: 'write typed modules for custom resources, from definitions or a cluster',
  usage: ['--crd FILE… --out DIR', '--from-cluster [--group GROUP…] --out DIR'],
  about: [
    'Writes a typed module per group and version of custom resources, DIR/<group>/<version>.ts: the types of its kinds, with the descriptions of their fields, and a descriptor for each resource. If anything is wrong, every fault is named and nothing is written.',
    "Then, in your program: import { widgets, type Widget } from './api/example.com/v1.ts';",
  ],
  examples: [
    {
      about: 'from files',
      line: 'client-ts generate --crd widgets.yaml gadgets.yaml --out src/api',
    },
    {
      about: 'from a definition that is installed already',
      line: 'kubectl get crd certificates.cert-manager.io -o yaml | client-ts generate --crd - --out src/api',
    },
    {
      about: 'everything of a group, from discovery and OpenAPI',
      line: 'client-ts generate --from-cluster --group cert-manager.io --out src/api',
    },
  ],
  flags: {
    out: {
      type: 'string',
      value: 'DIR',
      about: 'where to write; made if it is not there',
      complete: 'directory',
    },
    crd: {
      type: 'list',
      value: 'FILE',
      about:
        'a file with CustomResourceDefinitions (apiextensions.k8s.io/v1), YAML or JSON, with any number of documents; several files may follow; - is standard input',
      complete: 'file',
    },
    'from-cluster': { type: 'boolean', about: 'read the API server of the kubeconfig' },
    group: {
      type: 'list',
      value: 'GROUP',
      about: 'with --from-cluster: only this group, instead of all that are not built in',
    },
    ...connectionFlags,
  },
  positionals: [{ name: 'FILE', about: 'further files, after --crd', complete: 'file' }],
  run: async ({ flags, positionals, given }, context) => {
    const { crd, out, group } = flags;
    const fromCluster = flags['from-cluster'];
    if (out === undefined || out === '') throw new UsageError('--out is missing: name a directory');
    if (crd.length > 0 === fromCluster) {
      throw new UsageError('name the source: either --crd FILE or --from-cluster');
    }
    if (fromCluster && positionals.length > 0) {
      throw new UsageError(`${positionals[0]} is too much: --from-cluster takes no files`);
    }
    const misplaced = ['group', ...Object.keys(connectionFlags)].find((name) => given.has(name));
    if (!fromCluster && misplaced !== undefined) {
      throw new UsageError(`--${misplaced} goes with --from-cluster`);
    }
    const { generateModules } = await import('../generate/generate.ts');
    await generateModules(
      out,
      fromCluster ? { groups: group, connection: flags } : { files: [...crd, ...positionals] },
      context,
    );
  },
});
