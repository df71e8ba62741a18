import type { Environment } from '../../lib/environment.ts';
import { getKey } from '../../lib/json.ts';
import { TransportError } from '../transport-error.ts';
import { type HostAndPort, isDirect } from './no-proxy.ts';

/** A proxy, taken apart. */
export interface ProxySettings extends HostAndPort {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly username?: string;
  readonly password?: string;
  /** How messages name it: host and port, never credentials. */
  readonly name: string;
}

const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/**
 * The proxy for a server: the configured one, or the one that the environment names for the scheme
 * unless `NO_PROXY` excepts the server. Undefined: connect directly.
 */
export function proxyFor(
  server: URL,
  configured: string | undefined,
  environment: Environment,
): ProxySettings | undefined {
  if (configured !== undefined) return parseProxyUrl(configured, 'proxyUrl');
  const target = hostAndPort(server);
  if (isDirect(target, lookUp(environment, 'NO_PROXY')?.value ?? '')) return undefined;
  const found = lookUp(environment, server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  return found === undefined ? undefined : parseProxyUrl(withScheme(found.value), found.name);
}

/** Host without brackets, and the port, also where the scheme implies it. */
export function hostAndPort({ hostname, port, protocol }: URL): HostAndPort {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** Capitals first, as Go looks them up; a variable that is empty is not set. */
function lookUp(
  environment: Environment,
  variable: string,
): { readonly name: string; readonly value: string } | undefined {
  for (const name of [variable, variable.toLowerCase()]) {
    const value = getKey(environment, name);
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}

/** Environments say `proxy.example.com:3128` and mean HTTP. */
function withScheme(value: string): string {
  return /^[a-z0-9]+:\/\//i.test(value) ? value : `http://${value}`;
}

/** `origin` is the field or variable to name in an error; the URL may hold a password. */
function parseProxyUrl(value: string, origin: string): ProxySettings {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const kind = url === undefined ? undefined : kindOf(url.protocol);
  if (url === undefined || kind === undefined || url.hostname === '') {
    const message = `${origin} is not the URL of a proxy`;
    const hint = 'Write http://host:port, https://host:port or socks5://host:port.';
    throw new TransportError('TRANSPORT_CONFIG', message, { hint });
  }
  const port = url.port === '' ? DEFAULT_PORTS[kind] : Number(url.port);
  const { host } = hostAndPort(url);
  return {
    kind,
    host,
    port,
    name: `${url.hostname}:${port}`,
    ...(url.username !== '' && {
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }),
  };
}

function kindOf(protocol: string): ProxySettings['kind'] | undefined {
  switch (protocol) {
    case 'http:':
      return 'http';
    case 'https:':
      return 'https';
    case 'socks5:':
    case 'socks5h:':
      return 'socks5';
    default:
      return undefined;
  }
}
