import { BlockList, isIP } from 'node:net';

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
