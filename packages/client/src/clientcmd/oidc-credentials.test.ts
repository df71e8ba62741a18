import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Deferred } from '../lib/index.ts';
import { VirtualClock } from '../testing/index.ts';
import { ConfigError } from './config-error.ts';
import { OidcCredentials } from './oidc-credentials.ts';

let folder = '';
let issuer = '';
let server: Server;
let requests: { url: string; authorization: string | undefined; body: string }[] = [];
let answer: { status: number; body: object } = { status: 200, body: {} };
let discovery: object | undefined;
/** Decides about a token request; undefined leaves it to `answer`. */
let judge: (body: URLSearchParams, authorization: string | undefined) => number | undefined;
/** Called when a request has arrived; returning true leaves it without an answer. */
let stall: (url: string) => boolean;

function jwt(expiresInSeconds: number): string {
  const claims = { exp: Math.floor(Date.now() / 1000) + expiresInSeconds };
  return `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ url: request.url ?? '', authorization: request.headers.authorization, body });
      const isDiscovery = request.url === '/.well-known/openid-configuration';
      if (stall(request.url ?? '')) {
        // The first byte comes, the last never does.
        response.write('{');
        return;
      }
      const verdict = judge(new URLSearchParams(body), request.headers.authorization);
      response.statusCode = isDiscovery ? 200 : (verdict ?? answer.status);
      response.end(
        JSON.stringify(
          isDiscovery ? (discovery ?? { issuer, token_endpoint: `${issuer}/token` }) : answer.body,
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  requests = [];
  discovery = undefined;
  judge = () => undefined;
  stall = () => false;
});

async function credentials(
  config: Record<string, string>,
  clock?: VirtualClock,
): Promise<{ source: OidcCredentials; file: string }> {
  const file = join(folder, 'config');
  await writeFile(
    file,
    `# mine\nusers:\n- name: u\n  user:\n    auth-provider:\n      name: oidc\n      config:\n        client-id: me\n        id-token: old\n        refresh-token: old\n`,
  );
  const source = new OidcCredentials({
    config: { 'idp-issuer-url': issuer, 'client-id': 'me', 'client-secret': 'pw', ...config },
    userName: 'u',
    origin: file,
    ...(clock && { clock }),
  });
  return { source, file };
}

describe('OidcCredentials', () => {
  it('uses a token that is still good without asking anybody', async () => {
    const token = jwt(3600);
    const { source } = await credentials({ 'id-token': token });
    assert.equal((await source.get()).authorization, `Bearer ${token}`);
    assert.equal(await source.get(), await source.get());
    assert.equal(requests.length, 0);
  });

  it('refreshes once for all requests, and writes both tokens back', async () => {
    const token = jwt(3600);
    answer = { status: 200, body: { id_token: token, refresh_token: 'next' } };
    const { source, file } = await credentials({ 'id-token': jwt(5), 'refresh-token': 'old' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => source.get()));
    assert.ok(answers.every(({ authorization }) => authorization === `Bearer ${token}`));
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['/.well-known/openid-configuration', '/token'],
    );
    assert.equal(requests[1]?.body, 'grant_type=refresh_token&refresh_token=old');
    assert.equal(requests[1]?.authorization, `Basic ${Buffer.from('me:pw').toString('base64')}`);
    const written = await readFile(file, 'utf8');
    assert.match(written, /^# mine/);
    assert.match(written, new RegExp(`id-token: ${token.replaceAll('.', '\\.')}`));
    assert.match(written, /refresh-token: next/);
    assert.match(written, /client-id: me/);
    await source.get();
    assert.equal(requests.length, 2);
  });

  it('refreshes again when the server refuses the token', async () => {
    answer = { status: 200, body: { id_token: jwt(3600) } };
    const { source } = await credentials({ 'id-token': jwt(3600), 'refresh-token': 'old' });
    const first = await source.get();
    source.refused(first);
    await source.get();
    assert.equal(requests.length, 2);
  });

  it('sends client_id in the body to an issuer that refuses HTTP Basic, and remembers that', async () => {
    judge = (body, authorization) =>
      authorization === undefined && body.get('client_id') === 'me' ? undefined : 401;
    answer = { status: 200, body: { id_token: jwt(3600) } };
    const { source } = await credentials({ 'refresh-token': 'r', 'client-secret': 'p w' });
    const first = await source.get();
    assert.deepEqual(
      requests.slice(1).map(({ authorization, body }) => ({ authorization, body })),
      [
        {
          authorization: `Basic ${Buffer.from('me:p+w').toString('base64')}`,
          body: 'grant_type=refresh_token&refresh_token=r',
        },
        {
          authorization: undefined,
          body: 'grant_type=refresh_token&refresh_token=r&client_id=me&client_secret=p+w',
        },
      ],
    );
    source.refused(first);
    await source.get();
    assert.equal(requests.length, 5, 'a second refresh asks once');
  });

  it('sends no client_secret in the body if there is none', async () => {
    judge = (_body, authorization) => (authorization === undefined ? undefined : 400);
    answer = { status: 200, body: { id_token: jwt(3600) } };
    const { source } = await credentials({ 'refresh-token': 'r', 'client-secret': '' });
    await source.get();
    assert.equal(requests.at(-1)?.body, 'grant_type=refresh_token&refresh_token=r&client_id=me');
  });

  it('times out on an answer that never ends', async () => {
    const clock = new VirtualClock();
    const { source } = await credentials({ 'refresh-token': 'r' }, clock);
    const reached = new Deferred();
    stall = () => {
      reached.resolve();
      return true;
    };
    const refused = assert.rejects(source.get(), {
      code: 'CONFIG_OIDC_FAILED',
      message: /openid-configuration did not answer within 30 s/,
    });
    await reached.promise;
    await clock.advance(30_000);
    await refused;
  });

  it('sends tokens neither in the clear nor to another issuer', async () => {
    const cases: [object, RegExp][] = [
      [{ issuer, token_endpoint: 'http://issuer.example/token' }, /is not https/],
      [{ issuer, token_endpoint: 'ftp://127.0.0.1/token' }, /is not https/],
      [{ issuer, token_endpoint: 'token' }, /token endpoint of the issuer is not a URL/],
      [{ issuer: 'https://other', token_endpoint: `${issuer}/token` }, /are not the same/],
      [{ token_endpoint: `${issuer}/token` }, /are not the same/],
    ];
    for (const [document, expected] of cases) {
      discovery = document;
      const { source } = await credentials({ 'refresh-token': 's3cr3t' });
      await assert.rejects(source.get(), { code: 'CONFIG_OIDC_FAILED', message: expected });
    }
    const { source } = await credentials({
      'refresh-token': 's3cr3t',
      'idp-issuer-url': 'http://issuer.example',
    });
    await assert.rejects(source.get(), /is not https/);
    const { source: odd } = await credentials({ 'refresh-token': 'r', 'idp-issuer-url': 'x y' });
    await assert.rejects(odd.get(), { code: 'CONFIG_OIDC_FAILED', message: /is not a URL/ });
    assert.ok(requests.every(({ body }) => body === ''));
  });

  it('names what failed, without secrets', async () => {
    const refusal = async (config: Record<string, string>): Promise<ConfigError> => {
      const { source } = await credentials(config);
      const error = await source.get().then(
        () => assert.fail('it was accepted'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ConfigError);
      assert.equal(error.code, 'CONFIG_OIDC_FAILED');
      assert.doesNotMatch(error.message, /s3cr3t/);
      return error;
    };
    answer = { status: 400, body: { error: 'invalid_grant', error_description: 's3cr3t' } };
    assert.match((await refusal({ 'refresh-token': 's3cr3t' })).message, /\/token answered 400/);
    assert.match((await refusal({})).message, /no refresh-token/);
    assert.match(
      (await refusal({ 'refresh-token': 's3cr3t', 'idp-issuer-url': '' })).message,
      /idp-issuer-url/,
    );
  });
});
