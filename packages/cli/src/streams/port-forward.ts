import { portForward, type PortMapping } from 'client-ts/streams';
import { describeError } from 'client-ts/internal';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';
import { openSession } from '../resources/session.ts';
import { findPod, parseTarget } from './pod-argument.ts';

/** Options of `client-ts port-forward`. */
export interface PortForwardCommandOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly target: string;
  readonly ports: readonly string[];
  readonly addresses: readonly string[];
  readonly reconnect: boolean;
  /** How long to wait for a pod of something else. */
  readonly podTimeoutMs: number;
}

/** Forwards ports until Ctrl-C, or until the pod is gone. */
export async function forwardPorts(
  options: PortForwardCommandOptions,
  context: CommandContext,
): Promise<void> {
  const ports = options.ports.map(parsePort);
  await using session = await openSession(options.connection, context, options);
  const target = parseTarget(options.target, session.namespace);
  const { addresses, reconnect, podTimeoutMs } = options;
  const { signal } = context;
  await findPod(session, context, target, { podTimeoutMs });
  const forward = await portForward(session.rest, target, ports, {
    addresses: addresses.length === 0 ? ['localhost'] : addresses,
    reconnect,
    signal,
    onConnection: ({ local }) => context.out(`Handling connection for ${local}`),
    onError: (error) => context.err(`error: ${describeError(error)}`),
  });
  for (const { address, local, remote } of forward.ports) {
    const host = address.includes(':') ? `[${address}]` : address;
    context.out(`Forwarding from ${host}:${local} -> ${remote}`);
  }
  await forward.closed;
}

/** `8080`, `8080:80`, `:80`, and names for the second. */
export function parsePort(text: string): PortMapping {
  const [first = '', second, ...others] = text.split(':');
  const remote = second ?? first;
  const isNumber = /^\d+$/.test(remote);
  const local = second === undefined ? (isNumber ? Number(remote) : 0) : Number(first || '0');
  const isName = /^[a-z0-9-]{1,15}$/.test(remote) && /[a-z]/.test(remote);
  const isRemote = isNumber ? Number(remote) > 0 && Number(remote) < 65_536 : isName;
  if (others.length > 0 || !isRemote || !/^\d*$/.test(second === undefined ? '' : first)) {
    throw new UsageError(`${JSON.stringify(text)} is not [LOCAL_PORT:]REMOTE_PORT`);
  }
  return { local, remote: isNumber ? Number(remote) : remote };
}
