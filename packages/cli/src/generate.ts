import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { type CrdSource, generateFromCluster, generateFromCrds } from '@client-ts/codegen';
import { ClientError } from 'client-ts/lib';

import { type Command, type CommandContext, UsageError } from './command.ts';
import { connect } from './connection.ts';
import { defaultKubeconfigPath, readKubeconfig } from './kubeconfig.ts';
import { writeFiles } from './write-files.ts';

const help = `Usage: client-ts generate --crd FILE… --out DIR
       client-ts generate --from-cluster [--group GROUP…] --out DIR

Writes a typed module per group and version of custom resources, DIR/<group>/<version>.ts: the types
of its kinds, with the descriptions of their fields, and a descriptor for each resource. If anything
is wrong, every fault is named and nothing is written.

From files:
  --crd FILE          a file with CustomResourceDefinitions (apiextensions.k8s.io/v1), YAML or JSON,
                      with any number of documents; several files may follow; - is standard input

From a cluster, through its discovery and OpenAPI:
  --from-cluster      read the API server of the kubeconfig
  --group GROUP       only this group; can be repeated (default: every group that is not built in)
  --kubeconfig FILE   default: $KUBECONFIG, else ~/.kube/config
  --context NAME      default: the current context of the kubeconfig

  --out DIR           where to write; made if it is not there
  --debug             show the stack of an error
  --help              this text

Examples:
  client-ts generate --crd widgets.yaml gadgets.yaml --out src/api
  kubectl get crd certificates.cert-manager.io -o yaml | client-ts generate --crd - --out src/api
  client-ts generate --from-cluster --group cert-manager.io --out src/api

Then, in your program:
  import { widgets, type Widget } from './api/example.com/v1.ts';`;

/** `client-ts generate`: types for custom resources. */
export const generate: Command = {
  name: 'generate',
  summary: 'write typed modules for custom resources, from definitions or a cluster',
  help,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        crd: { type: 'string', multiple: true },
        'from-cluster': { type: 'boolean' },
        group: { type: 'string', multiple: true },
        kubeconfig: { type: 'string' },
        context: { type: 'string' },
        out: { type: 'string' },
      },
    });
    const { crd, out, group, kubeconfig, context: contextName } = values;
    const fromCluster = values['from-cluster'] === true;
    if (out === undefined || out === '') throw new UsageError('--out is missing: name a directory');
    if ((crd !== undefined) === fromCluster) {
      throw new UsageError('name the source: either --crd FILE or --from-cluster');
    }
    if (fromCluster && positionals.length > 0) {
      throw new UsageError(`${positionals[0]} is too much: --from-cluster takes no files`);
    }
    const clusterOption = (['group', 'kubeconfig', 'context'] as const).find(
      (name) => values[name],
    );
    if (!fromCluster && clusterOption !== undefined) {
      throw new UsageError(`--${clusterOption} goes with --from-cluster`);
    }
    const modules = fromCluster
      ? await fromApiServer({ group, kubeconfig, contextName }, context)
      : await fromFiles([...(crd ?? []), ...positionals], context);
    await writeFiles(out, modules);
    for (const path of modules.keys()) context.out(join(out, path));
  },
};

async function fromFiles(
  names: readonly string[],
  context: CommandContext,
): Promise<Map<string, string>> {
  const sources = await Promise.all(
    names.map(async (name): Promise<CrdSource> => {
      if (name === '-') return { name: 'standard input', text: await context.readInput() };
      try {
        return { name, text: await readFile(name, 'utf8') };
      } catch (cause) {
        throw new ClientError('FILE_UNREADABLE', `cannot read ${name}: ${messageOf(cause)}`, {
          cause,
        });
      }
    }),
  );
  return generateFromCrds(sources);
}

interface ClusterChoice {
  readonly group: readonly string[] | undefined;
  readonly kubeconfig: string | undefined;
  readonly contextName: string | undefined;
}

async function fromApiServer(
  { group, kubeconfig, contextName }: ClusterChoice,
  context: CommandContext,
): Promise<Map<string, string>> {
  const path = kubeconfig ?? defaultKubeconfigPath(context);
  const endpoint = await readKubeconfig(path, contextName);
  context.err(`Connecting to ${endpoint.server.origin}`);
  await using transport = connect(endpoint);
  return await generateFromCluster(transport, {
    ...(group === undefined ? {} : { groups: group }),
    onProgress: (message) => context.err(message),
    signal: context.signal,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
