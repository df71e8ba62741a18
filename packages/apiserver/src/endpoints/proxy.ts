import { posix } from 'node:path';

import type { Node, Pod } from 'client-ts/api/core/v1';
import { messageOf } from 'client-ts/internal';
import { newBadRequest, newServiceUnavailable } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import { type Kubelet, KubeletError } from '../kubelet.ts';
import { asksForUpgrade, forwardRequest, type ProxyTarget } from '../streams/http-proxy.ts';
import { KubeletApi } from '../streams/kubelet-api.ts';
import type { ResourceExchange } from './exchange.ts';
import { methodNotAllowed, unexplainedFailure } from './failures.ts';
import { nodeOf } from './pod-containers.ts';
import { podsOf } from './pod-subresources.ts';
import { endpointOf } from './service-endpoints.ts';

/** The name in the path of a proxy: `[scheme:]name[:port]`. */
interface ProxyName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

/** A port of a pod. */
interface PodPort {
  readonly pod: Pod;
  readonly host: string;
  /** NaN for a name, which real servers do not look up. */
  readonly port: number;
}

const METHODS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** `proxy` of pods, services and nodes: passes the request on to what listens there. */
export async function proxy(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  if (!METHODS.has(request.method)) throw methodNotAllowed();
  const name = parseName(info.name);
  if (name === undefined) {
    const kind = info.resource.slice(0, -1);
    throw newBadRequest(`invalid ${kind} request ${JSON.stringify(info.name)}`);
  }
  if (info.resource === 'nodes') return await proxyNode(exchange, name);
  const endpoint =
    info.resource === 'services'
      ? servicePort(exchange, name)
      : podPort(podsOf(exchange).get(info.namespace, name.name).value as Pod, name);
  return redirectToSlash(exchange) ?? (await proxyPod(exchange, name, endpoint));
}

function parseName(text: string): ProxyName | undefined {
  const parts = text.split(':');
  const [scheme, name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const isScheme = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || name === '' || !isScheme) return undefined;
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** The path of the proxy itself. */
function prefixOf({ info }: ResourceExchange): string {
  const namespace = info.namespace === '' ? '' : `/namespaces/${info.namespace}`;
  return `/api/v1${namespace}/${info.resource}/${info.name}/proxy`;
}

function queryOf({ request }: ResourceExchange): string {
  const mark = request.url.indexOf('?');
  return mark === -1 ? '' : request.url.slice(mark);
}

/** The path behind the proxy, cleaned and escaped as Go does; empty without a slash. */
function pathOf({ info }: ResourceExchange): string {
  const tail = info.parts.slice(3).join('/');
  const isFolder = info.path.endsWith('/');
  if (tail === '') return isFolder ? '/' : '';
  const path = posix.join('/', tail);
  return escapePath(isFolder && !path.endsWith('/') ? `${path}/` : path);
}

/** Go escapes more than `encodeURI` in some cases and less in others. */
function escapePath(path: string): string {
  return encodeURIComponent(path)
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(/%(?:2F|24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

/** Relative links of a page need the slash at the end of its path. */
function redirectToSlash(exchange: ResourceExchange): ApiResponse | undefined {
  const { request } = exchange;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || pathOf(exchange) !== '' || asksForUpgrade(request)) return undefined;
  const location = `${prefixOf(exchange)}/${queryOf(exchange)}`;
  return { status: 301, headers: { 'cache-control': 'no-cache, private', location } };
}

/** The port of a kubelet if the node does not say another one. */
const KUBELET_PORT = 10250;

async function proxyNode(
  exchange: ResourceExchange,
  { name, port }: ProxyName,
): Promise<ApiResponse> {
  const { core, served, request } = exchange;
  const node = served.registry.get('', name).value as Node;
  const { kubelet, clock } = core;
  if (kubelet === undefined) throw newBadRequest('address not allowed');
  const declared = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  const own = declared === 0 ? KUBELET_PORT : declared;
  if (port !== '' && port !== String(own)) {
    const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    throw unreachable(exchange, `${address ?? name}:${port}`);
  }
  const redirect = redirectToSlash(exchange);
  if (redirect !== undefined) return redirect;
  const url = `${pathOf(exchange) || '/'}${queryOf(exchange)}`;
  const podOf = (namespace: string, pod: string): Pod | undefined => {
    const found = podsOf(exchange).find(namespace, pod)?.value as Pod | undefined;
    return found?.spec?.nodeName === name ? found : undefined;
  };
  return await new KubeletApi(kubelet, name, clock, podOf).handle({ ...request, url });
}

function podPort(pod: Pod, { scheme, port }: ProxyName): PodPort {
  const declared = (pod.spec?.containers ?? []).find(({ ports = [] }) => ports.length > 0);
  const ip = pod.status?.podIP ?? '';
  if (ip === '') throw newBadRequest('address not allowed');
  const host = ip.includes(':') ? `[${ip}]` : ip;
  const wanted = port === '' ? String(declared?.ports?.[0]?.containerPort ?? '') : port;
  if (wanted === '') return { pod, host, port: scheme === 'https' ? 443 : 80 };
  return { pod, host: `${host}:${wanted}`, port: /^\d{1,5}$/.test(wanted) ? Number(wanted) : NaN };
}

function servicePort(exchange: ResourceExchange, name: ProxyName): PodPort {
  const { core, info } = exchange;
  const endpoint = endpointOf(core, { namespace: info.namespace, id: info.name, ...name });
  return podPort(endpoint.pod, { ...name, port: String(endpoint.port) });
}

async function proxyPod(
  exchange: ResourceExchange,
  { scheme }: ProxyName,
  { pod, host, port }: PodPort,
): Promise<ApiResponse> {
  const { request } = exchange;
  const connection = await connectTo(exchange, pod, host, port);
  const target: ProxyTarget = {
    scheme,
    host,
    prefix: prefixOf(exchange),
    url: `${pathOf(exchange) || '/'}${queryOf(exchange)}`,
    connection,
  };
  let response: ApiResponse;
  try {
    response = await forwardRequest(request, target);
  } catch (error) {
    connection.destroy();
    throw newServiceUnavailable(`error trying to reach service: ${reasonOf(error)}`);
  }
  if (asksForUpgrade(request) && response.upgrade === undefined && response.status < 400) {
    connection.destroy();
    throw unexplainedFailure(`invalid upgrade response: status code ${response.status}`);
  }
  return response;
}

async function connectTo(
  exchange: ResourceExchange,
  pod: Pod,
  host: string,
  port: number,
): ReturnType<Kubelet['connect']> {
  const { core, request } = exchange;
  const isBound = (pod.spec?.nodeName ?? '') !== '';
  if (core.kubelet === undefined || !isBound || Number.isNaN(port)) {
    throw unreachable(exchange, host);
  }
  const { kubelet, target } = nodeOf(exchange, pod);
  try {
    return await kubelet.connect(target, port, { signal: request.signal });
  } catch (error) {
    if (error instanceof KubeletError) throw unreachable(exchange, host);
    throw error;
  }
}

/** From outside of a pod, nothing that listens is all there is to see. */
function unreachable({ request }: ResourceExchange, host: string): Error {
  const text = `dial tcp ${host}: connect: connection refused`;
  return asksForUpgrade(request)
    ? unexplainedFailure(`error dialing backend: ${text}`)
    : newServiceUnavailable(`error trying to reach service: ${text}`);
}

/** The words of a real server for what went wrong on a connection. */
function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ECONNRESET') return 'EOF';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') {
    return 'tls: first record does not look like a TLS handshake';
  }
  return messageOf(error);
}
