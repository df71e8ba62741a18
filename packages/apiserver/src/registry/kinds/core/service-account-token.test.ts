import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VirtualClock } from 'client-ts/testing';

import { issueToken, type TokenOptions } from './service-account-token.ts';

const ACCOUNT = { metadata: { name: 'robot', namespace: 'n', uid: 'u' } };

function options(issued: unknown[] = []): TokenOptions {
  const clock = new VirtualClock();
  const objects: Record<string, object> = {
    'pods/n/own': { metadata: { uid: 'p' }, spec: { serviceAccountName: 'robot' } },
    'pods/n/other': { metadata: { uid: 'q' }, spec: { serviceAccountName: 'else' } },
    'nodes//node': { metadata: { uid: 'm' } },
  };
  return {
    clock,
    audiences: ['api'],
    lookup: (resource, namespace, name) => objects[`${resource}/${namespace}/${name}`],
    issue: (spec) => {
      issued.push(spec);
      return { token: 'T', expiresAt: clock.now() + spec.expirationSeconds * 1000 };
    },
  };
}

describe('a token for a service account', () => {
  it("has the server's audience and lasts an hour by default", () => {
    const issued: unknown[] = [];
    assert.deepEqual(issueToken(ACCOUNT, {}, options(issued)), {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { ...ACCOUNT.metadata, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { audiences: ['api'], expirationSeconds: 3600 },
      status: { token: 'T', expirationTimestamp: '2026-01-01T01:00:00Z' },
    });
    assert.deepEqual(issued, [
      { namespace: 'n', name: 'robot', uid: 'u', audiences: ['api'], expirationSeconds: 3600 },
    ]);
    const { spec } = issueToken(
      ACCOUNT,
      { spec: { audiences: ['x'], expirationSeconds: 600 } },
      options(),
    );
    assert.deepEqual(spec, { audiences: ['x'], expirationSeconds: 600 });
  });

  it('rejects the name of another account', () => {
    assert.throws(
      () => issueToken(ACCOUNT, { metadata: { name: 'other' }, spec: {} }, options()),
      /metadata\.name: Invalid value: "other": must match the service account name if specified$/,
    );
  });

  it('rejects lifetimes that are too short or too long', () => {
    const refused = (expirationSeconds: number): string => {
      try {
        issueToken(ACCOUNT, { spec: { expirationSeconds } }, options());
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.match(refused(599), /may not specify a duration less than 10 minutes$/);
    assert.match(refused(2 ** 32 + 1), /may not specify a duration larger than 2\^32 seconds$/);
    assert.equal(refused(2 ** 32), '');
  });

  it('can be bound to an existing object', () => {
    const bind = (reference: object): unknown => {
      const issued: { boundObject?: unknown }[] = [];
      issueToken(ACCOUNT, { spec: { boundObjectRef: reference } }, options(issued));
      return issued[0]?.boundObject;
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', name: 'own' };
    assert.deepEqual(bind(pod), { kind: 'Pod', name: 'own', uid: 'p' });
    assert.deepEqual(bind({ ...pod, uid: 'p' }), { kind: 'Pod', name: 'own', uid: 'p' });
    assert.deepEqual(bind({ apiVersion: 'v1', kind: 'Node', name: 'node' }), {
      kind: 'Node',
      name: 'node',
      uid: 'm',
    });
    assert.throws(() => bind({ ...pod, name: 'none' }), { message: 'pods "none" not found' });
    assert.throws(() => bind({ ...pod, uid: 'x' }), {
      message:
        'Operation cannot be fulfilled on pods "own": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    });
    assert.throws(() => bind({ ...pod, name: 'other' }), {
      message:
        'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    });
    assert.throws(() => bind({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }), {
      message: 'cannot bind token to object of type apps/v1, Kind=Deployment',
    });
  });
});
