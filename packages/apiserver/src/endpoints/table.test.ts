import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import { TestServer } from '../testing/test-server.ts';

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion?: string; readonly remainingItemCount?: number };
  readonly columnDefinitions: readonly { readonly name: string }[] | null;
  readonly rows:
    | readonly {
        readonly cells: readonly unknown[];
        readonly object: (JsonObject & { readonly metadata: JsonObject }) | null;
      }[]
    | null;
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const asTable = (version = 'v1'): { headers: { accept: string } } => ({
  headers: { accept: `application/json;as=Table;g=meta.k8s.io;v=${version}` },
});

async function tableAt(server: TestServer, path: string, version?: string): Promise<Table> {
  const { status, text, body } = await server.get(path, asTable(version));
  assert.equal(status, 200, text);
  return body as unknown as Table;
}

function cellsOf({ rows }: Table): readonly unknown[][] {
  return (rows ?? []).map(({ cells }) => [...cells]);
}

describe('a table', () => {
  it("has a row for each object, with its age by the server's clock", async () => {
    using server = new TestServer();
    await server.given('post', CONFIG_MAPS, { metadata: { name: 'a' }, data: { x: '1', y: '2' } });
    await server.clock.advance(192_000);
    await server.given('post', CONFIG_MAPS, { metadata: { name: 'b' } });
    const table = await tableAt(server, CONFIG_MAPS);
    assert.equal(table.apiVersion, 'meta.k8s.io/v1');
    assert.deepEqual(cellsOf(table), [
      ['a', 2, '3m12s'],
      ['b', 0, '0s'],
    ]);
    assert.equal(table.metadata.resourceVersion, String(server.revision));
  });

  it('of a single object has the version of the object', async () => {
    using server = new TestServer();
    const { metadata } = await server.given('post', CONFIG_MAPS, { metadata: { name: 'a' } });
    await server.given('post', CONFIG_MAPS, { metadata: { name: 'b' } });
    const table = await tableAt(server, `${CONFIG_MAPS}/a`);
    assert.deepEqual(cellsOf(table), [['a', 0, '0s']]);
    assert.equal(table.metadata.resourceVersion, metadata.resourceVersion);
  });

  it('has a continue token if there are more pages', async () => {
    using server = new TestServer();
    for (const name of ['a', 'b', 'c'])
      await server.given('post', CONFIG_MAPS, { metadata: { name } });
    const { metadata, rows } = await tableAt(server, `${CONFIG_MAPS}?limit=1`);
    assert.equal(rows?.length, 1);
    assert.equal(metadata.remainingItemCount, 2);
    assert.ok('continue' in metadata);
  });

  it('without rows has an empty list, or null for kinds without their own columns', async () => {
    using server = new TestServer();
    assert.deepEqual((await tableAt(server, CONFIG_MAPS)).rows, []);
    assert.equal((await tableAt(server, '/api/v1/namespaces/default/limitranges')).rows, null);
  });

  it('includes metadata, nothing or the whole object, as the query says', async () => {
    using server = new TestServer();
    await server.given('post', CONFIG_MAPS, { metadata: { name: 'a' }, data: { x: '1' } });
    const objectOf = async (include: string, version = 'v1'): Promise<JsonObject | null> => {
      const table = await tableAt(server, `${CONFIG_MAPS}/a${include}`, version);
      return table.rows?.[0]?.object ?? null;
    };
    for (const include of ['', '?includeObject=', '?includeObject=Metadata']) {
      const { kind, apiVersion, data } = (await objectOf(include)) ?? {};
      assert.deepEqual(
        [kind, apiVersion, data],
        ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined],
      );
    }
    assert.equal((await objectOf('', 'v1beta1'))?.['apiVersion'], 'meta.k8s.io/v1beta1');
    assert.equal(await objectOf('?includeObject=None'), null);
    const whole = await objectOf('?includeObject=Object');
    assert.deepEqual([whole?.['kind'], whole?.['data']], ['ConfigMap', { x: '1' }]);
  });

  it('is rejected for an invalid includeObject, after the write took effect', async () => {
    using server = new TestServer();
    const message =
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Half\": must be 'Metadata', 'Object', 'None', or empty";
    const query = '?includeObject=Half';
    const made = await server.post(
      `${CONFIG_MAPS}${query}`,
      { metadata: { name: 'a' } },
      asTable(),
    );
    assert.deepEqual([made.status, made.body['message']], [400, message]);
    assert.equal((await server.get(`${CONFIG_MAPS}/a`)).status, 200);
    const watch = await server.get(`${CONFIG_MAPS}${query}&watch=1`, asTable());
    assert.deepEqual([watch.status, watch.body['message']], [400, message]);
    const gone = await server.delete(`${CONFIG_MAPS}/a${query}`, undefined, asTable());
    assert.deepEqual([gone.status, gone.body['message']], [400, message]);
    assert.equal((await server.get(`${CONFIG_MAPS}/a`)).status, 404);
  });

  it('is not made of a Status', async () => {
    using server = new TestServer();
    await server.given('post', CONFIG_MAPS, { metadata: { name: 'a' } });
    const { body } = await server.delete(`${CONFIG_MAPS}/a`, undefined, asTable());
    assert.deepEqual([body.kind, body['status']], ['Status', 'Success']);
  });

  it('shows objects of all versions in the same columns', async () => {
    using server = new TestServer();
    const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const spec = { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 60 };
    await server.given('post', path, { metadata: { name: 'a' }, spec });
    const row = ['a', 'Deployment/d', 'cpu: <unknown>/60%', '1', 5, 0, '0s'];
    for (const version of ['v1', 'v2']) {
      assert.deepEqual(cellsOf(await tableAt(server, path.replace('v1', version))), [row]);
    }
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
    const events = '/api/v1/namespaces/default/events';
    await server.given('post', events, { metadata: { name: 'e' }, involvedObject, reason: 'R' });
    const newer = '/apis/events.k8s.io/v1/namespaces/default/events';
    assert.deepEqual(cellsOf(await tableAt(server, newer)), cellsOf(await tableAt(server, events)));
  });

  it('of a scale has the columns of Scale', async () => {
    using server = new TestServer();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'a' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const spec = { replicas: 3, selector: { matchLabels: labels }, template };
    await server.given('post', path, { metadata: { name: 'a' }, spec });
    assert.deepEqual(cellsOf(await tableAt(server, `${path}/a/scale`)), [['a', 3, 0, '0s']]);
  });
});

describe('a table of a custom resource', () => {
  const definition = (versions: readonly object[]): object => ({
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions,
    },
  });
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = (name: string, storage: boolean, rest = {}): object => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema },
    ...rest,
  });

  it('has the columns of the version, and follows the definition', async () => {
    using server = new TestServer();
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const additionalPrinterColumns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    const withSize = version('v1', true, { additionalPrinterColumns });
    const apiVersion = [{ name: 'Version', type: 'string', jsonPath: '.apiVersion' }];
    const withVersion = version('v2', false, { additionalPrinterColumns: apiVersion });
    await server.given('post', crds, definition([withSize, withVersion]));
    await server.settle();
    const path = '/apis/example.com/v1/namespaces/default/widgets';
    const typeMeta = { apiVersion: 'example.com/v1', kind: 'Widget' };
    await server.given('post', path, { ...typeMeta, metadata: { name: 'a' }, spec: { size: 4 } });
    assert.deepEqual(cellsOf(await tableAt(server, path)), [['a', 4]]);
    const inV2 = '/apis/example.com/v2/namespaces/default/widgets';
    assert.deepEqual(cellsOf(await tableAt(server, inV2)), [['a', 'example.com/v2']]);

    const patch = [
      { op: 'replace', path: '/spec/versions/0/additionalPrinterColumns/0/name', value: 'Big' },
    ];
    const changed = await server.patch('json', `${crds}/widgets.example.com`, patch);
    assert.equal(changed.status, 200);
    await server.settle();
    const { columnDefinitions } = await tableAt(server, path);
    assert.deepEqual(
      columnDefinitions?.map(({ name }) => name),
      ['Name', 'Big'],
    );
  });
});

describe('a watch of tables', () => {
  it('has the columns only in its first frame, and rows in all', async () => {
    using server = new TestServer();
    await server.given('post', CONFIG_MAPS, { metadata: { name: 'a' } });
    const query = '?watch=1&resourceVersion=0&allowWatchBookmarks=true&includeObject=None';
    const watch = await server.watch(`${CONFIG_MAPS}${query}`, asTable());
    const initial = await watch.take();
    await server.clock.advance(65_000);
    await server.given('put', `${CONFIG_MAPS}/a`, { metadata: { name: 'a' }, data: { x: '1' } });
    const later = await watch.take();
    const frames = [...initial, ...later].map(({ type, object }) => {
      const { columnDefinitions, rows } = object as unknown as Table;
      return [
        type,
        columnDefinitions?.length ?? null,
        rows?.[0]?.cells,
        rows?.[0]?.object !== null,
      ];
    });
    assert.deepEqual(frames, [
      ['ADDED', 3, ['a', 0, '0s'], false],
      // Clients recognise the bookmark that ends the initial events by its annotation, so it keeps
      // it.
      ['BOOKMARK', null, ['', 0, '<unknown>'], true],
      ['BOOKMARK', null, ['', 0, '<unknown>'], false],
      ['MODIFIED', null, ['a', 1, '65s'], false],
    ]);
  });

  it('does not convert a bookmark', async () => {
    using server = new TestServer();
    const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    const query = '?watch=1&resourceVersion=0&allowWatchBookmarks=true';
    const watch = await server.watch(`${path}${query}`, asTable());
    const [bookmark] = await watch.take();
    const cells = ['', '/', '<none>', '<unset>', 0, 0, '<unknown>'];
    assert.deepEqual(cellsOf(bookmark?.object as unknown as Table), [cells]);
  });

  it('sends errors unchanged', async () => {
    using server = new TestServer();
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=1`, asTable());
    const [error] = await watch.take();
    assert.equal(error?.type, 'ERROR');
    assert.equal(error.object.kind, 'Status');
  });
});
