import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RESTClient } from '../rest/rest-client.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { DiscoveryClient } from './discovery-client.ts';
import { MemCacheClient } from './mem-cache-client.ts';
import { parseOpenAPIV3Index } from './openapi.ts';

/** A server with one document, whose hash is the number of its changes. */
class Documents {
  version = 1;
  readonly transport = new ScriptedTransport(({ path }) => {
    const [place = ''] = path.split('?');
    if (place === '/openapi/v3') {
      const paths = {
        'api/v1': { serverRelativeURL: `/openapi/v3/api/v1?hash=${this.version}` },
        'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1' },
      };
      return {
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: JSON.stringify({ paths }),
      };
    }
    return { body: { openapi: '3.0.0', info: { title: place, version: String(this.version) } } };
  });
  readonly discovery = new DiscoveryClient(RESTClient.over(this.transport));

  asked(): string[] {
    return this.transport.requests.splice(0).map(({ path }) => path.replace(/[?&]timeout=32s/, ''));
  }
}

describe('OpenAPI v3', () => {
  it('has an index with a hash for each document', () => {
    const index = parseOpenAPIV3Index({
      paths: {
        'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=1A2B' },
        version: { serverRelativeURL: '/openapi/v3/version' },
        behind: { serverRelativeURL: '/k8s/clusters/c-1/openapi/v3/apis/x/v1?hash=3C' },
        elsewhere: { serverRelativeURL: '/other/place?hash=4D' },
        broken: {},
      },
    });
    assert.deepEqual(Object.fromEntries(index), {
      'api/v1': { path: 'api/v1', serverRelativeURL: '/openapi/v3/api/v1?hash=1A2B', hash: '1A2B' },
      version: { path: 'version', serverRelativeURL: '/openapi/v3/version' },
      behind: { path: 'behind', serverRelativeURL: '/openapi/v3/apis/x/v1?hash=3C', hash: '3C' },
      elsewhere: { path: 'elsewhere', serverRelativeURL: '/other/place?hash=4D', hash: '4D' },
    });
    for (const document of [{}, [], 'text', { paths: [] }]) {
      assert.throws(() => parseOpenAPIV3Index(document), { code: 'DISCOVERY_DOCUMENT_INVALID' });
    }
  });

  it('reads documents with the hash that the index has', async () => {
    const server = new Documents();
    const openapi = server.discovery.openAPIV3();
    const document = await openapi.documentFor('v1');
    assert.deepEqual(document['info'], { title: '/openapi/v3/api/v1', version: '1' });
    assert.deepEqual(server.asked(), ['/openapi/v3', '/openapi/v3/api/v1?hash=1']);
    await openapi.documentFor('apps/v1');
    assert.deepEqual(server.asked(), ['/openapi/v3', '/openapi/v3/apis/apps/v1']);
    await assert.rejects(openapi.documentFor('nope/v1'), {
      code: 'DISCOVERY_UNKNOWN_GROUP_VERSION',
    });
  });

  it('is kept in memory by hash', async () => {
    const server = new Documents();
    const cache = new MemCacheClient(server.discovery);
    const openapi = cache.openAPIV3();
    const first = await openapi.documentFor('v1');
    assert.equal(await openapi.documentFor('v1'), first);
    assert.equal(cache.openAPIV3(), openapi);
    assert.deepEqual(server.asked(), ['/openapi/v3', '/openapi/v3/api/v1?hash=1']);
    cache.invalidate();
    assert.equal(await openapi.documentFor('v1'), first, 'an unchanged document is not read again');
    assert.deepEqual(server.asked(), ['/openapi/v3']);
    server.version = 2;
    assert.equal(await openapi.documentFor('v1'), first, 'until the cache is invalidated');
    cache.invalidate();
    assert.notEqual(await openapi.documentFor('v1'), first);
    assert.deepEqual(server.asked(), ['/openapi/v3', '/openapi/v3/api/v1?hash=2']);
    server.version = 1;
    cache.invalidate();
    await openapi.documentFor('v1');
    assert.equal(server.asked().length, 2, 'what the index no longer has is not kept');
    await openapi.documentFor('apps/v1');
    await openapi.documentFor('apps/v1');
    assert.equal(server.asked().length, 2, 'without a hash nothing says that it is still the same');
  });
});
