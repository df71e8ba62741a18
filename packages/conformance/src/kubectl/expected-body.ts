import { isJsonObject, type JsonObject, type JsonValue, getKey } from 'client-ts/internal';
import { textAt } from '../json/pointer.ts';
import { isBase64 } from '../recordings/format.ts';
import { protobufDecoder } from '../recordings/protobuf.ts';
import type { RecordedCommand, RecordedCommandRequest } from './recorded-commands.ts';

/**
 * Returns what the response to a request must contain at least, given the request and the Status
 * that kubectl printed.
 */
export function expectedBody(
  command: RecordedCommand,
  request: RecordedCommandRequest,
): JsonObject | undefined {
  const { status, method } = request;
  if (status >= 400) return expectedStatus(command, request);
  if (status >= 300 || status === 101) return undefined;
  const address = addressOf(request.path);
  if (address === undefined || status === 204) return undefined;
  const { apiVersion, name, subresource } = address;
  if (subresource === 'eviction') return { kind: 'Status', status: 'Success' };
  // Some kinds answer a deletion with the object, some with a Status; both contain the name.
  if (method === 'DELETE') return name === undefined ? undefined : { [DELETED]: name };
  if (request.accept?.includes('as=Table') === true) return { kind: 'Table' };
  const { metadata, ...sent } = (method === 'GET' ? undefined : sentObject(request)) ?? {};
  const isOwnKind = subresource === undefined || subresource === 'status';
  return {
    ...(isOwnKind && { apiVersion }),
    ...sent,
    ...(name === undefined
      ? metadata !== undefined && { metadata }
      : { metadata: { ...(isJsonObject(metadata) ? metadata : {}), name } }),
  };
}

/** Stands for the name of a deleted object, which is in one of two places. */
const DELETED = 'deleted';

/** Returns a response with the name of the deleted object at a fixed place. */
export function withDeleted(method: string, body: JsonValue | undefined): JsonValue | undefined {
  if (method !== 'DELETE' || !isJsonObject(body) || textAt(body, '/reason') !== '') return body;
  const pointer = body['kind'] === 'Status' ? '/details/name' : '/metadata/name';
  return { ...body, [DELETED]: textAt(body, pointer) };
}

/** Reduces a response to the expected parts, so that the two can be compared. */
export function partsLike(expected: JsonValue | undefined, own: unknown): unknown {
  if (isJsonObject(expected) && isJsonObject(own)) {
    return Object.fromEntries(
      Object.entries(expected)
        .filter(([key]) => getKey(own, key) !== undefined)
        .map(([key, value]) => [key, partsLike(value, getKey(own, key))]),
    );
  }
  if (Array.isArray(expected) && Array.isArray(own)) {
    return own.map((item, index) =>
      index < expected.length ? partsLike(expected[index], item) : (item as unknown),
    );
  }
  return own;
}

/** Returns the Status that kubectl printed if this request failed, or what every Status has. */
function expectedStatus(
  { stderr = '', requests }: RecordedCommand,
  request: RecordedCommandRequest,
): JsonObject | undefined {
  if (request.responseType?.startsWith('text/') === true) return undefined;
  const code = request.status;
  const least = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code };
  if (requests.findLast(({ status }) => status >= 400) !== request) return least;
  const invalid = /^The (\S+) "([^"]*)" is invalid: ([^]*)$/.exec(stderr);
  if (invalid !== null) {
    const [, kind = '', name = '', rest = ''] = invalid;
    const causes = rest.split(/\n\* |\n$/).filter((line) => line.trim() !== '');
    return { ...least, reason: 'Invalid', details: { kind, name, causes: causes.map(causeOf) } };
  }
  const shown = /Error from server(?: \((\w+)\))?: (?:error when creating "STDIN": )?(.*)\n?$/.exec(
    stderr,
  );
  if (shown === null) return least;
  const [, reason, message = ''] = shown;
  return { ...least, message, ...(reason !== undefined && { reason }) };
}

function causeOf(line: string): JsonObject {
  const [, field = '', message = ''] = /^(?:\* )?(\S+): ([^]*)$/.exec(line.trim()) ?? [];
  return { field, message };
}

interface Address {
  readonly apiVersion: string;
  readonly name?: string;
  readonly subresource?: string;
}

function addressOf(path: string): Address | undefined {
  const steps = (path.split('?')[0] ?? '').split('/').slice(1);
  const [root, ...rest] = steps;
  const isCore = root === 'api';
  if (!isCore && root !== 'apis') return undefined;
  const apiVersion = rest.slice(0, isCore ? 1 : 2).join('/');
  const resource = rest.slice(isCore ? 1 : 2);
  const isNamespaced = resource[0] === 'namespaces' && resource.length > 2;
  const [plural, name, subresource] = isNamespaced ? resource.slice(2) : resource;
  if (plural === undefined) return undefined;
  return {
    apiVersion,
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
  };
}

/** Returns what was sent: whole objects and merge patches come back, with defaults added. */
function sentObject({
  path,
  body,
  contentType = '',
}: RecordedCommandRequest): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const object = isBase64(body)
    ? protobufDecoder.object(Buffer.from(body.base64, 'base64'), path)
    : body;
  if (!isJsonObject(object) || /\/(?:binding|eviction)(?:\?|$)/.test(path)) return undefined;
  if (['DeleteOptions', 'Eviction'].includes(textAt(object, '/kind'))) return undefined;
  // Reviews are answered in their status; that of rules does not repeat the question.
  if (path.includes('/selfsubjectrulesreviews')) return undefined;
  if (path.includes('/authorization.k8s.io/')) delete object['status'];
  const isPatch = contentType.includes('patch') && !contentType.includes('apply');
  return comingBack(object, isPatch) as JsonObject | undefined;
}

/** Removes what does not come back as sent: empty values, versions, deletions, merged lists. */
function comingBack(value: JsonValue | undefined, isPatch: boolean): JsonValue | undefined {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    if (isPatch) return undefined;
    return value.map((item) => comingBack(item, isPatch) ?? item);
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([key]) => !key.startsWith('$') && !['resourceVersion', 'stringData'].includes(key))
    .map(([key, item]) => [key, comingBack(item, isPatch)] as const)
    .filter(([, item]) => item !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
