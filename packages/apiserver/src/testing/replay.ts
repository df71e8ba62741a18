import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from 'client-ts/meta';
import type { TestServer } from './test-server.ts';

/** A request, and what a kube-apiserver 1.36 answered. */
export interface RecordedExchange {
  readonly method: string;
  readonly path: string;
  /** The content type. Default: JSON. */
  readonly type?: string;
  readonly user?: string;
  readonly body?: object;
  readonly status: number;
  readonly warning?: string;
  readonly answer?: {
    readonly reason?: string;
    readonly message?: string;
    readonly details?: object;
  };
  /** The object of the answer without what no two servers have in common. */
  readonly object?: object;
  /** Whether the object has its managed fields. */
  readonly managed?: boolean;
}

/** Reads a recording in `testdata`. */
export function readRecording(name: string): readonly RecordedExchange[] {
  const url = new URL(`../../testdata/${name}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as RecordedExchange[];
}

/** Sends the requests of a recording and compares each answer with the recorded one. */
export async function replay(
  server: TestServer,
  exchanges: readonly RecordedExchange[],
): Promise<void> {
  let sent = '';
  for (const expected of exchanges) {
    const { method, path, type = 'application/json', user, body } = expected;
    const headers = {
      'content-type': type,
      ...(user !== undefined && { 'impersonate-user': user }),
    };
    const content = body && Buffer.from(JSON.stringify(body));
    const response = await server.send(method, path, content, { headers });
    if (path.endsWith('/customresourcedefinitions')) await server.settle();
    const { kind, reason, message, details } = response.body as { kind?: string } & NonNullable<
      RecordedExchange['answer']
    >;
    const warning = response.headers['warning'];
    const actual = {
      ...expected,
      status: response.status,
      ...(warning !== undefined && { warning: [warning].flat().join(', ') }),
      ...(kind === 'Status' &&
        response.status >= 300 && {
          answer: { reason, message, ...(details && { details }) },
        }),
      ...(expected.object && { object: comparable(response.body, expected) }),
    };
    assert.deepEqual(actual, expected, `${method} ${path} after ${sent}`);
    // The last request that set something up explains what follows.
    if (response.status < 300 && method === 'POST') sent = JSON.stringify(body);
  }
}

function comparable(
  { metadata = {}, status, ...rest }: KubernetesObject & { readonly status?: object },
  { object = {}, managed = false }: RecordedExchange,
): object {
  const { name, labels, annotations, finalizers, managedFields } = metadata;
  return {
    ...rest,
    metadata: {
      ...(name !== undefined && { name }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(managed && { managedFields: managedFields?.map(({ time: _time, ...entry }) => entry) }),
    },
    ...('status' in object && { status }),
  };
}
