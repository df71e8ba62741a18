import { type JsonObject, isJsonObject } from 'client-ts/internal';
import { ApiError, isStatus, newGenericServerResponse } from 'client-ts/meta';
import type { Transport } from 'client-ts/transport';

/** Reads one JSON document of an API server. Throws an `ApiError` for any status but 200. */
export async function getJson(
  transport: Transport,
  path: string,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const response = await transport.request({
    method: 'GET',
    path,
    headers: { accept: 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const body = parse(text);
  if (response.status === 200 && body !== undefined) return body;
  const request = { verb: 'GET', path };
  if (isStatus(body)) throw new ApiError(body, { request });
  throw newGenericServerResponse({
    code: response.status,
    verb: 'get',
    serverMessage: response.status === 200 ? `${path} is not a JSON object` : text.slice(0, 200),
    isUnexpectedResponse: true,
  });
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
