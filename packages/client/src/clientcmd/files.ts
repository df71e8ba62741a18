import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Environment, systemEnvironment } from '../lib/index.ts';
import { ConfigError } from './config-error.ts';

/** Returns the default path of kubectl's configuration. */
export function defaultKubeconfigPath(env: Environment = systemEnvironment()): string {
  return join(env['HOME'] ?? homedir(), '.kube', 'config');
}

/**
 * Returns the kubeconfig files in order of precedence: those of `KUBECONFIG`, without duplicates,
 * else the one in the home directory.
 */
export function kubeconfigPaths(env: Environment = systemEnvironment()): string[] {
  const separator = process.platform === 'win32' ? ';' : ':';
  const listed = (env['KUBECONFIG'] ?? '').split(separator).filter((path) => path !== '');
  return listed.length === 0 ? [defaultKubeconfigPath(env)] : [...new Set(listed)];
}

/** Resolves a path of a kubeconfig: relative ones are relative to the directory of its file. */
export function resolvePath(path: string, origin: string): string {
  return path === '' || isAbsolute(path) ? path : resolve(dirname(origin), path);
}

/** Returns base64 data, or the content of the file in its place; empty if there is neither. */
export async function dataOrFile(data: string, path: string, origin: string): Promise<string> {
  if (data !== '' || path === '') return data;
  const file = resolvePath(path, origin);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError('CONFIG_UNREADABLE', `${file}: cannot be read`, { cause: error });
  });
  return bytes.toString('base64');
}
