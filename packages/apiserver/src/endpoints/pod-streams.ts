import { newBadRequest, newForbidden } from 'client-ts/meta';

import { attributesOf } from '../auth/authorize.ts';
import type { ApiResponse } from '../http.ts';
import { type ContainerProcess, type Kubelet, KubeletError, type PodTarget } from '../kubelet.ts';
import { servePortForward, serveSpdyPortForward, wantsTunnel } from '../streams/port-forward.ts';
import {
  serveCommand,
  serveSpdyCommand,
  wantsVersion5,
  type WantedStreams,
} from '../streams/remote-command.ts';
import { isWebSocketRequest } from '../streams/web-socket-response.ts';
import { header, type ResourceExchange } from './exchange.ts';
import { nodeOf, requestedContainer, requestedPod } from './pod-containers.ts';
import { isTrue } from './query.ts';

/** `exec`, `attach` and `portforward` of a pod: streams of the node, over an upgraded connection. */
export async function stream(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  requireCreation(exchange);
  const pod = requestedPod(exchange);
  const isCommand = info.subresource !== 'portforward';
  const container = isCommand ? requestedContainer(pod, info.query) : '';
  if ((pod.spec?.nodeName ?? '') === '') {
    throw newBadRequest(`pod ${info.name} does not have a host assigned`);
  }
  const { kubelet, target } = nodeOf(exchange, pod);
  if (request.canUpgrade !== true) throw newBadRequest('Upgrade request required');
  if (!isCommand) return portForward(exchange, kubelet, target);
  const open = (): Promise<ContainerProcess> =>
    info.subresource === 'exec'
      ? kubelet.exec({ ...target, container }, info.query.getAll('command'))
      : kubelet.attach({ ...target, container });
  return await command(exchange, open);
}

async function command(
  { request, info, core }: ResourceExchange,
  open: () => Promise<ContainerProcess>,
): Promise<ApiResponse> {
  const wanted = wantedStreams(info.query);
  const kind = info.subresource === 'exec' ? 'exec' : 'attach';
  const options = { wanted, kind, clock: core.clock, signal: request.signal } as const;
  const isWebSocket = isWebSocketRequest(request);
  if (isWebSocket && wantsVersion5(header(request.headers, 'sec-websocket-protocol'))) {
    return upgraded((connection) => serveCommand(connection, { ...options, open }));
  }
  // A real server leaves older protocols to the kubelet, which refuses before it upgrades.
  const problem = streamsProblem(wanted);
  if (problem !== undefined) return plainRefusal(400, problem);
  const serve = isWebSocket ? serveCommand : serveSpdyCommand;
  try {
    const process = await open();
    return upgraded((connection) => serve(connection, { ...options, open: async () => process }));
  } catch (error) {
    if (error instanceof KubeletError) return plainRefusal(error.status, error.message);
    throw error;
  }
}

function portForward(
  { request, info, core }: ResourceExchange,
  kubelet: Kubelet,
  target: PodTarget,
): ApiResponse {
  const protocols = header(request.headers, 'sec-websocket-protocol');
  const isWebSocket = isWebSocketRequest(request);
  const ports = isWebSocket && !wantsTunnel(protocols) ? readPorts(info.query) : [];
  if (typeof ports === 'string') return plainRefusal(400, ports);
  const options = {
    connect: (port: number, signal: AbortSignal) => kubelet.connect(target, port, { signal }),
    pod: info.name,
    ports,
    clock: core.clock,
    signal: request.signal,
  };
  const serve = isWebSocket ? servePortForward : serveSpdyPortForward;
  return upgraded((connection) => serve(connection, options));
}

/** Returns the ports of the query; or a message if they are missing or invalid. */
function readPorts(query: URLSearchParams): number[] | string {
  const texts = query.getAll('ports');
  if (texts.length === 0) return 'query parameter "port" is required';
  const ports: number[] = [];
  for (const text of texts.flatMap((list) => list.split(','))) {
    const port = Number(text);
    if (!/^\d+$/.test(text) || port > 0xffff)
      return `unable to parse ${JSON.stringify(text)} as a port`;
    if (port < 1) return `port ${JSON.stringify(text)} must be > 0`;
    ports.push(port);
  }
  return ports.length > MAX_PORTS ? `more than ${MAX_PORTS} ports` : ports;
}

/** Two channels per port, and a channel is one byte. */
const MAX_PORTS = 127;

function upgraded(upgrade: NonNullable<ApiResponse['upgrade']>): ApiResponse {
  return { status: 101, headers: {}, upgrade };
}

/** The response of a kubelet, which the server passes on as it is. */
function plainRefusal(status: number, message: string): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(message),
  };
}

/** Since Kubernetes 1.35, opening a stream needs the permission to create, also with a GET. */
function requireCreation({ core, user, info }: ResourceExchange): void {
  if (info.verb === 'create') return;
  const attributes = { ...attributesOf(user, info), verb: 'create' };
  const { allowed, reason } = core.policy.decide(attributes);
  if (!allowed) throw newForbidden(info, info.name, reason);
}

function wantedStreams(query: URLSearchParams): WantedStreams {
  return {
    stdin: isTrue(query.get('stdin')),
    stdout: isTrue(query.get('stdout')),
    stderr: isTrue(query.get('stderr')),
    tty: isTrue(query.get('tty')),
  };
}

function streamsProblem({ stdin, stdout, stderr }: WantedStreams): string | undefined {
  return stdin || stdout || stderr
    ? undefined
    : 'you must specify at least 1 of stdin, stdout, stderr';
}
