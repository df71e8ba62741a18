import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import { inspect, inspectSession } from './inspect.ts';
import { TestBrowser } from './test-browser.ts';

const open = { discovery: false } as const;

describe('access to the inspector', () => {
  it('needs the token, which can be used once and becomes a strict cookie', async () => {
    await using page = await inspect(open);
    const { url, origin } = page;
    const stranger = new TestBrowser(origin);
    for (const path of ['/', '/app.js', '/api/session', '/api/stream', '/api/export']) {
      assert.equal((await stranger.get(path)).status, 401, path);
    }
    assert.equal((await stranger.get('/?token=wrong')).status, 401);
    const browser = new TestBrowser(origin);
    const answer = await browser.open(url);
    assert.deepEqual([answer.status, answer.headers.location], [303, '/']);
    assert.match(
      String(answer.headers['set-cookie']),
      /^client-ts-inspector-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    assert.equal((await browser.get('/api/session')).status, 200);
    assert.equal((await stranger.open(url)).status, 401);
    assert.equal((await stranger.get('/api/session')).status, 401);
    assert.equal((await new TestBrowser(origin).open(page.url)).status, 303);
  });

  it('refuses other host names, other origins and requests of other sites', async () => {
    await using page = await inspect(open);
    const browser = new TestBrowser(page.origin);
    await browser.open(page.url);
    const { port } = new URL(page.origin);
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await browser.get('/api/session', { headers })).status;
    assert.equal(await status({ host: `evil.example:${port}` }), 421);
    assert.equal(await status({ host: 'localhost' }), 421);
    assert.equal(await status({ host: `localhost:${port}` }), 200);
    assert.equal(await status({ origin: 'http://evil.example' }), 403);
    assert.equal(await status({ origin: 'null' }), 403);
    assert.equal(await status({ origin: page.origin }), 200);
    assert.equal(await status({ 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await status({ 'sec-fetch-site': 'same-origin' }), 200);
    const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    assert.equal(await status(navigation), 200);
  });

  it('refuses actions unless they are enabled, and those without the header', async () => {
    await using page = await inspect(open);
    const browser = new TestBrowser(page.origin);
    await browser.open(page.url);
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-ts-inspector': '1' },
      body: '{"queue":"a","key":"b"}',
    };
    const enqueue = async (change: Partial<typeof request>): Promise<number> =>
      (await browser.get('/api/actions/enqueue', { ...request, ...change })).status;
    assert.equal(await enqueue({}), 403);
    assert.equal(
      await enqueue({ headers: { ...request.headers, 'x-client-ts-inspector': '' } }),
      403,
    );
    assert.equal(await enqueue({ body: '{' }), 400);
    assert.equal(await enqueue({ body: `"${'x'.repeat(20_000)}"` }), 413);
    assert.equal((await browser.get('/api/session', { method: 'DELETE' })).status, 405);
    const minting = { method: 'POST', headers: { authorization: 'Bearer guess' } };
    assert.equal((await browser.get('/api/tokens', minting)).status, 401);
  });

  it('sends a strict policy with every answer', async () => {
    await using page = await inspect(open);
    const browser = new TestBrowser(page.origin);
    const answers = [await browser.get('/'), await browser.open(page.url), await browser.get('/')];
    for (const { headers } of answers) {
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; script-src 'self';/,
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'no-store');
    }
  });

  it('is open only on request, and only on this machine', async () => {
    await using page = await inspect({ ...open, access: 'open' });
    assert.equal(page.url, `${page.origin}/`);
    assert.equal((await new TestBrowser(page.origin).get('/api/session')).status, 200);
    await assert.rejects(inspect({ ...open, access: 'open', host: '0.0.0.0' }), {
      code: 'INSPECTOR_ACCESS_REFUSED',
    });
    await assert.rejects(inspect({ ...open, port: 70_000 }), /port/);
    const taken = Number(new URL(page.origin).port);
    await assert.rejects(inspect({ ...open, port: taken }), { code: 'INSPECTOR_LISTEN_FAILED' });
  });

  it('refuses an option that it would ignore', async () => {
    const withConfig = { ...open, clients: [{ server: 'https://127.0.0.1' } as never] };
    await assert.rejects(inspect(withConfig), { code: 'OPTION_INVALID', option: 'clients[0]' });
    const withTypo = { ...open, queue: [] };
    await assert.rejects(inspect(withTypo), { code: 'OPTION_INVALID', option: 'queue' });
  });
});

describe('hostile requests to the inspector', () => {
  it('are answered with a status, and the server lives on', async () => {
    await using page = await inspect({ ...open, access: 'open' });
    const browser = new TestBrowser(page.origin);
    const long = 'x'.repeat(5000);
    const paths: [string, number][] = [
      [`/api/objects?informer=${long}`, 400],
      [`/api/objects?informer=a&label=((`, 404],
      [`/api/records?after=-1`, 400],
      [`/api/records?limit=1e99`, 400],
      [`/api/stream?after=x`, 400],
      [`/../../../etc/passwd`, 404],
      [`/%2e%2e/%2e%2e/package.json`, 404],
      [`/api/__proto__`, 404],
      [`/api/object?informer=__proto__&key=constructor`, 404],
      ['/nothing', 404],
    ];
    for (const [path, status] of paths)
      assert.equal((await browser.get(path)).status, status, path);
    assert.equal((await browser.get(`/?q=${'x'.repeat(40_000)}`)).status, 431);
    const { hostname, port } = new URL(page.origin);
    const socket = connect(Number(port), hostname);
    socket.end('GET http://other/ HTTP/1.1\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
    assert.equal((await browser.get('/api/session')).status, 200);
  });

  it('that open too many streams are refused', async () => {
    await using page = await inspect({ ...open, access: 'open' });
    const browser = new TestBrowser(page.origin);
    const streams = [];
    for (let count = 0; count < 32; count += 1) streams.push(await browser.stream('/api/stream'));
    assert.equal((await browser.get('/api/stream')).status, 503);
    for (const stream of streams) stream.destroy();
  });
});

it('a recorded session is served without a stream, and keeps everything', async () => {
  const snapshot = {
    at: 1,
    seq: 0,
    informers: [],
    queues: [],
    controllers: [],
    connections: [],
    elections: [],
    totals: {
      requests: 0,
      failedRequests: 0,
      openRequests: 0,
      recordedEvents: 0,
      guardWarnings: 0,
      unrecorded: 0,
    },
  };
  const header = { clientTs: 'session', version: 1, program: 'p', startedAt: 1, snapshot } as const;
  const record = (seq: number) =>
    ({ type: 'queue.add', at: seq, seq, queue: 'q', key: 'k', trigger: { kind: 'call' } }) as const;
  const records = Array.from({ length: 5000 }, (_, index) => record(index + 1));
  await using page = await inspectSession({ header, records });
  const browser = new TestBrowser(page.origin);
  await browser.open(page.url);
  const info = await browser.json<{ isLive: boolean }>('/api/session');
  assert.equal(info.isLive, false);
  assert.equal((await browser.get('/api/stream')).status, 204);
  const answer = await browser.json<{ records: unknown[]; hasMore: boolean }>(
    '/api/records?after=0&limit=10000',
  );
  assert.deepEqual([answer.records.length, answer.hasMore], [5000, false]);
  assert.equal((await browser.get('/api/objects?informer=a')).status, 404);
  assert.equal(page.session().split('\n').length, 5002);
});
