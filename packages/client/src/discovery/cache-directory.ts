import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, systemEnvironment } from '../lib/environment.ts';

/** Where kubectl keeps what it knows: `$KUBECACHEDIR`, or `~/.kube/cache`. */
export function defaultCacheDirectory(environment: Environment = systemEnvironment()): string {
  const { KUBECACHEDIR: given = '' } = environment;
  return given === '' ? join(homedir(), '.kube', 'cache') : given;
}

/**
 * The directory for the discovery documents of one server, as kubectl names it:
 * `discovery/127.0.0.1_6443` for `https://127.0.0.1:6443`. Two servers can share a name, but hardly
 * ever do.
 */
export function discoveryCacheDirectory(
  server: string,
  cacheDirectory: string = defaultCacheDirectory(),
): string {
  const host = server.replace('https://', '').replace('http://', '');
  return join(cacheDirectory, 'discovery', host.replaceAll(/[^()\w/.]/g, '_'));
}
