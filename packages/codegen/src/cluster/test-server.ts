import assert from 'node:assert/strict';

import type { Transport, TransportRequest } from 'client-ts/transport';

/** A server that answers the given paths, and others with 404. */
export function serverOf(
  answers: Record<string, object | string>,
): Transport & { requests: string[] } {
  const requests: string[] = [];
  return {
    requests,
    request: async ({ method, path, headers }: TransportRequest) => {
      assert.equal(method, 'GET');
      assert.equal(headers['accept'], 'application/json');
      requests.push(path);
      const answer = answers[path];
      const missing = { kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound' };
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? missing);
      return {
        status: answer === undefined ? 404 : 200,
        headers: {},
        // In chunks, as real bodies arrive.
        body: (async function* () {
          const bytes = new TextEncoder().encode(text);
          yield bytes.subarray(0, 10);
          yield bytes.subarray(10);
        })(),
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
