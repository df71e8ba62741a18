import { isJsonObject, type JsonValue, getKey } from 'client-ts/internal';
import { textAt } from '../json/pointer.ts';
import type { Answer } from '../recordings/answer.ts';
import type { RecordedExchange, Recording } from '../recordings/format.ts';
import type { RecordedCommandRequest } from './recorded-commands.ts';

/** A recorded exchange with the complete response to a request of kubectl. */
export interface Twin {
  readonly recording: Recording;
  readonly exchange: RecordedExchange;
}

/** Discovery, OpenAPI, health and version, which depend only on the server. */
const COMMON = /^\/(?:api(?:\/v1)?|apis(?:\/[^/]+\/v1)?|openapi\/v[23].*|readyz|version)$/;

/** Returns the recorded exchange for the same document in the same encoding. */
export function twinOf(
  recordings: readonly Recording[],
  request: RecordedCommandRequest,
): Twin | undefined {
  const path = pathOf(request.path);
  if (request.method !== 'GET' || request.status !== 200 || !COMMON.test(path)) return undefined;
  for (const recording of recordings) {
    const exchange = recording.exchanges.find(
      ({ request: { path: other, method }, response }) =>
        method === 'GET' &&
        pathOf(other) === path &&
        response.status === 200 &&
        response.headers['content-type'] === request.responseType,
    );
    if (exchange !== undefined) return { recording, exchange };
  }
  return undefined;
}

/** Removes parameters that do not affect the content of the response. */
function pathOf(path: string): string {
  return path.replaceAll(/[?&](?:timeout=32s|hash=[0-9A-F]+)/g, '');
}

const CUSTOM_GROUP = 'k.rec.example.com';

/** True for paths and schemas of OpenAPI that existed before the commands defined a group. */
export function isBuiltIn(name: string): boolean {
  return !name.includes(CUSTOM_GROUP) && !name.startsWith('com.example.rec.k.');
}

/** Returns the response without the group that the commands define. */
export function withoutCustomGroup(answer: Answer): Answer {
  const { body } = answer;
  if (!isJsonObject(body)) return answer;
  const isOther = (item: JsonValue): boolean =>
    ![textAt(item, '/name'), textAt(item, '/metadata/name')].includes(CUSTOM_GROUP);
  const without = (value: JsonValue | undefined): JsonValue | undefined => {
    if (Array.isArray(value)) return value.filter(isOther);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !key.includes(CUSTOM_GROUP)));
  };
  const changed = Object.fromEntries(
    ['items', 'groups', 'paths']
      .filter((key) => getKey(body, key) !== undefined)
      .map((key) => [key, without(getKey(body, key))]),
  );
  return { ...answer, body: { ...body, ...changed } };
}
