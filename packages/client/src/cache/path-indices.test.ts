import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '../api/core/v1.ts';
import { encodeProtobuf } from '../codec/protobuf.ts';
import { lazyFromJson, lazyFromProtobuf } from '../codec/lazy/test-read-only.ts';
import { OptionError } from '../lib/option-error.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';

function pod(name: string, nodeName: string, owners: readonly string[] = []): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { 'example.com/zone': 'a' },
      ownerReferences: owners.map((uid) => ({ apiVersion: 'v1', kind: 'Job', name: 'x', uid })),
    },
    spec: { containers: [{ name: 'main' }], ...(nodeName !== '' && { nodeName }) },
  };
}

const forms = {
  plain: (object: Pod): Pod => object,
  protobuf: (object: Pod): Pod => lazyFromProtobuf(encodeProtobuf(object)),
  JSON: (object: Pod): Pod => lazyFromJson(object),
};

for (const [form, make] of Object.entries(forms)) {
  describe(`an index by a path, of ${form} objects`, () => {
    const store = () =>
      new Indexer<Pod>({ keyFunc: metaNamespaceKeyFunc }).addIndexers({
        node: 'spec.nodeName',
        owner: 'metadata.ownerReferences[*].uid',
        zone: 'metadata.labels.example\\.com/zone',
      });

    it('finds objects by the value of a field, and follows their changes', () => {
      const pods = store();
      pods.add(make(pod('a', 'node-1')));
      pods.add(make(pod('b', 'node-1')));
      assert.deepEqual(pods.indexKeys('node', 'node-1'), ['a', 'b']);
      pods.update(make(pod('a', 'node-2')));
      assert.deepEqual(pods.indexKeys('node', 'node-1'), ['b']);
      assert.deepEqual(pods.indexKeys('node', 'node-2'), ['a']);
      assert.deepEqual(pods.indexKeys('zone', 'a'), ['a', 'b']);
      pods.delete(make(pod('a', 'node-2')));
      assert.deepEqual(pods.listIndexFuncValues('node'), ['node-1']);
    });

    it('does not have objects without the field', () => {
      const pods = store();
      pods.add(make(pod('a', '')));
      assert.deepEqual(pods.listIndexFuncValues('node'), []);
      pods.update(make(pod('a', 'node-1')));
      pods.update(make(pod('a', '')));
      assert.deepEqual(pods.listIndexFuncValues('node'), []);
    });

    it('has an object under every value of a list', () => {
      const pods = store();
      pods.add(make(pod('a', 'node-1', ['u1', 'u2'])));
      pods.add(make(pod('b', 'node-1', ['u2'])));
      assert.deepEqual(pods.indexKeys('owner', 'u1'), ['a']);
      assert.deepEqual(pods.indexKeys('owner', 'u2'), ['a', 'b']);
      pods.update(make(pod('a', 'node-1', ['u3'])));
      assert.deepEqual(pods.listIndexFuncValues('owner').sort(), ['u2', 'u3']);
    });
  });
}

describe('a path as an index', () => {
  const store = (): Indexer<Pod> => new Indexer<Pod>({ keyFunc: metaNamespaceKeyFunc });

  it('has the same function in every store', () => {
    const first = store().addIndexers({ node: 'spec.nodeName' }).getIndexers();
    const second = store().addIndexers({ other: 'spec.nodeName' }).getIndexers();
    assert.equal(first.node, second.other);
    assert.deepEqual(first.node(pod('a', 'node-1')), ['node-1']);
  });

  it('is refused if it is not one, and nothing is added', () => {
    const pods = store();
    const indexers = { node: 'spec.nodeName', bad: 'spec..nodeName' };
    assert.throws(() => pods.addIndexers(indexers as { node: 'spec.nodeName' }), {
      name: OptionError.name,
      message: /^the index "bad": "spec\.\.nodeName" is not a path/,
    });
    assert.deepEqual(pods.getIndexers(), {});
  });
});
