import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { parseRequestInfo, type RequestInfo } from './request-info.ts';

/** Returns the non-empty text fields. */
function brief(method: string, url: string): Record<string, unknown> {
  const info = parseRequestInfo(method, url);
  const shown: [keyof RequestInfo, string][] = [
    ['group', 'group'],
    ['version', 'version'],
    ['namespace', 'ns'],
    ['resource', 'resource'],
    ['name', 'name'],
    ['subresource', 'sub'],
  ];
  const result: Record<string, unknown> = { verb: info.verb };
  for (const [field, label] of shown) if (info[field] !== '') result[label] = info[field];
  return result;
}

describe('parseRequestInfo', () => {
  const resources: [method: string, url: string, expected: Record<string, string>][] = [
    ['GET', '/api/v1/pods', { verb: 'list', version: 'v1', resource: 'pods' }],
    [
      'GET',
      '/api/v1/namespaces/a/pods/x',
      { verb: 'get', version: 'v1', ns: 'a', resource: 'pods', name: 'x' },
    ],
    [
      'POST',
      '/apis/apps/v1/namespaces/a/deployments',
      { verb: 'create', group: 'apps', version: 'v1', ns: 'a', resource: 'deployments' },
    ],
    [
      'PUT',
      '/apis/apps/v1/namespaces/a/deployments/x/scale',
      {
        verb: 'update',
        group: 'apps',
        version: 'v1',
        ns: 'a',
        resource: 'deployments',
        name: 'x',
        sub: 'scale',
      },
    ],
    [
      'PATCH',
      '/api/v1/nodes/n/status',
      { verb: 'patch', version: 'v1', resource: 'nodes', name: 'n', sub: 'status' },
    ],
    [
      'DELETE',
      '/api/v1/namespaces/a/pods',
      { verb: 'deletecollection', version: 'v1', ns: 'a', resource: 'pods' },
    ],
    [
      'DELETE',
      '/api/v1/namespaces/a/pods/x',
      { verb: 'delete', version: 'v1', ns: 'a', resource: 'pods', name: 'x' },
    ],
    ['HEAD', '/api/v1/nodes', { verb: 'list', version: 'v1', resource: 'nodes' }],
    ['OPTIONS', '/api/v1/nodes', { verb: '', version: 'v1', resource: 'nodes' }],
  ];
  for (const [method, url, expected] of resources) {
    it(`parses ${method} ${url}`, () => assert.deepEqual(brief(method, url), expected));
  }

  it('treats namespaces as a resource and as a scope', () => {
    assert.deepEqual(brief('GET', '/api/v1/namespaces'), {
      verb: 'list',
      version: 'v1',
      resource: 'namespaces',
    });
    const own = { version: 'v1', ns: 'a', resource: 'namespaces', name: 'a' };
    assert.deepEqual(brief('GET', '/api/v1/namespaces/a'), { verb: 'get', ...own });
    assert.deepEqual(brief('PUT', '/api/v1/namespaces/a/finalize'), {
      verb: 'update',
      ...own,
      sub: 'finalize',
    });
    assert.deepEqual(brief('PATCH', '/api/v1/namespaces/a/status'), {
      verb: 'patch',
      ...own,
      sub: 'status',
    });
    assert.deepEqual(brief('GET', '/api/v1/namespaces/a/statuses'), {
      verb: 'list',
      version: 'v1',
      ns: 'a',
      resource: 'statuses',
    });
  });

  it('lists all namespaces for an empty namespace segment, and ignores a trailing slash', () => {
    assert.deepEqual(brief('GET', '/api/v1/namespaces//configmaps'), {
      verb: 'list',
      version: 'v1',
      resource: 'configmaps',
    });
    assert.deepEqual(brief('GET', '/api/v1/pods/'), {
      verb: 'list',
      version: 'v1',
      resource: 'pods',
    });
  });

  it('recognises a watch by its query, true unless false or 0', () => {
    for (const query of ['watch=1', 'watch=true', 'watch=yes', 'watch=', 'watch']) {
      assert.equal(parseRequestInfo('GET', `/api/v1/pods?${query}`).verb, 'watch', query);
    }
    for (const query of ['watch=0', 'watch=false', 'watch=FALSE', '', 'limit=1']) {
      assert.equal(parseRequestInfo('GET', `/api/v1/pods?${query}`).verb, 'list', query);
    }
    assert.equal(parseRequestInfo('GET', '/api/v1/nodes/n?watch=1').verb, 'get');
  });

  it('parses the old watch and proxy paths', () => {
    assert.deepEqual(brief('GET', '/api/v1/watch/namespaces/a/pods/x'), {
      verb: 'watch',
      version: 'v1',
      ns: 'a',
      resource: 'pods',
      name: 'x',
    });
    assert.deepEqual(brief('GET', '/api/v1/proxy/namespaces/a/pods/x/deep/path'), {
      verb: 'proxy',
      version: 'v1',
      ns: 'a',
      resource: 'pods',
      name: 'x',
    });
    const selected = parseRequestInfo('GET', '/api/v1/watch/pods?fieldSelector=a%3Db');
    assert.equal(selected.fieldSelector, '');
    const bare = parseRequestInfo('GET', '/api/v1/watch');
    assert.equal(bare.problem, 'unable to determine kind and namespace from url, /api/v1/watch');
    assert.equal(bare.isResourceRequest, true);
  });

  it('keeps the tail of a proxy path', () => {
    const info = parseRequestInfo('GET', '/api/v1/namespaces/a/services/http:web:80/proxy/x/y?z=1');
    assert.equal(info.name, 'http:web:80');
    assert.equal(info.subresource, 'proxy');
    assert.deepEqual(info.parts, ['services', 'http:web:80', 'proxy', 'x', 'y']);
  });

  it('takes the name from a field selector that allows only one', () => {
    const nameOf = (selector: string): string =>
      parseRequestInfo('GET', `/api/v1/pods?fieldSelector=${encodeURIComponent(selector)}`).name;
    assert.equal(nameOf('metadata.name=x'), 'x');
    assert.equal(nameOf('metadata.name==x'), 'x');
    assert.equal(nameOf('status.phase=Running,metadata.name=x'), 'x');
    assert.equal(nameOf('metadata.name!=x'), '');
    assert.equal(nameOf('metadata.name=a/b'), '');
    assert.equal(nameOf('metadata.name=..'), '');
    assert.equal(nameOf('metadata.name='), '');
    assert.equal(nameOf('metadata.name=a\\,b'), 'a,b');
    assert.equal(
      parseRequestInfo('DELETE', '/api/v1/pods?fieldSelector=metadata.name%3Dx').name,
      '',
    );
  });

  it('passes on the selectors for the verbs that support them', () => {
    const query = 'fieldSelector=a%3Db&labelSelector=c%3Dd';
    const list = parseRequestInfo('GET', `/api/v1/pods?${query}`);
    assert.deepEqual([list.fieldSelector, list.labelSelector], ['a=b', 'c=d']);
    const drop = parseRequestInfo('DELETE', `/api/v1/namespaces/a/pods?${query}`);
    assert.deepEqual([drop.fieldSelector, drop.labelSelector], ['a=b', 'c=d']);
    const get = parseRequestInfo('GET', `/api/v1/nodes/n?${query}`);
    assert.deepEqual([get.fieldSelector, get.labelSelector], ['', '']);
  });

  it('leaves other paths alone', () => {
    const paths = ['/', '', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/healthz'];
    for (const path of [...paths, '/openapi/v3/apis/apps/v1', '/apis/apps/v1/', '/version/']) {
      const info = parseRequestInfo('GET', path);
      assert.equal(info.isResourceRequest, false, path);
      assert.equal(info.verb, 'get');
      assert.equal(info.path, path);
      assert.equal(info.resource, '');
    }
    assert.equal(parseRequestInfo('POST', '/healthz').verb, 'post');
  });

  it('decodes the path once and survives broken escapes', () => {
    assert.equal(parseRequestInfo('GET', '/api/v1/nodes/a%20b').name, 'a b');
    assert.equal(parseRequestInfo('GET', '/api/v1/nodes/a%252F').name, 'a%2F');
    assert.equal(parseRequestInfo('GET', '/api/v1/nodes/%zz').name, '%zz');
  });

  it('finds values that were escaped in a URL', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/);
    const resourceWord = word.filter((text) => !['namespaces', 'watch', 'proxy'].includes(text));
    fc.assert(
      fc.property(
        word,
        word,
        word,
        resourceWord,
        word,
        (group, version, namespace, resource, name) => {
          const url = `/apis/${group}/${version}/namespaces/${namespace}/${resource}/${name}`;
          fc.pre(!['status', 'finalize'].includes(resource));
          const info = parseRequestInfo('GET', url);
          assert.deepEqual(
            [info.group, info.version, info.namespace, info.resource, info.name, info.verb],
            [group, version, namespace, resource, name, 'get'],
          );
        },
      ),
    );
  });
});
