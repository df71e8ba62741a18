import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { type Answer, TestServer } from '../testing/test-server.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** Classifies a response by everything that a client could distinguish. */
function flavour({ status, text, body }: Answer): string {
  if (status < 300) return 'ok';
  if (text === '404 page not found\n') return 'no page';
  if (status === 404 && Object.keys(body.details ?? {}).length === 0) return 'no resource';
  if (status === 404) return 'no object';
  if (status === 405) return 'no method';
  return String(status);
}

describe('routes', () => {
  const server = new TestServer();
  const groups = '/apis/example.com/v1';

  before(async () => {
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    };
    const names = { plural: 'widgets', kind: 'Widget' };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.given('post', definitions, { metadata: { name: 'widgets.example.com' }, spec });
    const cluster = { ...spec, scope: 'Cluster', names: { plural: 'globes', kind: 'Globe' } };
    await server.given('post', definitions, {
      metadata: { name: 'globes.example.com' },
      spec: cluster,
    });
    await server.settle();
  });
  after(() => server[Symbol.dispose]());

  async function answers(path: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const method of METHODS) {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const answer = await server.send(method, path, hasBody ? Buffer.from('{}') : undefined, {
        headers: hasBody ? { 'content-type': type } : {},
      });
      // The response to HEAD has no body to classify.
      found[method] = method === 'HEAD' ? String(answer.status) : flavour(answer);
    }
    return found;
  }

  const all = (flavourOfAll: string, head: string): Record<string, string> => ({
    ...Object.fromEntries(METHODS.map((method) => [method, flavourOfAll])),
    HEAD: head,
  });
  const noPage = all('no page', '404');
  const noResource = all('no resource', '404');
  const noMethod = all('no method', '405');

  /**
   * The responses of a real server. Bodies are empty objects, so existing routes may reject them.
   */
  const table: readonly [path: string, expected: Record<string, string>][] = [
    ['/nope', noPage],
    ['/apis/nope', noPage],
    ['/apis/nope/v1', noPage],
    ['/apis/nope/v1/things', noPage],
    ['/apis/example.com/v2', noPage],
    ['/apis/example.com/v2/widgets', noPage],
    [`${groups}/nope`, noPage],
    ['/healthz/', noPage],
    ['/healthz/nope', noPage],
    ['/api/v2', noResource],
    ['/api/v1/nope', noResource],
    ['/apis/apps/v2', noResource],
    ['/apis/apps/v1/nope', noResource],
    ['/version/x', noResource],
    ['/api/v1/namespaces/default/nodes', noResource],
    ['/api/v1/configmaps/x', noResource],
    ['/api/v1/namespaces/default/configmaps/x/status', noResource],
    ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x', noResource],
    ['/', all('ok', '200')],
    ['/healthz', all('ok', '200')],
    ['/apis', all('ok', '200')],
    ['/apis/apps', all('ok', '200')],
    ['/apis/example.com', all('ok', '200')],
    [groups, all('ok', '200')],
    ['/api', { ...noMethod, GET: 'ok' }],
    ['/api/v1', { ...noMethod, GET: 'ok' }],
    ['/apis/apps/v1', { ...noMethod, GET: 'ok' }],
    ['/version', { ...noMethod, GET: 'ok' }],
    ['/api/v1/configmaps', { ...noMethod, GET: 'ok' }],
    [
      '/api/v1/namespaces/default/configmaps',
      { ...noMethod, GET: 'ok', POST: '422', DELETE: 'ok' },
    ],
    [
      '/api/v1/namespaces/default/configmaps/x',
      { ...noMethod, GET: 'no object', PUT: '400', PATCH: 'no object', DELETE: 'no object' },
    ],
    ['/api/v1/nodes', { ...noMethod, GET: 'ok', POST: '422', DELETE: 'ok' }],
    ['/api/v1/nodes/x/status', { ...noMethod, GET: 'no object', PUT: '400', PATCH: 'no object' }],
    ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { ...noMethod, POST: '422' }],
    // All custom resources share one handler, which is less strict about methods.
    [`${groups}/widgets`, { ...noPage, GET: 'ok', HEAD: '200' }],
    [
      `${groups}/namespaces/default/widgets`,
      { ...noMethod, GET: 'ok', HEAD: '200', POST: '400', PUT: '400', PATCH: '400', DELETE: 'ok' },
    ],
    [
      `${groups}/namespaces/default/widgets/x`,
      {
        ...all('no object', '404'),
        POST: '400',
        PUT: '400',
        OPTIONS: 'no method',
      },
    ],
    [`${groups}/namespaces/default/widgets/x/status`, all('no object', '404')],
    [`${groups}/namespaces/default/globes`, noPage],
    [
      `${groups}/globes/x`,
      { ...all('no object', '404'), POST: '400', PUT: '400', OPTIONS: 'no method' },
    ],
  ];
  for (const [path, expected] of table) {
    it(path, async () => assert.deepEqual(await answers(path), expected));
  }

  it('reports a path that it cannot parse in plain text', async () => {
    const { status, text } = await server.get('/api/v1/watch');
    assert.equal(status, 500);
    assert.equal(
      text,
      'Internal Server Error: "/api/v1/watch": failed to create RequestInfo: ' +
        'unable to determine kind and namespace from url, /api/v1/watch\n',
    );
  });

  it('supports only GET on the old watch paths', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const { status } = await server.send(method, '/api/v1/watch/namespaces', undefined);
      assert.equal(status, 405, method);
    }
    const watch = await server.watch('/api/v1/watch/namespaces');
    assert.ok((await watch.take()).length > 0);
  });

  it('lists all namespaces if the namespace is omitted', async () => {
    const { status, body } = await server.get('/api/v1/namespaces//configmaps');
    assert.equal(status, 200);
    assert.equal(body.kind, 'ConfigMapList');
  });

  it('names a method that custom resources do not support', async () => {
    const { body } = await server.send(
      'OPTIONS',
      `${groups}/namespaces/default/widgets`,
      undefined,
    );
    assert.equal(body.message, ' is not supported on resources of kind "widgets.example.com"');
  });

  it('warns about deprecated resources', async () => {
    const { headers } = await server.get('/api/v1/endpoints');
    assert.deepEqual(headers['warning'], [
      '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
    ]);
    const refused = await server.send('PUT', '/api/v1/endpoints', Buffer.from('{}'));
    assert.equal(refused.status, 405);
    assert.equal(refused.headers['warning'], undefined);
  });
});
