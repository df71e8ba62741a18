import {
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  getKey,
  isJsonObject,
  type JsonValue,
} from 'client-ts/internal';
import type { TransportRequest } from 'client-ts/transport';
import { firstHeader } from '../http/exchange.ts';
import type { Answer } from './answer.ts';
import { describedBody } from './described-body.ts';
import { isBase64, type RecordedExchange, type RecordedRef, type Recording } from './format.ts';
import { pointerSteps, textAt, valueAt, withValueAt } from '../json/pointer.ts';

/** The responses of this run so far, by the id of their exchange. */
export type Answers = ReadonlyMap<string, Answer>;

/** An earlier response lacks a value that a later request needs. */
export class MissingReferenceError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('CONFORMANCE_MISSING_REFERENCE', message, options);
  }

  static {
    defineErrors(this, 'MissingReferenceError', 'CONFORMANCE', {
      CONFORMANCE_MISSING_REFERENCE: { retry: 'never' },
    });
  }
}

/**
 * Returns the request to send: the recorded one, with every value from an earlier response replaced
 * by the value of the server under test.
 */
export function fillRequest(
  recording: Recording,
  exchange: RecordedExchange,
  answers: Answers,
): TransportRequest {
  const { request } = exchange;
  let { path } = request;
  let { body } = request;
  if (request.bodyDescribed === true && body !== undefined) {
    body = describedBody(body, (from) => referred(answers, from, '/status/token'));
  }
  for (const ref of request.refs ?? []) {
    const value = referred(answers, sourceOf(recording, ref, answers), ref.pointer);
    if (ref.at === '/path') path = path.replaceAll(ref.value, encodeURIComponent(value));
    else if (body !== undefined) body = withValueAt(body, pointerSteps(ref.at).slice(1), value);
  }

  const headers: Record<string, string | readonly string[]> = { ...request.headers };
  for (const [recorded, own] of entityTags(recording, answers)) {
    // The hash in the URL of an OpenAPI document is its ETag without the quotes.
    path = path.replaceAll(`hash=${recorded.slice(1, -1)}`, `hash=${own.slice(1, -1)}`);
    if (headers['if-none-match'] === recorded) headers['if-none-match'] = own;
  }
  return {
    method: request.method,
    path,
    headers,
    ...(body !== undefined && { body: bytesOf(body) }),
  };
}

/**
 * Returns the exchange that a reference means. References were found by equal values, and an object
 * may have had the same version as a list; an update needs the object's.
 */
function sourceOf(recording: Recording, ref: RecordedRef, answers: Answers): string {
  const pointer = '/metadata/resourceVersion';
  if (ref.at === '/path' || ref.pointer !== pointer) return ref.from;
  const object = recording.exchanges.findLast(
    ({ id, response }) =>
      answers.has(id) &&
      valueAt(response.body, pointer) === ref.value &&
      textAt(response.body, '/metadata/uid') !== '',
  );
  return object?.id ?? ref.from;
}

function referred(answers: Answers, from: string, pointer: string): string {
  const value = valueAt(answers.get(from)?.body, pointer);
  if (typeof value !== 'string' || value === '') {
    throw new MissingReferenceError(`the answer to "${from}" has nothing at ${pointer}`);
  }
  return value;
}

function* entityTags(recording: Recording, answers: Answers): Iterable<[string, string]> {
  for (const { id, response } of recording.exchanges) {
    yield* indexedTags(valueAt(response.body, '/paths'), valueAt(answers.get(id)?.body, '/paths'));
    const recorded = response.headers['etag'];
    const own = firstHeader(answers.get(id)?.headers ?? {}, 'etag');
    if (typeof recorded === 'string' && own !== undefined) yield [recorded, own];
  }
}

/** The index of OpenAPI documents has the hash of each in its URL. */
function* indexedTags(recorded: unknown, own: unknown): Iterable<[string, string]> {
  if (!isJsonObject(recorded) || !isJsonObject(own)) return;
  const tagOf = (entry: unknown): string | undefined =>
    /hash=([0-9A-F]+)/.exec(textAt(entry, '/serverRelativeURL'))?.[1];
  for (const [document, entry] of Object.entries(recorded)) {
    const [was, is] = [tagOf(entry), tagOf(getKey(own, document))];
    if (was !== undefined && is !== undefined) yield [`"${was}"`, `"${is}"`];
  }
}

function bytesOf(body: JsonValue): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  if (isJsonObject(body) && isBase64(body)) return Buffer.from(body.base64, 'base64');
  return Buffer.from(JSON.stringify(body));
}
