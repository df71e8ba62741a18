import { access } from 'node:fs/promises';

import {
  type EditableKubeConfig,
  type KubeConfig,
  kubeconfigPaths,
  loadKubeConfig,
  modifyConfig,
} from 'client-ts/clientcmd';

import { CliError } from '../frame/cli-error.ts';
import { type CommandContext, environmentOf } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import type { ConfigAction, ConfigActions, ConfigCall, ConfigFlags } from './action.ts';

/** The subcommands of `client-ts config` that change a file. */
export const editors: ConfigActions = new Map<string, ConfigAction>([
  ['use-context', { names: [1, 1], flags: [], run: useContext }],
  [
    'set-context',
    { names: [0, 1], flags: ['current', 'cluster', 'user', 'namespace'], run: setContext },
  ],
  ['rename-context', { names: [2, 2], flags: [], run: renameContext }],
  ['delete-context', { names: [1, 1], flags: [], run: deleteContext }],
]);

/** A kubeconfig and the files to change it in. */
interface Editing {
  readonly config: KubeConfig;
  /** The file for new entries and the current context. */
  readonly file: string;
  /** The file of a context, or the one for new entries. */
  readonly fileOf: (context: string) => string;
}

async function useContext(
  { names: [name = ''], flags }: ConfigCall,
  context: CommandContext,
): Promise<void> {
  const { config, file } = await open(flags, context);
  if (!config.contexts.has(name)) {
    throw new CliError('CLI_CONTEXT_UNKNOWN', `no context exists with the name: "${name}"`);
  }
  await setCurrent(file, config, name);
  context.out(`Switched to context "${printable(name)}".`);
}

async function setContext(
  { names: [given = ''], flags }: ConfigCall,
  context: CommandContext,
): Promise<void> {
  if (given === '' && !flags.current) {
    throw new UsageError('you must specify a non-empty context name or --current');
  }
  if (given !== '' && flags.current) {
    throw new UsageError('you cannot specify both a context name and --current');
  }
  const { config, fileOf } = await open(flags, context);
  const name = flags.current ? config.currentContext : given;
  if (name === '') throw new CliError('CLI_CONTEXT_UNSET', 'no current context is set');
  const { cluster, user, namespace } = flags;
  await modifyConfig(fileOf(name), (editable: EditableKubeConfig) => {
    editable.updateContext(name, {
      ...(cluster !== undefined && { cluster }),
      ...(user !== undefined && { user }),
      ...(namespace !== undefined && { namespace }),
    });
  });
  const change = config.contexts.has(name) ? 'modified' : 'created';
  context.out(`Context "${printable(name)}" ${change}.`);
}

async function renameContext(
  { names: [from = '', to = ''], flags }: ConfigCall,
  context: CommandContext,
): Promise<void> {
  const { config, file, fileOf } = await open(flags, context);
  if (!config.contexts.has(from)) {
    const message = `cannot rename the context "${from}", it's not in ${file}`;
    throw new CliError('CLI_CONTEXT_UNKNOWN', message);
  }
  if (config.contexts.has(to)) {
    const message = `cannot rename the context "${from}", the context "${to}" already exists in ${fileOf(to)}`;
    throw new CliError('CLI_CONTEXT_EXISTS', message);
  }
  await modifyConfig(fileOf(from), (editable) => editable.renameContext(from, to));
  if (config.currentContext === from) await setCurrent(file, config, to);
  context.out(`Context "${printable(from)}" renamed to "${printable(to)}".`);
}

async function deleteContext(
  { names: [name = ''], flags }: ConfigCall,
  context: CommandContext,
): Promise<void> {
  const { config, fileOf } = await open(flags, context);
  const file = fileOf(name);
  if (!config.contexts.has(name)) {
    throw new CliError('CLI_CONTEXT_UNKNOWN', `cannot delete context ${name}, not in ${file}`);
  }
  if (config.currentContext === name) {
    context.err(
      'warning: this removed your active context, use "client-ts config use-context" to select a different one',
    );
  }
  await modifyConfig(file, (editable) => editable.removeContext(name));
  context.out(`deleted context ${printable(name)} from ${printable(file)}`);
}

async function setCurrent(file: string, config: KubeConfig, name: string): Promise<void> {
  if (config.currentContext === name) return;
  await modifyConfig(file, (editable) => editable.setCurrentContext(name));
}

async function open({ kubeconfig }: ConfigFlags, context: CommandContext): Promise<Editing> {
  const env = environmentOf(context);
  const config = await loadKubeConfig({ kubeconfig, env });
  const file = kubeconfig ?? (await fileForNew(kubeconfigPaths(env)));
  return { config, file, fileOf: (name) => config.contexts.get(name)?.origin ?? file };
}

/** By kubectl's rule: the first file that exists, else the last. */
async function fileForNew(paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return paths.at(-1) ?? '';
}
