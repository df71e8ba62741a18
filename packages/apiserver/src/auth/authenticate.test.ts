import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiError, parseRequestInfo } from 'client-ts/meta';
import type { TransportHeaders } from 'client-ts/transport';

import type { Peer } from '../http.ts';
import { createAuthenticator } from './authenticate.ts';
import { type AccessPolicy, allowAll } from './authorize.ts';
import { StaticTokens } from './tokens.ts';
import type { UserInfo } from './user.ts';

const LIST = parseRequestInfo('GET', '/api/v1/namespaces/rec-auth/configmaps');

const tokens = new StaticTokens({
  secret: { name: 'admin', uid: 'admin', groups: ['system:masters'] },
});

/** Denies everything. */
const refuseAll: AccessPolicy = {
  decide: () => ({ allowed: false, reason: '' }),
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};

interface Attempt {
  headers?: TransportHeaders;
  peer?: Peer;
  anonymous?: boolean;
  policy?: AccessPolicy;
}

function authenticate({
  headers = {},
  peer = {},
  anonymous,
  policy = allowAll,
}: Attempt): UserInfo {
  const options = { tokens: [tokens], policy, ...(anonymous !== undefined && { anonymous }) };
  return createAuthenticator(options)({ headers, peer }, LIST);
}

function refusal(attempt: Attempt): ApiError {
  try {
    authenticate(attempt);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  return assert.fail('the request was let through');
}

const bearer = (token: string): Attempt => ({ headers: { authorization: `Bearer ${token}` } });

describe('createAuthenticator', () => {
  it('authenticates the user of a token and adds system:authenticated', () => {
    assert.deepEqual(authenticate(bearer('secret')), {
      name: 'admin',
      uid: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
    assert.equal(authenticate({ headers: { authorization: 'bearer secret' } }).name, 'admin');
  });

  it('rejects a wrong token with the recorded message, anonymous or not', () => {
    for (const anonymous of [false, true]) {
      assert.deepEqual(refusal({ ...bearer('wrong'), anonymous }).status, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    }
  });

  it('never echoes a token', () => {
    assert.doesNotMatch(JSON.stringify(refusal(bearer('wr0ng'))), /wr0ng/);
  });

  it('treats no credentials, an unknown scheme or an empty token as anonymous', () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer ' }]) {
      assert.equal(refusal({ headers }).statusCode, 401);
      assert.deepEqual(authenticate({ headers, anonymous: true }), {
        name: 'system:anonymous',
        groups: ['system:unauthenticated'],
      });
    }
  });

  it('takes user and groups from a client certificate before any token', () => {
    const certificate = { commonName: 'jane', organizations: ['dev', 'ops'], sha256: 'ab12' };
    assert.deepEqual(authenticate({ ...bearer('secret'), peer: { certificate } }), {
      name: 'jane',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab12'] },
    });
    const nameless = { commonName: '', organizations: ['dev'] };
    assert.equal(refusal({ peer: { certificate: nameless } }).statusCode, 401);
  });
});

describe('impersonation', () => {
  const as = (headers: TransportHeaders): UserInfo =>
    authenticate({ headers: { authorization: 'Bearer secret', ...headers } });

  it('switches to the user of the headers', () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': ['g1', 'g2'],
      'impersonate-uid': 'u-1',
      'impersonate-extra-scopes': ['a', 'b'],
      'impersonate-extra-ex.com%2fkey': 'v',
    };
    assert.deepEqual(as(headers), {
      name: 'jane',
      uid: 'u-1',
      groups: ['g1', 'g2', 'system:authenticated'],
      extra: { 'ex.com/key': ['v'], scopes: ['a', 'b'] },
    });
  });

  it('adds the groups of service accounts, nodes and the anonymous user', () => {
    const groups = (name: string): readonly string[] => as({ 'impersonate-user': name }).groups;
    assert.deepEqual(groups('system:serviceaccount:default:robot'), [
      'system:serviceaccounts',
      'system:serviceaccounts:default',
      'system:authenticated',
    ]);
    assert.deepEqual(groups('system:node:n1'), ['system:nodes', 'system:authenticated']);
    assert.deepEqual(groups('system:anonymous'), ['system:unauthenticated']);
    assert.deepEqual(groups('jane'), ['system:authenticated']);
  });

  it('keeps system:unauthenticated', () => {
    const headers = { 'impersonate-user': 'x', 'impersonate-group': 'system:unauthenticated' };
    assert.deepEqual(as(headers).groups, ['system:unauthenticated']);
  });

  it('rejects headers without a user name', () => {
    const error = refusal({
      headers: { authorization: 'Bearer secret', 'impersonate-group': 'g' },
    });
    assert.equal(error.statusCode, 400);
    assert.equal(
      error.message,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
    const extra = refusal({
      headers: { authorization: 'Bearer secret', 'impersonate-extra-k': 'v' },
    });
    assert.match(
      extra.message,
      /Groups:\[\]string\(nil\), Extra:map\[string\]\[\]string\{"k":\[\]string\{"v"\}\}\}/,
    );
  });

  it('answers 401 before it reads the impersonation headers', () => {
    assert.equal(refusal({ headers: { 'impersonate-group': 'g' } }).statusCode, 401);
  });

  it('requires permission and names the constrained verb first', () => {
    const error = refusal({
      headers: { 'impersonate-user': 'jane' },
      anonymous: true,
      policy: refuseAll,
    });
    assert.equal(
      error.message,
      'configmaps is forbidden: User "system:anonymous" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "rec-auth"',
    );
  });

  it('checks every attribute of the user, first constrained and then unconstrained', () => {
    const asked: string[] = [];
    const policy: AccessPolicy = {
      ...refuseAll,
      decide: ({ verb, group, resource, subresource, namespace, name }) => {
        const what = [group, resource, subresource].filter((part) => part !== '').join('/');
        asked.push(`${verb} ${what} ${namespace === '' ? '' : `${namespace}/`}${name}`);
        return { allowed: verb === 'impersonate', reason: '' };
      },
    };
    const headers = {
      authorization: 'Bearer secret',
      'impersonate-user': 'system:serviceaccount:ns:sa',
      'impersonate-uid': 'u',
      'impersonate-group': 'g',
      'impersonate-extra-k': 'v',
    };
    authenticate({ headers, policy });
    assert.deepEqual(asked, [
      'impersonate serviceaccounts ns/sa',
      'impersonate authentication.k8s.io/uids u',
      'impersonate groups g',
      'impersonate authentication.k8s.io/userextras/k v',
    ]);
    asked.length = 0;
    authenticate({
      headers: { authorization: 'Bearer secret', 'impersonate-user': 'jane' },
      policy,
    });
    assert.deepEqual(asked, [
      'impersonate-on:user-info:list configmaps rec-auth/',
      'impersonate users jane',
    ]);
  });

  it('grants system:masters only with unconstrained impersonation', () => {
    const constrained: AccessPolicy = {
      ...refuseAll,
      decide: ({ verb }) => ({ allowed: verb !== 'impersonate', reason: '' }),
    };
    const headers = {
      authorization: 'Bearer secret',
      'impersonate-user': 'boss',
      'impersonate-group': 'system:masters',
    };
    assert.match(
      refusal({ headers, policy: constrained }).message,
      /impersonating the system:masters group is not allowed/,
    );
    assert.ok(authenticate({ headers }).groups.includes('system:masters'));
  });
});
