import { newBadRequest, parseTime } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import { type ContainerLogOptions, KubeletError } from '../kubelet.ts';
import { canonicalTime, TimeFormatError } from '../schema/go-time.ts';
import { forbidden, invalid, invalidObject } from '../validation/field-error.ts';
import { type ResourceExchange, responseHeaders } from './exchange.ts';
import { nodeFailure } from './node-failure.ts';
import { nodeOf, requestedContainer, requestedPod } from './pod-containers.ts';
import { isTrue, parseInteger } from './query.ts';

/** `GET pods/x/log`: a stream of the node. Nothing for a pod that is not scheduled. */
export async function log(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  const options = readOptions(info.name, info.query, request.signal);
  const pod = requestedPod(exchange);
  const container = requestedContainer(pod, info.query);
  if ((pod.spec?.nodeName ?? '') === '') {
    return { status: 204, headers: { 'cache-control': 'no-cache, private' } };
  }
  const { kubelet, target } = nodeOf(exchange, pod);
  try {
    const body = await kubelet.logs({ ...target, container }, options);
    return {
      status: 200,
      headers: responseHeaders(exchange, 'text/plain'),
      body,
      webSocket: 'bytes',
    };
  } catch (error) {
    throw error instanceof KubeletError ? nodeFailure(error, info) : error;
  }
}

function readOptions(
  name: string,
  query: URLSearchParams,
  signal: AbortSignal,
): ContainerLogOptions {
  const tailLines = parseInteger(query.get('tailLines'));
  const limitBytes = parseInteger(query.get('limitBytes'));
  const sinceSeconds = parseInteger(query.get('sinceSeconds'));
  const sinceTimeMs = readTime(query.get('sinceTime') ?? '');
  const findings = [];
  if (tailLines !== undefined && tailLines < 0) {
    findings.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    findings.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTimeMs !== undefined) {
    findings.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    findings.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (query.has('stream')) findings.push(forbidden('stream', 'may not be specified'));
  if (findings.length > 0) {
    throw invalidObject({ group: '', kind: 'PodLogOptions' }, name, findings);
  }
  return {
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    tailLines,
    limitBytes,
    sinceSeconds,
    sinceTimeMs,
    signal,
  };
}

/** Fractions of a second are dropped, as on a real server. */
function readTime(text: string): number | undefined {
  if (text === '' || text === 'null') return undefined;
  try {
    const time = canonicalTime(text);
    return time === undefined ? undefined : parseTime(time);
  } catch (error) {
    throw error instanceof TimeFormatError ? newBadRequest(error.message) : error;
  }
}
