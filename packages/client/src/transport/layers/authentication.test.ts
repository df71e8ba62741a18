import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Credentials, CredentialSource } from '../config.ts';
import type { KeyPair } from '../tls.ts';
import { authentication } from './authentication.ts';
import { get, post, response, script } from './test-next.ts';

/** Has one set of credentials after the other; refusing one brings the next. */
class Source implements CredentialSource {
  readonly refusals: Credentials[] = [];
  readonly #all: readonly Credentials[];

  constructor(...all: readonly Credentials[]) {
    this.#all = all;
  }

  async get(): Promise<Credentials> {
    return this.#all[Math.min(this.refusals.length, this.#all.length - 1)] as Credentials;
  }

  refused(credentials: Credentials): void {
    this.refusals.push(credentials);
  }
}

const ignore = async (): Promise<void> => undefined;
const first = { authorization: 'Bearer first' };
const second = { authorization: 'Bearer second' };

describe('authentication', () => {
  it('adds credentials to every request', async () => {
    const { next, requests } = script(response(200));
    const layer = authentication({ source: new Source(first), useCertificate: ignore });
    await layer({ ...get, headers: { accept: '*/*' } }, next);
    assert.deepEqual(requests[0]?.headers, { accept: '*/*', authorization: 'Bearer first' });
  });

  it('leaves requests alone that bring their own', async () => {
    const { next, requests } = script(response(401));
    const source = new Source(first, second);
    const layer = authentication({ source, useCertificate: ignore });
    const request = { ...get, headers: { authorization: 'Bearer mine' } };
    assert.equal((await layer(request, next)).status, 401);
    assert.deepEqual(requests, [request]);
    assert.deepEqual(source.refusals, []);
  });

  it('retries once with new credentials after a 401, with the body', async () => {
    const refused = response(401, {}, ['who are you?']);
    const { next, requests } = script(refused, response(201));
    const source = new Source(first, second);
    const answer = await authentication({ source, useCertificate: ignore })(post, next);
    assert.equal(answer.status, 201);
    assert.deepEqual(source.refusals, [first]);
    assert.deepEqual(
      requests.map(({ headers, body }) => [headers['authorization'], body]),
      [
        ['Bearer first', post.body],
        ['Bearer second', post.body],
      ],
    );
    assert.ok(refused.fate.isRead);
  });

  it('stops when the new credentials are refused too, or are the same', async () => {
    const source = new Source(first, second);
    const twice = script(response(401), response(401));
    const answer = await authentication({ source, useCertificate: ignore })(get, twice.next);
    assert.equal(answer.status, 401);
    assert.equal(twice.requests.length, 2);
    assert.equal(source.refusals.length, 1);

    const unchanged = response(401, {}, ['no']);
    const once = script(unchanged);
    const fixed = authentication({ source: new Source(first), useCertificate: ignore });
    assert.equal(await fixed(get, once.next), unchanged);
    assert.equal(once.requests.length, 1);
    assert.equal(unchanged.fate.isRead, false);
  });

  it('reports why no others could be had', async () => {
    const failure = new Error('the plugin failed');
    const source = new Source(first);
    source.get = async () => {
      if (source.refusals.length > 0) throw failure;
      return first;
    };
    const refused = response(401, {}, ['no']);
    const layer = authentication({ source, useCertificate: ignore });
    await assert.rejects(layer(get, script(refused).next), failure);
    assert.ok(refused.fate.isRead);
  });

  it('uses the certificate of the credentials before it sends the request', async () => {
    const order: unknown[] = [];
    const pair = { cert: 'certificate', key: 'key' };
    const layer = authentication({
      source: new Source(pair, first),
      useCertificate: async (shown: KeyPair | undefined) => void order.push(shown),
    });
    const statuses = [401, 200];
    await layer(get, async ({ headers }) => {
      order.push(headers['authorization'] ?? 'no header');
      return response(statuses.shift() ?? 0);
    });
    assert.deepEqual(order, [pair, 'no header', undefined, 'Bearer first']);
  });

  it('passes the signal of the request to the source', async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const source: CredentialSource = {
      get: async (options) => {
        seen.push(options?.signal);
        return first;
      },
      refused: () => undefined,
    };
    await authentication({ source, useCertificate: ignore })(
      { ...get, signal },
      script(response(200)).next,
    );
    assert.deepEqual(seen, [signal]);
  });
});
