import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeProtobuf } from 'client-ts/codec';

import { TestServer } from '../testing/test-server.ts';

const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('discovery', () => {
  it('is aggregated for clients that accept it anywhere in their Accept header', async () => {
    using server = new TestServer();
    for (const accept of [
      `application/json;${AGGREGATED}`,
      `application/json, application/json;${AGGREGATED}`,
      `application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io,application/json`,
    ]) {
      for (const path of ['/api', '/apis']) {
        const { body, headers } = await server.get(path, { headers: { accept } });
        assert.equal(body.kind, 'APIGroupDiscoveryList', accept);
        assert.equal(headers['content-type'], `application/json;${AGGREGATED}`);
        assert.equal(headers['vary'], 'Accept');
      }
    }
    const { body } = await server.get('/apis', { headers: { accept: 'application/json' } });
    assert.equal(body.kind, 'APIGroupList');
  });

  it('has an ETag that changes only with the resources', async () => {
    using server = new TestServer();
    const accept = `application/json;${AGGREGATED}`;
    const tag = async (): Promise<string> =>
      String((await server.get('/apis', { headers: { accept } })).headers['etag']);
    const first = await tag();
    assert.match(first, /^"[0-9A-F]{128}"$/);
    const same = await server.get('/apis', { headers: { accept, 'if-none-match': first } });
    assert.equal(same.status, 304);
    assert.equal(same.text, '');
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'other' } });
    assert.equal(await tag(), first);
    await server.given('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    });
    await server.settle();
    const changed = await server.get('/apis', { headers: { accept, 'if-none-match': first } });
    assert.equal(changed.status, 200);
  });

  it('uses the encoding that the client prefers', async () => {
    using server = new TestServer();
    const protobuf = { accept: 'application/vnd.kubernetes.protobuf' };
    for (const path of ['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1']) {
      const { body } = await server.get(path);
      const answer = await server.get(path, { headers: protobuf });
      assert.deepEqual(decodeProtobuf(answer.bytes), body, path);
    }
    const yaml = await server.get('/apis/apps', { headers: { accept: 'application/yaml' } });
    assert.match(yaml.text, /^apiVersion: v1\nkind: APIGroup\nname: apps\n/);
  });

  it('lists the existing paths', async () => {
    using server = new TestServer();
    const { body, text } = await server.get('/', { headers: { accept: 'text/html' } });
    const paths = body['paths'] as string[];
    assert.deepEqual(paths, paths.toSorted());
    for (const path of ['/api/v1', '/apis/apps', '/apis/apps/v1', '/version', '/readyz/shutdown']) {
      assert.ok(paths.includes(path), path);
    }
    // Always indented, without a trailing newline.
    assert.equal(text, JSON.stringify(body, undefined, 2));
  });
});

describe('version', () => {
  it('is the release of the model, for clients that accept JSON', async () => {
    using server = new TestServer();
    const { body, text } = await server.get('/version');
    const { major, minor, gitVersion, gitCommit, gitTreeState, platform } = body as Readonly<
      Record<string, string>
    >;
    assert.match(gitCommit ?? '', /^[0-9a-f]{40}$/);
    assert.equal(gitTreeState, 'clean');
    assert.match(platform ?? '', /^(darwin|linux|windows)\/(amd64|arm64)$/);
    assert.match(gitVersion ?? '', new RegExp(`^v${major}\\.${minor}\\.\\d+$`));
    assert.equal(text, JSON.stringify(body, undefined, 2));
    const refused = await server.get('/version', { headers: { accept: 'application/yaml' } });
    assert.equal(refused.status, 406);
  });
});

describe('health', () => {
  it('answers any method in plain text', async () => {
    using server = new TestServer();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, text, headers } = await server.send(method, '/livez', undefined);
      assert.equal(status, 200);
      assert.equal(text, 'ok');
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    }
    assert.match((await server.get('/readyz?verbose')).text, /readyz check passed\n$/);
  });
});
