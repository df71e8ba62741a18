import { readFile } from 'node:fs/promises';
import { type Environment, systemEnvironment } from '../lib/index.ts';
import { ConfigError } from './config-error.ts';
import { kubeconfigPaths } from './files.ts';
import { type KubeConfig, mergeKubeConfigs } from './kubeconfig.ts';
import { parseKubeConfig } from './parse.ts';

export interface LoadOptions {
  /** This file and no other; it has to exist. */
  readonly kubeconfig?: string;
  readonly env?: Environment;
}

/**
 * Reads the kubeconfig files that kubectl would read, merged: missing files are skipped, unless one
 * was named explicitly.
 */
export async function loadKubeConfig({
  kubeconfig,
  env = systemEnvironment(),
}: LoadOptions = {}): Promise<KubeConfig> {
  if (kubeconfig !== undefined && kubeconfig !== '') {
    const text = await readText(kubeconfig);
    if (text === undefined) {
      throw new ConfigError('CONFIG_UNREADABLE', `${kubeconfig}: there is no such file`, {
        hint: 'Check the path of the kubeconfig.',
      });
    }
    return await parseKubeConfig(text, kubeconfig);
  }
  const configs: KubeConfig[] = [];
  for (const path of kubeconfigPaths(env)) {
    const text = await readText(path);
    if (text !== undefined) configs.push(await parseKubeConfig(text, path));
  }
  return mergeKubeConfigs(configs);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError('CONFIG_UNREADABLE', `${path}: cannot be read`, { cause: error });
  }
}
