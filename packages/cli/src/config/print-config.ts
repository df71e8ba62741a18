import {
  flattenKubeConfig,
  type KubeConfig,
  loadKubeConfig,
  minifyKubeConfig,
  redactKubeConfig,
} from 'client-ts/clientcmd';

import { CliError } from '../frame/cli-error.ts';
import { type CommandContext, environmentOf } from '../frame/context.ts';
import { printable, writeExactly } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { Columns } from '../print/align.ts';
import { formatObject } from '../print/object-printer.ts';
import { parseOutputFormat } from '../print/output-format.ts';
import type { ConfigAction, ConfigActions, ConfigCall, ConfigFlags } from './action.ts';
import { kubeconfigObject } from './kubeconfig-object.ts';

/** The subcommands of `client-ts config` that only print. */
export const printers: ConfigActions = new Map<string, ConfigAction>([
  [
    'get-contexts',
    { names: [0, Number.POSITIVE_INFINITY], flags: ['output', 'no-headers'], run: getContexts },
  ],
  ['current-context', { names: [0, 0], flags: [], run: currentContext }],
  ['get-clusters', { names: [0, 0], flags: [], run: getClusters }],
  ['get-users', { names: [0, 0], flags: [], run: getUsers }],
  ['view', { names: [0, 0], flags: ['output', 'raw', 'minify', 'flatten', 'context'], run: view }],
]);

async function getContexts({ names, flags }: ConfigCall, context: CommandContext): Promise<void> {
  const { output } = flags;
  if (output !== undefined && output !== '' && output !== 'name') {
    throw new UsageError(`-o must be name, not ${output}, in config get-contexts`);
  }
  const { contexts, currentContext } = await load(flags, context);
  const wanted = names.length === 0 ? [...contexts.keys()] : names.filter((n) => contexts.has(n));
  wanted.sort();
  if (output === 'name') {
    for (const name of wanted) context.out(printable(name));
  } else {
    const headings = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
    const rows = wanted.map((name) => {
      const { cluster = '', user = '', namespace = '' } = contexts.get(name) ?? {};
      return [name === currentContext ? '*' : '', name, cluster, user, namespace];
    });
    const lines = new Columns().align(flags['no-headers'] ? rows : [headings, ...rows]);
    for (const line of lines) context.out(line);
  }
  const missing = names.filter((name) => !contexts.has(name));
  if (missing.length > 0) {
    throw new AggregateError(
      missing.map((name) => new CliError('CLI_CONTEXT_UNKNOWN', `context ${name} not found`)),
      'some contexts were not found',
    );
  }
}

async function currentContext({ flags }: ConfigCall, context: CommandContext): Promise<void> {
  const { currentContext } = await load(flags, context);
  if (currentContext === '') {
    throw new CliError('CLI_CONTEXT_UNSET', 'current-context is not set');
  }
  context.out(printable(currentContext));
}

async function getClusters({ flags }: ConfigCall, context: CommandContext): Promise<void> {
  const { clusters } = await load(flags, context);
  printNames(clusters.keys(), context);
}

async function getUsers({ flags }: ConfigCall, context: CommandContext): Promise<void> {
  const { users } = await load(flags, context);
  printNames(users.keys(), context);
}

function printNames(names: Iterable<string>, context: CommandContext): void {
  for (const name of ['NAME', ...[...names].sort()]) context.out(printable(name));
}

async function view({ flags }: ConfigCall, context: CommandContext): Promise<void> {
  const format = parseOutputFormat(flags.output ?? 'yaml');
  if (format.type !== 'json' && format.type !== 'yaml' && format.type !== 'jsonpath') {
    throw new UsageError('-o must be yaml, json or jsonpath=… in config view');
  }
  const loaded = await load(flags, context);
  const chosen = { ...loaded, currentContext: flags.context ?? loaded.currentContext };
  const narrowed = flags.minify ? minifyKubeConfig(chosen) : loaded;
  const flat = flags.flatten ? await flattenKubeConfig(narrowed) : narrowed;
  const shown = kubeconfigObject(flags.raw || flags.flatten ? flat : redactKubeConfig(flat));
  writeExactly(context.stdout, formatObject(shown, format, { headers: true }));
}

async function load({ kubeconfig }: ConfigFlags, context: CommandContext): Promise<KubeConfig> {
  return await loadKubeConfig({ kubeconfig, env: environmentOf(context) });
}
