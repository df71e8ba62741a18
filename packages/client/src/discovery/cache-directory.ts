import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, systemEnvironment } from '../lib/environment.ts';

/** Where kubectl keeps what it knows: `$KUBECACHEDIR`, or `~/.kube/cache`. */
export function defaultCacheDirectory(environment: Environment = systemEnvironment()): string {
  const { KUBECACHEDIR: given = '' } = environment;
  return given === '' ? join(homedir(), '.kube', 'cache') : given;
}

/**
 * Returns the directory for the discovery documents of one server, as kubectl names it:
 * `discovery/127.0.0.1_6443` for `https://127.0.0.1:6443`. It is always below `cacheDirectory`. Two
 * servers can share a name, but hardly ever do.
 */
export function discoveryCacheDirectory(
  server: string,
  cacheDirectory: string = defaultCacheDirectory(),
): string {
  const host = server.replace('https://', '').replace('http://', '');
  const segments = host.replaceAll(/[^()\w/.]/g, '_').split('/');
  // kubectl keeps `..` and so can be led to any directory.
  const safe = segments.map((part) => (/^\.+$/.test(part) ? part.replaceAll('.', '_') : part));
  return join(cacheDirectory, 'discovery', ...safe);
}
