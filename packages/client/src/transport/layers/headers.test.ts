import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compose } from '../config.ts';
import {
  defaultUserAgent,
  headerDefaults,
  impersonation,
  impersonationHeaders,
} from './headers.ts';
import { get, response, script } from './test-next.ts';

describe('compose', () => {
  it('runs the first layer first, and nothing for a layer that answers itself', async () => {
    const order: string[] = [];
    const { next, requests } = script(response(200));
    const layer =
      (name: string): Parameters<typeof compose>[0][number] =>
      async (request, next) => {
        order.push(`${name} in`);
        const answer = await next(request);
        order.push(`${name} out`);
        return answer;
      };
    await compose([layer('a'), layer('b')], next)(get);
    assert.deepEqual(order, ['a in', 'b in', 'b out', 'a out']);
    const answer = await compose([async () => response(304), layer('c')], next)(get);
    assert.equal(answer.status, 304);
    assert.equal(requests.length, 1);
  });
});

describe('headerDefaults', () => {
  it('adds what is missing and leaves what is there', async () => {
    const { next, requests } = script(response(200));
    const layer = headerDefaults({ 'user-agent': 'default', accept: '*/*' });
    await layer({ ...get, headers: { 'user-agent': 'mine' } }, next);
    assert.deepEqual(requests[0]?.headers, { 'user-agent': 'mine', accept: '*/*' });
  });
});

describe('impersonation', () => {
  it('sends user, uid, groups and extra', async () => {
    const { next, requests } = script(response(200));
    const layer = impersonation({
      user: 'jane',
      uid: '42',
      groups: ['dev', 'ops, night'],
      extra: { 'example.com/Team': ['a', 'b'], scopes: ['view'], none: [] },
    });
    await layer({ ...get, headers: { accept: '*/*' } }, next);
    assert.deepEqual(requests[0]?.headers, {
      accept: '*/*',
      'impersonate-user': 'jane',
      'impersonate-uid': '42',
      'impersonate-group': ['dev', 'ops, night'],
      'impersonate-extra-example.com%2fteam': ['a', 'b'],
      'impersonate-extra-scopes': ['view'],
    });
  });

  it('adds nothing to a request with its own impersonation', async () => {
    const { next, requests } = script(response(200));
    const layer = impersonation({ user: 'jane', groups: ['dev'] });
    await layer({ ...get, headers: { 'impersonate-user': 'joe' } }, next);
    assert.deepEqual(requests[0]?.headers, { 'impersonate-user': 'joe' });
  });

  it('makes names of headers from any key, from which the key can be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (key) => {
        const headers = impersonationHeaders({ user: 'u', extra: { [key]: ['v'] } });
        const [name = ''] = Object.keys(headers).filter((header) => header !== 'impersonate-user');
        assert.match(name, /^[!#$%&'*+.^_`|~0-9a-z-]+$/);
        const escaped = name.slice('impersonate-extra-'.length);
        const bytes = escaped.replace(/%([0-9a-f]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        const read = Buffer.from(bytes, 'latin1').toString();
        assert.equal(read, Buffer.from(key.toLowerCase()).toString());
      }),
    );
  });
});

describe('defaultUserAgent', () => {
  it('names the version of the package', () => {
    const url = new URL('../../../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string };
    assert.ok(defaultUserAgent().startsWith(`client-ts/${version} (`));
  });
});
