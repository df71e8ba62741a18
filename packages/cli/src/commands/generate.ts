import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts generate`: types for custom resources. */
export const generate: Command = defineCommand({
  name: 'generate',
  summary: 'generate typed modules for custom resources, from CRDs or a cluster',
  usage: ['--crd FILE… --out DIR', '--from-cluster [--group GROUP…] --out DIR'],
  about: [
    'Writes a module per group and version, DIR/<group>/<version>.ts, with a documented type for each kind and a descriptor for each resource. If there are errors, all of them are reported and nothing is written.',
    "Then, in your program: import { widgets, type Widget } from './api/example.com/v1.ts';",
  ],
  examples: [
    {
      about: 'from files',
      line: 'client-ts generate --crd widgets.yaml gadgets.yaml --out src/api',
    },
    {
      about: 'from an installed definition',
      line: 'kubectl get crd certificates.cert-manager.io -o yaml | client-ts generate --crd - --out src/api',
    },
    {
      about: 'a whole group, from discovery and OpenAPI',
      line: 'client-ts generate --from-cluster --group cert-manager.io --out src/api',
    },
  ],
  flags: {
    out: {
      type: 'string',
      value: 'DIR',
      about: 'output directory; created if needed',
      complete: 'directory',
    },
    crd: {
      type: 'list',
      value: 'FILE',
      about:
        'YAML or JSON file with CustomResourceDefinitions (apiextensions.k8s.io/v1); objects of other kinds are skipped; more files may follow; - for standard input',
      complete: 'file',
    },
    'from-cluster': { type: 'boolean', about: 'read definitions from the API server' },
    group: {
      type: 'list',
      value: 'GROUP',
      about: 'with --from-cluster: only this group (default: all but built-in groups)',
    },
    ...connectionFlags,
  },
  positionals: [{ name: 'FILE', about: 'more files for --crd', complete: 'file' }],
  run: async ({ flags, positionals, given }, context) => {
    const { crd, out, group } = flags;
    const fromCluster = flags['from-cluster'];
    if (out === undefined || out === '') throw new UsageError('--out is required');
    if (crd.length > 0 === fromCluster) {
      throw new UsageError('exactly one of --crd FILE and --from-cluster is required');
    }
    if (fromCluster && positionals.length > 0) {
      throw new UsageError(`unexpected argument ${positionals[0]}: --from-cluster takes no files`);
    }
    const misplaced = ['group', ...Object.keys(connectionFlags)].find((name) => given.has(name));
    if (!fromCluster && misplaced !== undefined) {
      throw new UsageError(`--${misplaced} requires --from-cluster`);
    }
    const { generateModules } = await import('../generate/generate.ts');
    await generateModules(
      out,
      fromCluster ? { groups: group, connection: flags } : { files: [...crd, ...positionals] },
      context,
    );
  },
});
