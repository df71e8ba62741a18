import { BlockList, isIP } from 'node:net';
import type { Environment } from '../../lib/environment.ts';
import { getKey } from '../../lib/json.ts';
import { TransportError } from '../transport-error.ts';

/** The parts of a proxy's URL. */
export interface ProxySettings extends HostAndPort {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly username?: string;
  readonly password?: string;
  /** The name in messages: host and port, never credentials. */
  readonly name: string;
}

const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/**
 * Returns the proxy for a server: the configured one, or the one of the environment for the scheme,
 * unless `NO_PROXY` excludes the server. Undefined: connect directly.
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

/** Returns the host without brackets, and the port, also if the scheme implies it. */
export function hostAndPort({ hostname, port, protocol }: URL): HostAndPort {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** Upper case first, as in Go; an empty variable counts as unset. */
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

/** Variables may contain `proxy.example.com:3128` without a scheme, which means HTTP. */
function withScheme(value: string): string {
  return /^[a-z0-9]+:\/\//i.test(value) ? value : `http://${value}`;
}

/** `origin` is the field or variable to name in an error; the URL itself may contain a password. */
function parseProxyUrl(value: string, origin: string): ProxySettings {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const kind = url === undefined ? undefined : kindOf(url.protocol);
  if (url === undefined || kind === undefined || url.hostname === '') {
    const message = `${origin} is not a proxy URL`;
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

/** Host and port of a server: no brackets around IPv6 addresses, the port always set. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns whether `NO_PROXY` excludes a server. The list is separated by commas: `*`, IP addresses,
 * CIDRs, names (with their subdomains), `.name` or `*.name` (subdomains only), each but CIDRs
 * optionally with a port. Loopback is always direct.
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

/** True if the address is in the range; false for an invalid range. */
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
