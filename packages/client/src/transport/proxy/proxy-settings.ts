import { BlockList, isIP } from 'node:net';
import type { Environment } from '../../lib/environment.ts';
import { getKey } from '../../lib/json.ts';
import { TransportError } from '../transport-error.ts';

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
  env: Environment,
): ProxySettings | undefined {
  if (configured !== undefined) return parseProxyUrl(configured, 'proxyUrl');
  const target = hostAndPort(server);
  if (isDirect(target, lookUp(env, 'NO_PROXY')?.value ?? '')) return undefined;
  const found = lookUp(env, server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
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
  env: Environment,
  variable: string,
): { readonly name: string; readonly value: string } | undefined {
  for (const name of [variable, variable.toLowerCase()]) {
    const value = getKey(env, name);
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

/** A server as proxies see it: no brackets around IPv6 addresses, the port always known. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Whether a server is to be reached directly, as `NO_PROXY` says. The list is separated by commas:
 * `*`, IP addresses, CIDRs, names (with everything below them), `.name` or `*.name` (only what is
 * below it), each but CIDRs with a port if it is for that port only. Loopback is always direct.
 */
export function isDirect({ host, port }: HostAndPort, noProxy: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || isLoopback(name)) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, name, port));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isIP(host) !== 0 && isWithin(host, entry);
  const { host: wanted, port: wantedPort } = splitPort(entry);
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (isIP(wanted) !== 0) return isIP(host) !== 0 && isWithin(host, wanted);
  if (wanted.startsWith('*.')) return host.endsWith(wanted.slice(1));
  if (wanted.startsWith('.')) return host.endsWith(wanted);
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}

function splitPort(entry: string): { host: string; port?: number } {
  if (isIP(entry) !== 0) return { host: entry };
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const host = bracketed ?? plain ?? entry;
  return port === undefined ? { host } : { host, port: Number(port) };
}

/** Is the address in the range? A range that is none holds nothing. */
function isWithin(address: string, range: string): boolean {
  const [network = '', length] = range.split('/');
  const family = familyOf(network);
  if (family === undefined) return false;
  const prefix = Number(length ?? (family === 'ipv4' ? 32 : 128));
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (family === 'ipv4' ? 32 : 128)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(address, familyOf(address) ?? 'ipv4');
}

function isLoopback(host: string): boolean {
  return isIP(host) !== 0 && (isWithin(host, '127.0.0.0/8') || isWithin(host, '::1'));
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
