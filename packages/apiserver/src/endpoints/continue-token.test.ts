import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';

function encode(token: unknown): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

describe('continue tokens', () => {
  it('round-trip', () => {
    const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/);
    const key = fc.oneof(
      name,
      fc.tuple(name, name).map(([namespace, own]) => `${namespace}/${own}`),
    );
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 1 }), { nil: undefined }),
        key,
        (revision, afterKey) => {
          const token = encodeContinueToken({ revision, afterKey });
          assert.match(token, /^[\w-]+$/);
          assert.deepEqual(decodeContinueToken(token, Infinity), { revision, afterKey });
        },
      ),
    );
  });

  it('have the format of a real server', () => {
    const token = encodeContinueToken({ revision: 42, afterKey: 'default/a' });
    assert.deepEqual(JSON.parse(Buffer.from(token, 'base64url').toString()), {
      v: 'meta.k8s.io/v1',
      rv: 42,
      start: 'default/a\u0000',
    });
  });

  it('may begin with a slash, which is ignored', () => {
    const token = encode({ v: 'meta.k8s.io/v1', rv: 1, start: '/a/b\u0000' });
    assert.equal(decodeContinueToken(token, 1).afterKey, 'a/b');
  });

  /** Tokens with the error of a real server. */
  const refusals: readonly [string, string][] = [
    ['!!!', 'illegal base64 data at input byte 0'],
    ['e30=', 'illegal base64 data at input byte 3'],
    ['a', 'illegal base64 data at input byte 0'],
    ['abcde', 'illegal base64 data at input byte 4'],
    ['abc', "invalid character 'i' looking for beginning of value"],
    ['garbage', "invalid character '\\u0081' looking for beginning of value"],
    ['eyJ2Ijo', 'unexpected end of JSON input'],
    ['W10', 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    ['bnVsbA', 'server does not recognize this encoded version '],
    [encode({}), 'server does not recognize this encoded version '],
    [encode({ v: 'v2' }), 'server does not recognize this encoded version v2'],
    [
      encode({ v: 1 }),
      'json: cannot unmarshal number into Go struct field continueToken.v of type string',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: '1', start: 'a' }),
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: 1, start: true }),
      'json: cannot unmarshal bool into Go struct field continueToken.start of type string',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' }),
      'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: 10, start: '' }),
      'encoded start key empty (version meta.k8s.io/v1)',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: 101, start: 'a' }),
      'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: 1.5, start: 'a' }),
      'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    [
      encode({ v: 'meta.k8s.io/v1', rv: 1e300, start: 'a' }),
      'json: cannot unmarshal number 1e+300 into Go struct field continueToken.rv of type int64',
    ],
    [encode({ v: null, rv: null, start: null }), 'server does not recognize this encoded version '],
    [encode({ v: 'meta.k8s.io/v1', rv: 10, start: '../a' }), '../a'],
    [encode({ v: 'meta.k8s.io/v1', rv: 10, start: 'a/./b' }), 'a/./b'],
    [encode({ v: 'meta.k8s.io/v1', rv: 10, start: 'a//b' }), 'a//b'],
    [encode({ v: 'meta.k8s.io/v1', rv: 10, start: 'a/' }), 'a/'],
  ];
  for (const [token, message] of refusals) {
    it(`reject ${token}: ${message}`, () => {
      assert.throws(() => decodeContinueToken(token, 100), {
        message: `invalid continue token: continue key is not valid: ${message}`,
        code: 'API_BAD_REQUEST',
      });
    });
  }
});
