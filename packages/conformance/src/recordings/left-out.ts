import { isJsonObject, type JsonValue } from 'client-ts/internal';
import { textAt } from '../json/pointer.ts';
import type { Answer } from './answer.ts';
import type { RecordedExchange, Recording } from './format.ts';
import { openApiOutline } from './openapi-protobuf.ts';
import { reduceLike } from './reduce.ts';

/** Keys of a trimmed body that describe it and are not part of it. */
const REMARKS: ReadonlySet<string> = new Set(['bytes', 'note']);

/** True if the body was not recorded at all, although there was one. */
export function isLeftOut({ response: { trimmed, body } }: RecordedExchange): boolean {
  return (
    trimmed === true && isJsonObject(body) && Object.keys(body).every((key) => REMARKS.has(key))
  );
}

/**
 * Returns what to compare if the body was not recorded: the body of another exchange with the same
 * content, and the response reduced to that body's form. Unknown paths and schemas of an OpenAPI
 * document are ignored.
 */
export function fromTwin(
  recording: Recording,
  exchange: RecordedExchange,
  answer: Answer,
  isKnown: (name: string) => boolean = () => true,
): readonly [recorded: JsonValue, own: JsonValue | undefined] {
  const path = withoutQuery(exchange.request.path);
  const document = /^\/openapi\/v([23])/.exec(path)?.[1];
  const twin = recording.exchanges.find(
    (other) =>
      isJsonObject(other.response.body) &&
      !isLeftOut(other) &&
      (document === undefined ? objectPath(other) : withoutQuery(other.request.path)) === path,
  );
  const recorded = twin?.response.body;
  if (!isJsonObject(recorded)) throw new Error(`no exchange shows the body of "${exchange.id}"`);
  if (document === undefined) return [recorded, answer.body];
  let body: JsonValue;
  try {
    body = openApiOutline(answer.bytes, document === '2' ? 2 : 3, isKnown);
  } catch (error) {
    return [recorded, `no protobuf: ${error instanceof Error ? error.message : String(error)}`];
  }
  const keys = [
    'swagger',
    'openapi',
    'info',
    'pathNames',
    'pathCount',
    'schemaNames',
    'schemaCount',
  ];
  const outline = Object.fromEntries(
    Object.entries(recorded).filter(([key]) => keys.includes(key)),
  );
  return [outline, reduceLike(outline, { ...answer, body })];
}

/** Returns the path of the object that an exchange created. */
function objectPath({ request, response }: RecordedExchange): string | undefined {
  const name = textAt(response.body, '/metadata/name');
  return request.method === 'POST' && response.status === 201
    ? `${withoutQuery(request.path)}/${name}`
    : undefined;
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? '';
}
