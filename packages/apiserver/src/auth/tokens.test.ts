import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';

import { type Clock, OptionError, seededRandom } from 'client-ts/internal';

import { type PublicJwk, ServiceAccountTokens } from './service-account-tokens.ts';
import { authenticateToken, DEFAULT_AUDIENCE, StaticTokens } from './tokens.ts';

const jane = { name: 'jane', groups: [] };

describe('StaticTokens', () => {
  it('accepts a token from add until remove', () => {
    const tokens = new StaticTokens({ a: jane });
    assert.deepEqual(tokens.authenticate('a', ['x']), {
      outcome: 'accepted',
      user: jane,
      audiences: ['x'],
    });
    assert.deepEqual(tokens.authenticate('b', ['x']), { outcome: 'unknown' });
    tokens.remove('a');
    assert.deepEqual(tokens.authenticate('a', ['x']), { outcome: 'unknown' });
  });

  it('maps a token to the user that was added last', () => {
    const tokens = new StaticTokens({ a: jane });
    tokens.add('a', { name: 'bob', groups: [] });
    tokens.remove('a');
    assert.equal(tokens.authenticate('a', []).outcome, 'unknown');
  });

  it('rejects tokens that a header cannot carry, without echoing them', () => {
    for (const token of ['', 'two words', 'tab\t', 'ü']) {
      assert.throws(
        () => new StaticTokens({ [token]: jane }),
        (error) => error instanceof OptionError && (token === '' || !error.message.includes(token)),
      );
    }
  });
});

class FixedClock implements Clock {
  time = Date.parse('2026-01-31T09:00:00Z');
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
  schedule(): never {
    throw new Error('nothing to wait for');
  }
}

describe('ServiceAccountTokens', () => {
  const setUp = (): {
    clock: FixedClock;
    uids: Map<string, string>;
    tokens: ServiceAccountTokens;
  } => {
    const clock = new FixedClock();
    const uids = new Map([['ns/robot', 'u-1']]);
    const tokens = new ServiceAccountTokens({
      clock,
      random: seededRandom(1),
      currentUid: (namespace, name) => uids.get(`${namespace}/${name}`),
    });
    return { clock, uids, tokens };
  };
  const spec = { namespace: 'ns', name: 'robot', uid: 'u-1', expirationSeconds: 600 };

  it('accepts its own tokens and returns their user', async () => {
    const { tokens, clock } = setUp();
    const { token, expiresAt } = (await tokens.issuer())({
      ...spec,
      boundObject: { kind: 'Pod', name: 'p', uid: 'u-2' },
    });
    assert.equal(expiresAt, clock.now() + 600_000);
    const verdict = tokens.authenticate(token, [DEFAULT_AUDIENCE]);
    assert.ok(verdict.outcome === 'accepted');
    assert.equal(verdict.user.name, 'system:serviceaccount:ns:robot');
    assert.equal(verdict.user.uid, 'u-1');
    assert.deepEqual(verdict.user.groups, ['system:serviceaccounts', 'system:serviceaccounts:ns']);
    assert.deepEqual(verdict.user.extra?.['authentication.kubernetes.io/pod-name'], ['p']);
    assert.match(
      verdict.user.extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '',
      /^JTI=[0-9a-f-]{36}$/,
    );
  });

  it('writes the claims that clients read', async () => {
    const { tokens } = setUp();
    const [, body = ''] = (await tokens.issuer())(spec).token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    assert.deepEqual(claims['aud'], [DEFAULT_AUDIENCE]);
    assert.equal(claims['sub'], 'system:serviceaccount:ns:robot');
    assert.deepEqual(claims['kubernetes.io'], {
      namespace: 'ns',
      serviceaccount: { name: 'robot', uid: 'u-1' },
    });
  });

  it('rejects another audience with the recorded message', async () => {
    const { tokens } = setUp();
    const { token } = (await tokens.issuer())(spec);
    assert.deepEqual(authenticateToken([new StaticTokens(), tokens], token, ['other']), {
      outcome: 'refused',
      reason:
        '[invalid bearer token, token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["other"]]',
    });
  });

  it('rejects a token that expired, or whose account is gone or was replaced', async () => {
    const { tokens, clock, uids } = setUp();
    const { token } = (await tokens.issuer())(spec);
    const outcome = (): string => tokens.authenticate(token, [DEFAULT_AUDIENCE]).outcome;
    uids.set('ns/robot', 'u-9');
    assert.equal(outcome(), 'refused');
    uids.delete('ns/robot');
    assert.equal(outcome(), 'refused');
    uids.set('ns/robot', 'u-1');
    assert.equal(outcome(), 'accepted');
    clock.time += 600_000;
    assert.equal(outcome(), 'refused');
  });

  it('rejects a token that it has accepted, once it no longer holds', async () => {
    const { tokens, clock, uids } = setUp();
    const { token } = (await tokens.issuer())(spec);
    const outcome = (text = token, audience = DEFAULT_AUDIENCE): string =>
      tokens.authenticate(text, [audience]).outcome;
    const [head, body, signature = ''] = token.split('.');
    const forged = Buffer.from('{"aud":[]}').toString('base64url');
    assert.deepEqual([outcome(), outcome()], ['accepted', 'accepted']);
    assert.equal(outcome(token, 'other'), 'refused');
    assert.equal(outcome(`${head}.${forged}.${signature}`), 'unknown');
    assert.equal(outcome(`${head}.${body}.${signature.slice(0, -4)}AAAA`), 'unknown');
    uids.delete('ns/robot');
    assert.equal(outcome(), 'refused');
    uids.set('ns/robot', 'u-2');
    assert.equal(outcome(), 'refused');
    uids.set('ns/robot', 'u-1');
    assert.equal(outcome(), 'accepted');
    clock.time += 600_000;
    assert.equal(outcome(), 'refused');
  });

  it('does not recognise tokens that it has not signed', async () => {
    const { tokens } = setUp();
    const [head, body, signature] = (await tokens.issuer())(spec).token.split('.');
    const forged = Buffer.from('{"aud":[]}').toString('base64url');
    const other = (await setUp().tokens.issuer())(spec).token;
    for (const token of [
      `${head}.${forged}.${signature}`,
      `${head}.${body}.`,
      'x.y.z',
      'x',
      other,
    ]) {
      assert.equal(tokens.authenticate(token, [DEFAULT_AUDIENCE]).outcome, 'unknown');
    }
  });

  it('publishes the key that its tokens are signed with', async () => {
    const { tokens } = setUp();
    const { token } = (await tokens.issuer())(spec);
    const { keys } = await tokens.publicKeys();
    const [head = '', body = '', signature = ''] = token.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as PublicJwk;
    assert.deepEqual(
      keys.map((key) => [key.alg, key.kid]),
      [[alg, kid]],
    );
    const [{ kty, n, e }] = keys as [PublicJwk];
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
    const content = Buffer.from(`${head}.${body}`);
    assert.ok(verify('sha256', content, key, Buffer.from(signature, 'base64url')));
    const { issuer, jwks_uri } = tokens.openIdConfiguration('https://a/keys');
    assert.deepEqual([issuer, jwks_uri], [DEFAULT_AUDIENCE, 'https://a/keys']);
  });

  it('generates one key for concurrent callers', async () => {
    const { tokens } = setUp();
    const issuers = await Promise.all([tokens.issuer(), tokens.issuer()]);
    for (const issue of issuers) {
      const { token } = issue(spec);
      assert.equal(tokens.authenticate(token, [DEFAULT_AUDIENCE]).outcome, 'accepted');
    }
  });
});
