import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { TestServer } from '../../../../testing/test-server.ts';
import { findBreaches } from './security-checks.ts';

/** A request, and what a kube-apiserver 1.36 answered. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly status: number;
  readonly warning?: readonly string[];
  readonly reason?: string;
  readonly message?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('../../../../../testdata/pod-security.json', import.meta.url), 'utf8'),
) as Exchange[];

describe('pod security', () => {
  it('answers as a genuine server: pods, workloads and labels of namespaces', async () => {
    using server = new TestServer();
    assert.equal(recorded.length, 79);
    for (const expected of recorded) {
      const { method, path, body: sent } = expected;
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const { status, headers, body } = await server.send(
        method,
        path,
        Buffer.from(JSON.stringify(sent)),
        { headers: { 'content-type': type } },
      );
      const { reason, message } = body as { reason?: string; message?: string };
      const warning = headers['warning'];
      const actual = {
        method,
        path,
        body: sent,
        status,
        ...(warning !== undefined && { warning: [warning].flat() }),
        ...(status >= 300 && { message, reason }),
      };
      assert.deepEqual(actual, expected, `${method} ${path} ${JSON.stringify(sent)}`);
    }
  });

  it('forbids privileged containers from the baseline on', () => {
    const spec = { containers: [{ name: 'a', securityContext: { privileged: true } }] };
    assert.deepEqual(findBreaches('privileged', 36, {}, spec), []);
    assert.deepEqual(findBreaches('baseline', 36, {}, spec), [
      {
        reason: 'privileged',
        detail: 'container "a" must not set securityContext.privileged=true',
      },
    ]);
  });

  it('asks nothing of Linux from a pod for Windows, since 1.25', () => {
    const spec = {
      os: { name: 'windows' },
      securityContext: { runAsNonRoot: true },
      containers: [{ name: 'a' }],
    };
    assert.deepEqual(findBreaches('restricted', 36, {}, spec), []);
    assert.equal(findBreaches('restricted', 24, {}, spec).length, 3);
  });
});
