import assert from 'node:assert/strict';
import { decodeProtobuf, encodeProtobuf, isProtobuf, LengthDelimitedFrames } from 'client-ts/codec';
import { firstHeader } from '../../http/exchange.ts';
import type { Area, Kit } from '../check.ts';
import { failure, field, ok } from '../expect.ts';
import { configMap, core, create, createPod, customKind, pod } from '../objects.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

async function labelled({ api, namespace, unique }: Kit): Promise<{ path: string; query: string }> {
  const name = unique('cm');
  const label = unique('l');
  await create(
    api,
    core(namespace, 'configmaps'),
    configMap(name, { a: '1' }, { labels: { label } }),
  );
  return {
    path: `${core(namespace, 'configmaps')}/${name}`,
    query: `labelSelector=label%3D${label}`,
  };
}

/** The same objects in other encodings. */
export const encodings: Area = {
  name: 'encodings',
  checks: {
    'protobuf: reads an object': async (kit) => {
      const { path } = await labelled(kit);
      const reply = await kit.api.get(path, { accept: PROTOBUF });
      assert.equal(reply.status, 200);
      assert.equal(firstHeader(reply.headers, 'content-type'), PROTOBUF);
      assert.ok(isProtobuf(reply.bytes));
      assert.deepEqual(decodeProtobuf(reply.bytes), ok(await kit.api.get(path)));
    },

    'protobuf: reads a Pod with all its defaults': async (kit) => {
      const { api, namespace, unique } = kit;
      const name = unique('p');
      await createPod(kit, namespace, pod(name));
      const path = `${core(namespace, 'pods')}/${name}`;
      const { bytes } = await api.get(path, { accept: PROTOBUF });
      assert.deepEqual(decodeProtobuf(bytes), ok(await api.get(path)));
    },

    'protobuf: reads a list': async (kit) => {
      const { query } = await labelled(kit);
      const path = `${core(kit.namespace, 'configmaps')}?${query}`;
      const list = decodeProtobuf((await kit.api.get(path, { accept: PROTOBUF })).bytes);
      assert.equal(field(list, 'kind'), 'ConfigMapList');
      assert.deepEqual(field(list, 'items'), ok(await kit.api.get(path)).items);
    },

    'protobuf: writes an object': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const options = { body: encodeProtobuf(configMap(name, { a: '1' })), contentType: PROTOBUF };
      ok(await api.request('POST', core(namespace, 'configmaps'), options), 201);
      assert.deepEqual(ok(await api.get(`${core(namespace, 'configmaps')}/${name}`))['data'], {
        a: '1',
      });
    },

    'protobuf: reads errors': async ({ api, namespace }) => {
      const reply = await api.get(core(namespace, 'configmaps/missing'), { accept: PROTOBUF });
      assert.equal(reply.status, 404);
      const status = decodeProtobuf(reply.bytes);
      assert.equal(field(status, 'kind'), 'Status');
      assert.equal(field(status, 'reason'), 'NotFound');
    },

    'protobuf: frames a watch': async (kit) => {
      const { query } = await labelled(kit);
      const path = `${core(kit.namespace, 'configmaps')}?watch=1&timeoutSeconds=1&${query}`;
      const reply = await kit.api.get(path, { accept: `${PROTOBUF};stream=watch` });
      assert.equal(firstHeader(reply.headers, 'content-type'), `${PROTOBUF};stream=watch`);
      const frames = new LengthDelimitedFrames();
      frames.push(reply.bytes);
      assert.ok(frames.next() !== undefined);
      assert.equal(frames.next(), undefined);
      frames.end();
    },

    'protobuf: rejects invalid data': async ({ api, namespace }) => {
      const options = { body: Buffer.from('nonsense'), contentType: PROTOBUF };
      failure(await api.request('POST', core(namespace, 'configmaps'), options), 400, 'BadRequest');
    },

    'protobuf: is not supported for custom resources': async (kit) => {
      const { api, namespace } = kit;
      const things = await customKind(kit);
      const reply = await api.get(things.collection(namespace), { accept: PROTOBUF });
      assert.equal(reply.status, 406);
      const either = await api.get(things.collection(namespace), {
        accept: `${PROTOBUF},application/json`,
      });
      assert.equal(firstHeader(either.headers, 'content-type'), 'application/json');
    },

    'only metadata: of one object': async (kit) => {
      const { path } = await labelled(kit);
      const whole = ok(await kit.api.get(path));
      const partial = ok(await kit.api.get(path, { accept: PARTIAL }));
      assert.equal(partial.kind, 'PartialObjectMetadata');
      assert.equal(partial.apiVersion, 'meta.k8s.io/v1');
      assert.deepEqual(partial.metadata, whole.metadata);
      assert.equal(partial['data'], undefined);
    },

    'only metadata: of a list': async (kit) => {
      const { query } = await labelled(kit);
      const path = `${core(kit.namespace, 'configmaps')}?${query}`;
      const list = ok(await kit.api.get(path, { accept: PARTIAL_LIST }));
      assert.equal(list.kind, 'PartialObjectMetadataList');
      assert.equal(list.items?.length, 1);
      assert.deepEqual(list.items[0]?.metadata, ok(await kit.api.get(path)).items?.[0]?.metadata);
      assert.equal(list.items[0]?.['data'], undefined);
    },

    'only metadata: of a watch': async (kit) => {
      const { query } = await labelled(kit);
      const path = `${core(kit.namespace, 'configmaps')}?watch=1&timeoutSeconds=1&${query}`;
      await using watch = await kit.api.watch(path, { accept: PARTIAL });
      const [event] = await watch.rest();
      assert.equal(event?.object.kind, 'PartialObjectMetadata');
      assert.equal(event.object['data'], undefined);
    },

    'tables: columns and one row per object': async (kit) => {
      const { query } = await labelled(kit);
      const path = `${core(kit.namespace, 'configmaps')}?${query}`;
      const table = ok(await kit.api.get(path, { accept: TABLE }));
      assert.equal(table.kind, 'Table');
      const columns = table['columnDefinitions'] as { name: string; type: string }[];
      assert.equal(columns[0]?.name, 'Name');
      assert.equal((table['rows'] as unknown[]).length, 1);
      const cells = field(table, 'rows.0.cells') as unknown[];
      assert.equal(cells.length, columns.length);
      assert.match(String(cells[0]), /^cm-/);
      assert.equal(field(table, 'rows.0.object.kind'), 'PartialObjectMetadata');
    },

    'YAML: writes responses and reads bodies': async ({ api, namespace, unique }) => {
      const name = unique('cm');
      const body = `metadata:\n  name: ${name}\ndata:\n  a: "1"\n`;
      const options = {
        body,
        contentType: 'application/yaml',
        headers: { accept: 'application/yaml' },
      };
      const reply = await api.request('POST', core(namespace, 'configmaps'), options);
      assert.equal(reply.status, 201);
      assert.equal(firstHeader(reply.headers, 'content-type'), 'application/yaml');
      assert.match(reply.text, /^apiVersion: v1\ndata:\n {2}a: "1"\nkind: ConfigMap\n/);
    },

    'JSON: indents on request': async (kit) => {
      const { path } = await labelled(kit);
      const { text } = await kit.api.get(`${path}?pretty=true`);
      assert.match(text, /^\{\n {2}"kind": "ConfigMap",\n/);
      assert.ok(!(await kit.api.get(path)).text.trimEnd().includes('\n'));
    },
  },
};
