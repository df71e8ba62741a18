import assert from 'node:assert/strict';
import { type Clock, isJsonObject, sleep, getKey } from 'client-ts/internal';
import type { Status } from 'client-ts/meta';
import { type ApiObject, firstHeader } from '../http/exchange.ts';
import type { Reply } from '../http/api-client.ts';

/** Asserts the status code and gives the body. */
export function ok(reply: Reply, status = 200): ApiObject {
  assert.equal(reply.status, status, `${reply.request}: ${reply.status} ${shortened(reply.text)}`);
  return reply.body;
}

/** Asserts that the answer is an error in the form every client relies on, and gives it. */
export function failure(reply: Reply, code: number, reason?: string, message?: RegExp): Status {
  const told = `${reply.request}: ${shortened(reply.text)}`;
  assert.equal(reply.status, code, told);
  const { kind, apiVersion, status, ...rest } = reply.body as unknown as Status;
  assert.deepEqual([kind, apiVersion, status], ['Status', 'v1', 'Failure'], told);
  assert.equal(rest.code, code, told);
  if (reason !== undefined) assert.equal(rest.reason, reason, told);
  if (message !== undefined) assert.match(rest.message ?? '', message, told);
  assert.equal(firstHeader(reply.headers, 'content-type'), 'application/json', told);
  return rest;
}

/** The fields that a validation error complains about, sorted. */
export function causeFields(status: Status): string[] {
  return (status.details?.causes ?? []).map(({ field }) => field ?? '').toSorted();
}

/** The warnings that came with an answer, without their code and quotes. */
export function warnings(reply: Reply): string[] {
  return [reply.headers['warning'] ?? []].flat().map((warning) => {
    const text = /^299 - "(.*)"$/.exec(warning)?.[1] ?? warning;
    return text.replaceAll('\\"', '"');
  });
}

/** The names of the items of a list. */
export function names(list: ApiObject): string[] {
  assert.ok(Array.isArray(list.items), `no items in ${shortened(JSON.stringify(list))}`);
  return list.items.map(({ metadata }) => metadata.name ?? '');
}

/** What stands at a path such as `spec.template.spec`, or undefined. */
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

/** The version of an object or list as a number, for comparing which is newer. */
export function revision({ metadata }: ApiObject): bigint {
  return BigInt(metadata.resourceVersion ?? '');
}

const POLL_MS = 50;
const PATIENCE_MS = 15_000;

/** Asks until `reached` gives something, for what a server does a little later. */
export async function eventually<T>(
  clock: Clock,
  what: string,
  reached: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const result = await reached();
    if (result !== undefined) return result;
    assert.ok(
      clock.monotonic() < deadline,
      `${what} did not happen within ${PATIENCE_MS / 1000} s`,
    );
    await sleep(clock, POLL_MS);
  }
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
