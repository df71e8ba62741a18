import type { JsonObject } from 'client-ts/internal';
import { admitConnection } from './admission.ts';
import type { ResourceExchange } from './exchange.ts';
import { isTrue, parseInteger } from './query.ts';

type ConnectOptions = (query: URLSearchParams, path: string) => JsonObject;

/** The kinds of options of connections, by resource and subresource, and how URLs express them. */
const CONNECTIONS: ReadonlyMap<string, { kind: string; options: ConnectOptions }> = new Map([
  ['pods/attach', { kind: 'PodAttachOptions', options: streams }],
  [
    'pods/exec',
    {
      kind: 'PodExecOptions',
      options: (query): JsonObject => ({ ...streams(query), command: query.getAll('command') }),
    },
  ],
  ['pods/portforward', { kind: 'PodPortForwardOptions', options: ports }],
  ['pods/proxy', { kind: 'PodProxyOptions', options: proxied }],
  ['services/proxy', { kind: 'ServiceProxyOptions', options: proxied }],
  ['nodes/proxy', { kind: 'NodeProxyOptions', options: proxied }],
]);

/** Lets admission webhooks decide about a connection; other requests pass. */
export async function admitConnect(exchange: ResourceExchange): Promise<void> {
  const { info } = exchange;
  const connection = CONNECTIONS.get(`${info.resource}/${info.subresource}`);
  if (connection === undefined) return;
  const { kind, options } = connection;
  const path = info.parts.slice(3).join('/');
  const type = { group: '', version: 'v1', kind };
  await admitConnection(exchange, type, options(info.query, path === '' ? '' : `/${path}`));
}

function streams(query: URLSearchParams): JsonObject {
  const container = query.get('container') ?? '';
  return {
    ...flag(query, 'stdin'),
    ...flag(query, 'stdout'),
    ...flag(query, 'stderr'),
    ...flag(query, 'tty'),
    ...(container !== '' && { container }),
  };
}

function flag(query: URLSearchParams, name: string): JsonObject {
  return query.has(name) && isTrue(query.get(name)) ? { [name]: true } : {};
}

function ports(query: URLSearchParams): JsonObject {
  const numbers = query.getAll('ports').flatMap((text) => parseInteger(text) ?? []);
  return numbers.length === 0 ? {} : { ports: numbers };
}

function proxied(_query: URLSearchParams, path: string): JsonObject {
  return path === '' ? {} : { path };
}
