import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

async function metrics(server: TestServer): Promise<string[]> {
  const { status, headers, text } = await server.get('/metrics');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
  return text.split('\n');
}

function requests(lines: readonly string[], resource: string): string[] {
  return lines
    .filter((line) => line.startsWith('apiserver_request_total{'))
    .filter((line) => line.includes(`resource="${resource}"`))
    .map((line) => {
      const label = (name: string): string =>
        new RegExp(`\\b${name}="([^"]*)"`).exec(line)?.[1] ?? '';
      return `${label('verb')} ${label('scope')} ${label('code')} ${line.split(' ').at(-1)}`;
    });
}

describe('/metrics', () => {
  it('counts requests by verb, scope and status', async () => {
    using server = new TestServer();
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    await server.patch('apply', `${MAPS}/a?fieldManager=x`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    });
    await server.get(`${MAPS}/a`);
    await server.get(`${MAPS}/a`);
    await server.get(`${MAPS}/missing`);
    await server.get(MAPS);
    await server.get('/api/v1/configmaps');
    assert.deepEqual(requests(await metrics(server), 'configmaps'), [
      'POST resource 201 1',
      'APPLY resource 200 1',
      'GET resource 200 2',
      'GET resource 404 1',
      'LIST namespace 200 1',
      'LIST cluster 200 1',
    ]);
  });

  it('counts a watch while it is open, and as a request when it ends', async () => {
    using server = new TestServer();
    const watch = await server.watch(`${MAPS}?watch=1`);
    const running = (lines: readonly string[]): string | undefined =>
      lines
        .find((line) => line.startsWith('apiserver_longrunning_requests{'))
        ?.split(' ')
        .at(-1);
    const during = await metrics(server);
    assert.equal(running(during), '1');
    assert.deepEqual(requests(during, 'configmaps'), []);
    watch.close();
    await server.settle();
    const after = await metrics(server);
    assert.equal(running(after), '0');
    assert.deepEqual(requests(after, 'configmaps'), ['WATCH namespace 200 1']);
  });

  it('counts stored objects and requests in flight', async () => {
    using server = new TestServer();
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    const lines = await metrics(server);
    for (const line of [
      'apiserver_resource_objects{group="",resource="configmaps"} 1',
      'apiserver_storage_objects{resource="clusterroles.rbac.authorization.k8s.io"} 69',
      'apiserver_current_inflight_requests{request_kind="readOnly"} 1',
      'apiserver_current_inflight_requests{request_kind="mutating"} 0',
    ]) {
      assert.ok(lines.includes(line), line);
    }
    assert.ok(lines.some((line) => line.startsWith('kubernetes_build_info{git_version="v1.')));
    assert.ok(lines.some((line) => line.startsWith('process_resident_memory_bytes ')));
  });

  it('has no series for paths and resources that do not exist', async () => {
    using server = new TestServer();
    await server.get('/apis/unknown.example/v1/things');
    await server.get('/nowhere');
    const text = (await metrics(server)).join('\n');
    assert.doesNotMatch(text, /unknown|things|nowhere/);
  });

  it('is for those who may read it', async () => {
    using server = new TestServer({ tokens: { eve: { name: 'eve', groups: [] } } });
    const { status } = await server.get('/metrics', { headers: { authorization: 'Bearer eve' } });
    assert.equal(status, 403);
  });

  it('shows the shares of priority levels as a kube-apiserver does, and their requests', async () => {
    using server = new TestServer();
    const lines = await metrics(server);
    const limits = (level: string, all: readonly string[]): (string | undefined)[] =>
      ['nominal', 'lower', 'upper'].map((limit) =>
        all
          .find((line) =>
            line.startsWith(
              `apiserver_flowcontrol_${limit}_limit_seats{priority_level="${level}"} `,
            ),
          )
          ?.split(' ')
          .at(-1),
      );
    assert.deepEqual(limits('exempt', lines), ['0', '0', '600']);
    assert.deepEqual(limits('catch-all', lines), ['13', '13', '613']);
    assert.deepEqual(limits('global-default', lines), ['49', '24', '649']);
    assert.deepEqual(limits('workload-low', lines), ['245', '24', '845']);
    const total =
      'apiserver_flowcontrol_dispatched_requests_total{flow_schema="exempt",priority_level="exempt"} ';
    assert.ok(lines.includes(`${total}1`));
    const level = {
      metadata: { name: 'extra' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 5,
          borrowingLimitPercent: 50,
          limitResponse: { type: 'Reject' },
        },
      },
    };
    const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
    await server.given('post', levels, level);
    const more = await metrics(server);
    assert.deepEqual(limits('extra', more), ['12', '12', '18']);
    assert.ok(more.includes(`${total}3`));
    await server.delete(`${levels}/extra`);
    assert.deepEqual(limits('extra', await metrics(server)), [undefined, undefined, undefined]);
  });
});
