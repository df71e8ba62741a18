import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';

import { type Answer, TestServer } from '../../testing/test-server.ts';

/*
 * Replays every recorded create as a dry run, so that each is independent. The response must be the
 * recorded one, except for values that differ with every create.
 */

interface Exchange {
  readonly id: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: JsonValue;
    readonly bodyDescribed?: boolean;
    readonly refs?: unknown;
    readonly anonymous?: boolean;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: { readonly warning?: readonly string[] };
    readonly body?: JsonValue;
    readonly trimmed?: boolean;
  };
}

function recorded(group: string): readonly Exchange[] {
  const file = new URL(`../../../../conformance/recordings/${group}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: Exchange[] }).exchanges;
}

const GROUPS = [
  'auth',
  'crud-configmap',
  'crud-defaults',
  'crud-errors',
  'crud-kinds',
  'crud-params',
  'list-selectors',
  'semantics',
  'subresources',
];

/** Go iterates maps in random order, so these list their errors in random order. */
const ORDERED_BY_CHANCE = new Set(['bad-data-key', 'bad-labels']);

/** Created, or rejected because of the object. */
const STATUSES = new Set([201, 403, 422]);

/** Returns the creates of built-in kinds that strategies decide; one namespace is terminating. */
function creates(group: string): readonly Exchange[] {
  return recorded(group).filter(({ id, request, response }) => {
    const { method, path, headers = {}, body } = request;
    return (
      method === 'POST' &&
      isJsonObject(body) &&
      request.bodyDescribed !== true &&
      request.refs === undefined &&
      request.anonymous !== true &&
      !ORDERED_BY_CHANCE.has(id) &&
      !JSON.stringify(body).includes('generateName') &&
      response.trimmed !== true &&
      STATUSES.has(response.status) &&
      !('authorization' in headers || 'impersonate-user' in headers) &&
      (headers['accept'] ?? 'application/json') === 'application/json' &&
      /^\/apis?(\/[a-z0-9.]+)?\/v[0-9][a-z0-9]*(\/namespaces\/[^/]+)?\/[a-z]+(\?|$)/.test(path) &&
      !/reviews(\?|$)|customresourcedefinitions|\/bindings|\/rec-term\//.test(path)
    );
  });
}

/** A real server enforces what ours warns about. */
const UNENFORCED = /^299 - "not enforced: /;

/** Differs with every create. */
const VOLATILE = new Set(['uid', 'creationTimestamp', 'resourceVersion', 'managedFields']);
/** Allocated at random, or a time of the recording. */
const DRAWN = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']);
const MOMENTS = /(Time|Timestamp)$/;

function comparable(value: JsonValue | undefined, uid: string): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => comparable(item, uid) ?? null);
  if (typeof value === 'string') return uid === '' ? value : value.replaceAll(uid, '<uid>');
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, content] of Object.entries(value)) {
    if (VOLATILE.has(key) || content === undefined) continue;
    const isDrawn = DRAWN.has(key) && content !== 'None' && !isHeadless(content);
    result[key] =
      isDrawn || (MOMENTS.test(key) && typeof content === 'string')
        ? '<drawn>'
        : (comparable(content, uid) ?? null);
  }
  return result;
}

function isHeadless(content: JsonValue): boolean {
  return Array.isArray(content) && content[0] === 'None';
}

function uidOf(body: JsonValue | undefined): string {
  const metadata = isJsonObject(body) ? body['metadata'] : undefined;
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}

function warningsIn(headers: Answer['headers']): readonly string[] {
  const { warning = [] } = headers;
  return [warning].flat().filter((text) => !UNENFORCED.test(text));
}

describe('recorded creates', () => {
  for (const group of GROUPS) {
    it(`return the recorded responses: ${group}`, async () => {
      using server = new TestServer();
      let count = 0;
      for (const { request, response } of creates(group)) {
        const { path, headers = {}, body } = request;
        const namespace = /\/namespaces\/([^/?]+)\//.exec(path)?.[1];
        if (namespace !== undefined) {
          await server.post('/api/v1/namespaces', { metadata: { name: namespace } });
        }
        const dry = path.includes('dryRun=')
          ? path
          : `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;
        const answer = await server.post(dry, body as JsonObject, { headers });
        const what = `${group}: ${JSON.stringify(body).slice(0, 300)}`;
        const actual = answer.body as unknown as JsonValue;
        assert.deepEqual(
          comparable(actual, uidOf(actual)),
          comparable(response.body, uidOf(response.body)),
          what,
        );
        assert.equal(answer.status, response.status, what);
        assert.deepEqual(warningsIn(answer.headers), response.headers?.warning ?? [], what);
        count += 1;
      }
      assert.ok(count > 0);
      assert.deepEqual(server.errors, []);
    });
  }
});
