import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { CertificateAuthority } from '@client-ts/apiserver';
import { systemClock, systemRandom } from 'client-ts/internal';
import { type SearchConnection, type SearchProduct, searchTransport } from './search-client.ts';
import { SearchSink } from './search-sink.ts';
import { anEvent } from './test-events.ts';
import { SearchServer } from './test-search-server.ts';

const gap = { from: undefined, to: '2026-01-01T00:00:00.000Z', reason: 'gone', dropped: 3 };

async function sinkOn(
  connection: SearchConnection,
  { prefix = 'events', dataStream = false } = {},
): Promise<SearchSink> {
  const transport = await searchTransport(connection);
  return new SearchSink({ name: connection.product, transport, prefix, dataStream });
}

async function started(
  t: TestContext,
  product: SearchProduct,
  options: { prefix?: string; dataStream?: boolean } = {},
): Promise<{ server: SearchServer; sink: SearchSink }> {
  const server = await SearchServer.start(t);
  const sink = await sinkOn({ product, url: server.url }, options);
  t.after(() => sink[Symbol.asyncDispose]());
  return { server, sink };
}

for (const product of ['elasticsearch', 'opensearch'] as const) {
  describe(`SearchSink with the ${product} client`, () => {
    it('stores each event under its uid, in the index of the day it was created', async (t) => {
      const { server, sink } = await started(t, product);
      const later = anEvent(2, {
        firstSeen: '1999-09-09T00:00:00.000Z',
        createdAt: '2026-01-02T10:00:00.000Z',
      });
      assert.deepEqual(await sink.write([anEvent(1), later], undefined), []);
      assert.deepEqual(server.sources('events-2026-01-01'), {
        'uid-1': { '@timestamp': anEvent(1).lastSeen, ...anEvent(1) },
      });
      assert.deepEqual(Object.keys(server.sources('events-2026-01-02')), ['uid-2']);
      assert.deepEqual(server.log, ['PUT /_index_template/events', 'POST /_bulk']);
      assert.equal(server.templates.get('events')?.data_stream, undefined);
      await sink.write([], undefined);
      assert.equal(server.log.length, 2, 'nothing to write');
    });

    for (const dataStream of [false, true]) {
      const where = dataStream ? 'in a data stream' : 'in an index a day';
      it(`updates an event, and never goes back to an older state, ${where}`, async (t) => {
        const { server, sink } = await started(t, product, { dataStream });
        await sink.write([anEvent(1, { version: 9 })], undefined);
        const newer = anEvent(1, { version: 10, count: 2 });
        assert.deepEqual(await sink.write([newer, anEvent(2)], undefined), []);
        assert.deepEqual(await sink.write([newer], undefined), [], 'the same again');
        assert.deepEqual(await sink.write([anEvent(1, { version: 9 })], undefined), []);
        const sources = server.sources(dataStream ? '.ds-events' : 'events-');
        assert.equal(sources['uid-1']?.['count'], 2);
        assert.deepEqual(Object.keys(sources), ['uid-1', 'uid-2']);
      });
    }

    it('sends versions of any size unchanged', async (t) => {
      const { server, sink } = await started(t, product);
      const bodies: string[] = [];
      server.intercept = (_, body) => {
        bodies.push(body);
        return undefined;
      };
      await sink.write([anEvent(1, { resourceVersion: '9223372036854775807' })], undefined);
      assert.match(bodies.at(-1) ?? '', /"version":9223372036854775807,/);
    });

    it('returns what the server rejects, and stores the rest', async (t) => {
      const { server, sink } = await started(t, product);
      server.itemFault = (id) =>
        id === 'uid-2'
          ? { status: 400, error: { type: 'mapper_parsing_exception', reason: 'no date' } }
          : undefined;
      assert.deepEqual(await sink.write([anEvent(1), anEvent(2)], undefined), [
        { event: anEvent(2), reason: 'mapper_parsing_exception: no date' },
      ]);
      assert.deepEqual(Object.keys(server.sources('events-')), ['uid-1']);
    });

    for (const status of [429, 503]) {
      it(`rejects the batch for a retry when the server is busy (${status})`, async (t) => {
        const { server, sink } = await started(t, product);
        server.itemFault = () => ({ status, error: { type: 'busy', reason: 'queue is full' } });
        await assert.rejects(sink.write([anEvent(1)], undefined), /queue is full/);
        server.itemFault = () => undefined;
        server.intercept = (path) => (path === '/_bulk' ? { status, body: {} } : undefined);
        await assert.rejects(sink.write([anEvent(1)], undefined), new RegExp(`${status}`));
        server.intercept = () => undefined;
        assert.deepEqual(await sink.write([anEvent(1)], undefined), []);
      });
    }

    it('splits requests that are too large, and rejects events that are too large alone', async (t) => {
      const { server, sink } = await started(t, product);
      server.intercept = (path, body) =>
        path === '/_bulk' && body.length > 1200 ? { status: 413, body: {} } : undefined;
      const huge = anEvent(3, { message: 'x'.repeat(2000) });
      const batch = [1, 2, 4, 5].map((number) => anEvent(number));
      assert.deepEqual(await sink.write([...batch, huge], undefined), [
        { event: huge, reason: 'too large' },
      ]);
      assert.equal(Object.keys(server.sources('events-')).length, 4);
    });

    it('stores each gap once', async (t) => {
      const { server, sink } = await started(t, product);
      await sink.recordGap(gap);
      await sink.recordGap(gap);
      const [document, ...others] = Object.values(server.sources('events-gaps'));
      assert.deepEqual(others, []);
      assert.equal(document?.['reason'], 'gone');
      assert.equal(document['dropped'], 3);
    });

    it('retries the template if the server was down', async (t) => {
      const { server, sink } = await started(t, product);
      server.intercept = () => ({ status: 503, body: {} });
      await assert.rejects(sink.write([anEvent(1)], undefined), /503/);
      server.intercept = () => undefined;
      await sink.write([anEvent(1)], undefined);
      assert.equal(server.templates.size, 1);
    });

    for (const [what, credentials, expected] of [
      ['a password', { username: 'me', password: 'secret' }, 'Basic bWU6c2VjcmV0'],
      ['an API key', { apiKey: 'a2V5' }, 'ApiKey a2V5'],
    ] as const) {
      it(`authenticates by ${what}, and keeps it out of errors`, async (t) => {
        const server = await SearchServer.start(t);
        await using sink = await sinkOn({ product, url: server.url, credentials });
        server.intercept = () => ({ status: 401, body: { error: 'no' } });
        await assert.rejects(sink.write([anEvent(1)], undefined), (error: Error) => {
          assert.doesNotMatch(JSON.stringify([error, error.message, error.cause]), /secret|a2V5/);
          return true;
        });
        assert.deepEqual([...server.authorizations], [expected]);
      });
    }

    it('trusts the configured CA, or any certificate if insecure', async (t) => {
      const authority = new CertificateAuthority({ clock: systemClock });
      const server = await SearchServer.start(t, authority.issueServerCertificate(['127.0.0.1']));
      const { url } = server;
      for (const trust of [{ ca: authority.certificate }, { insecure: true }]) {
        await using sink = await sinkOn({ product, url, ...trust });
        assert.deepEqual(await sink.write([anEvent(1)], undefined), []);
      }
      await using sink = await sinkOn({ product, url });
      await assert.rejects(sink.write([anEvent(1)], undefined), /certificate/);
    });

    it('reports a server that is down, without credentials', async () => {
      const credentials = { username: 'me', password: 'secret' };
      await using sink = await sinkOn({ product, url: 'http://127.0.0.1:1', credentials });
      await assert.rejects(sink.write([anEvent(1)], undefined), (error: Error) => {
        assert.match(error.message, /cannot be reached/);
        assert.equal(error.cause, undefined);
        return true;
      });
    });
  });
}

/** Real servers, if the environment names them. Everything created there has a unique prefix. */
for (const [product, variable] of [
  ['elasticsearch', 'ELASTICSEARCH_URL'],
  ['opensearch', 'OPENSEARCH_URL'],
] as const) {
  const url = process.env[variable] ?? '';
  const skip = url === '' ? `needs ${variable}` : false;
  for (const dataStream of [false, true]) {
    const place = dataStream ? 'a data stream' : 'indices';
    it(`stores and updates events in ${place} of a real ${product}`, { skip }, async () => {
      const prefix = `client-ts-test-${systemRandom.uuid()}`;
      const connection = { product, url };
      const transport = await searchTransport(connection);
      await using sink = await sinkOn(connection, { prefix, dataStream });
      await sink.write([anEvent(1, { version: 9 }), anEvent(2)], undefined);
      await sink.write([anEvent(1, { version: 10, count: 5 })], undefined);
      assert.deepEqual(await sink.write([anEvent(1, { version: 9 })], undefined), []);
      await transport.request({ method: 'POST', path: `/${prefix}*/_refresh` });
      const { body } = await transport.request({
        method: 'POST',
        path: `/${prefix}*/_search`,
        body: { query: { match: { message: 'assigned' } }, sort: ['uid'] },
      });
      const { hits } = body as { hits: { hits: { _source: { count: number } }[] } };
      assert.deepEqual(
        hits.hits.map(({ _source }) => _source.count),
        [5, 1],
      );
      await transport.close();
    });
  }
}
