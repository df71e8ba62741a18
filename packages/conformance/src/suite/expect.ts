import assert from 'node:assert/strict';
import { type Clock, isJsonObject, sleep, getKey } from 'client-ts/internal';
import type { Status } from 'client-ts/meta';
import { type ApiObject, firstHeader } from '../http/exchange.ts';
import type { Reply } from '../http/api-client.ts';

/** Asserts the status code and returns the body. */
export function ok(reply: Reply, status = 200): ApiObject {
  assert.equal(reply.status, status, `${reply.request}: ${reply.status} ${shortened(reply.text)}`);
  return reply.body;
}

/** Asserts that the response is a Status with this code, and returns it. */
export function failure(reply: Reply, code: number, reason?: string, message?: RegExp): Status {
  const context = `${reply.request}: ${shortened(reply.text)}`;
  assert.equal(reply.status, code, context);
  const { kind, apiVersion, status, ...rest } = reply.body as unknown as Status;
  assert.deepEqual([kind, apiVersion, status], ['Status', 'v1', 'Failure'], context);
  assert.equal(rest.code, code, context);
  if (reason !== undefined) assert.equal(rest.reason, reason, context);
  if (message !== undefined) assert.match(rest.message ?? '', message, context);
  assert.equal(firstHeader(reply.headers, 'content-type'), 'application/json', context);
  return rest;
}

/** Returns the fields of a validation error, sorted. */
export function causeFields(status: Status): string[] {
  return (status.details?.causes ?? []).map(({ field }) => field ?? '').toSorted();
}

/** Returns the warnings of a response, without code and quotes. */
export function warnings(reply: Reply): string[] {
  return [reply.headers['warning'] ?? []].flat().map((warning) => {
    const text = /^299 - "(.*)"$/.exec(warning)?.[1] ?? warning;
    return text.replaceAll('\\"', '"');
  });
}

/** Returns the names of the items of a list. */
export function names(list: ApiObject): string[] {
  assert.ok(Array.isArray(list.items), `no items in ${shortened(JSON.stringify(list))}`);
  return list.items.map(({ metadata }) => metadata.name ?? '');
}

/** Returns the value at a path such as `spec.template.spec`, or undefined. */
export function field(object: unknown, path: string): unknown {
  let value = object;
  for (const step of path.split('.')) {
    value = Array.isArray(value)
      ? (value[Number(step)] as unknown)
      : isJsonObject(value)
        ? getKey(value, step)
        : undefined;
  }
  return value;
}

/** Returns the version of an object or list as a number, to compare which is newer. */
export function revision({ metadata }: ApiObject): bigint {
  return BigInt(metadata.resourceVersion ?? '');
}

const POLL_MS = 50;
const TIMEOUT_MS = 15_000;

/** Polls until `reached` returns something. */
export async function eventually<T>(
  clock: Clock,
  what: string,
  reached: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = clock.monotonic() + TIMEOUT_MS;
  for (;;) {
    const result = await reached();
    if (result !== undefined) return result;
    assert.ok(clock.monotonic() < deadline, `${what} did not happen within ${TIMEOUT_MS / 1000} s`);
    await sleep(clock, POLL_MS);
  }
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
