import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { identityOf, nameOf, namespaceOf } from '../../meta/object.ts';
import { encodeProtobuf } from '../protobuf.ts';
import { KnownKeys } from './known-keys.ts';
import { lazyFromJson, lazyFromProtobuf } from './test-read-only.ts';

function ranges(namespace: string, name: string): Parameters<KnownKeys['find']>[0] {
  const bytes = Buffer.from(`"${namespace}${name}"`);
  const nameStart = 1 + Buffer.byteLength(namespace);
  const nameEnd = bytes.length - 1;
  return { bytes, namespaceStart: 1, namespaceEnd: nameStart, nameStart, nameEnd };
}

describe('the keys of a stream', () => {
  it('are namespace/name, or the name alone', () => {
    const keys = new KnownKeys();
    for (const _ of ['unknown', 'known']) {
      assert.equal(keys.find(ranges('ns', 'web')), 'ns/web');
      assert.equal(keys.find(ranges('', 'web')), 'web');
      assert.equal(keys.find(ranges('n', 'sweb')), 'n/sweb');
      assert.equal(keys.find(ranges('ünder', 'näme')), 'ünder/näme');
      assert.equal(keys.find(ranges('', '')), '');
    }
  });

  it('are found for any number of objects', () => {
    const keys = new KnownKeys();
    for (const _ of ['unknown', 'some of them known']) {
      for (let index = 0; index < 5000; index += 1) {
        const [namespace, name] = [`ns-${index % 7}`, `pod-${index}`];
        assert.equal(keys.find(ranges(namespace, name)), `${namespace}/${name}`);
      }
    }
  });

  it('are the same strings again, until their objects are deleted', (context) => {
    const keys = new KnownKeys();
    const name = (index: number): string => `pod-${index}`;
    // Equal strings look the same: whether it is the same one shows in what is decoded for it.
    const { mock: decode } = context.mock.method(Buffer.prototype, 'toString');
    const has = (key: string): boolean => {
      const before = decode.callCount();
      keys.find(ranges('ns', key));
      const isKnown = decode.callCount() === before;
      decode.resetCalls();
      return isKnown;
    };
    for (let index = 0; index < 1000; index += 1) keys.find(ranges('ns', name(index)));
    assert.ok(has(name(0)) && has(name(999)));
    keys.forget('ns/pod-0');
    keys.forget('ns/never-seen');
    keys.forget('');
    assert.ok(!has(name(0)), 'made again');
    assert.ok(has(name(0)), 'and known again');
    for (let index = 0; index < 20_000; index += 1) {
      keys.find(ranges('ns', `job-${index}`));
      keys.forget(`ns/job-${index}`);
      decode.resetCalls();
    }
    assert.ok(has(name(0)) && has(name(999)), 'still known after many others');
    assert.ok(!has('job-5'));
  });

  it('are undefined if namespace and name do not follow from them', () => {
    const keys = new KnownKeys();
    assert.equal(keys.find(ranges('a', 'b')), 'a/b');
    assert.equal(keys.find(ranges('', 'a/b')), undefined);
    assert.equal(keys.find(ranges('a/b', 'c')), undefined);
    assert.equal(keys.find(ranges('a', '')), undefined);
  });
});

describe('an object whose name does not follow from its key', () => {
  for (const metadata of [{ name: 'a/b' }, { namespace: 'a' }, { namespace: 'a/b', name: 'c' }]) {
    it(`has the metadata ${JSON.stringify(metadata)} nevertheless`, () => {
      const pod = {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { creationTimestamp: null, ...metadata },
      };
      for (const lazy of [lazyFromJson(pod), lazyFromProtobuf(encodeProtobuf(pod))]) {
        assert.equal(identityOf(lazy), undefined);
        assert.equal(nameOf(lazy), metadata.name ?? '');
        assert.equal(namespaceOf(lazy), metadata.namespace ?? '');
      }
    });
  }

  it('is decoded if its name in JSON has an escape', () => {
    const lazy = lazyFromJson({ metadata: { name: 'tab\t' } });
    assert.equal(identityOf(lazy), undefined);
    assert.equal(nameOf(lazy), 'tab\t');
  });
});
